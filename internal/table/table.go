// Package table is a small table of texts, written as Markdown, as LaTeX and aligned by
// spaces for a terminal; and the document that a report prints with its tables. Escaping for
// each form is here and nowhere else.
package table

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/pattern"
)

// Table is a table of texts under a caption.
type Table struct {
	Name    string     `json:"name,omitempty"` // for the label in LaTeX and the anchor in a page
	Caption string     `json:"caption"`
	Head    []Cell     `json:"head"`
	Rows    [][]string `json:"rows"`           // each as long as Head
	Long    bool       `json:"long,omitempty"` // of little interest: a page folds it
	// Keys are the first columns, which name a row, and Group the number of columns that
	// belong together after them: in LaTeX a long table that is too wide is cut there.
	Keys  int `json:"keys,omitempty"`
	Group int `json:"group,omitempty"`
}

// Cell is the head of a column.
type Cell struct {
	Text   string `json:"text"`
	Number bool   `json:"number,omitempty"` // set to the right
}

// Text is the head of a column of texts.
func Text(head string) Cell { return Cell{Text: head} }

// Number is the head of a column of numbers, which are set to the right.
func Number(head string) Cell { return Cell{Text: head, Number: true} }

// longText is how many letters a cell may have on one line of a page.
const longText = 24

// Classes returns the classes of the columns' cells in a page: n numbers, w texts that take several
// lines.
func (t Table) Classes() []string {
	classes := make([]string, len(t.Head))
	for i, h := range t.Head {
		if h.Number {
			classes[i] = "n"
			continue
		}
		for _, row := range t.Rows {
			if utf8.RuneCountInString(row[i]) > longText {
				classes[i] = "w"
			}
		}
	}
	return classes
}

// Pieces cuts a number with its interval, "+108 (+40 to +176)", in the two; another text is one
// piece. A page that is narrow breaks the line between them alone.
func Pieces(cell string) []string {
	if i := strings.Index(cell, " ("); i > 0 && strings.HasSuffix(cell, ")") {
		return []string{cell[:i], cell[i+1:]}
	}
	return []string{cell}
}

// Rows calls row with the cells of every row; the slice may be reused. A table that is written in one
// pass need not be in memory.
type Rows func(row func(cells []string) error) error

// Each calls row with the cells of every row, for the writers of tables.
func (t Table) Each(row func(cells []string) error) error {
	for _, cells := range t.Rows {
		if err := row(cells); err != nil {
			return err
		}
	}
	return nil
}

func heads(head []Cell) []string { return lists.Of(head, func(h Cell) string { return h.Text }) }

// Plain is the table aligned by spaces, without its caption.
func (t Table) Plain() string {
	var out strings.Builder
	if err := WritePlain(&out, t.Head, t.Each); err != nil {
		panic(err) // a Builder takes everything
	}
	return out.String()
}

// oneLine keeps a cell from breaking its row.
var escapePlain = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// WritePlain writes a table aligned by spaces, for a terminal; it holds all rows in memory.
func WritePlain(w io.Writer, head []Cell, rows Rows) error {
	var lines [][]string
	width := make([]int, len(head))
	add := func(cells []string) error {
		line := make([]string, len(cells))
		for i, c := range cells {
			line[i] = human.Printable(escapePlain.Replace(c))
			width[i] = max(width[i], human.Columns(line[i]))
		}
		lines = append(lines, line)
		return nil
	}
	add(heads(head))
	if err := rows(add); err != nil {
		return err
	}
	rules := lists.Of(width, func(n int) string { return strings.Repeat("─", n) })
	lines = append(lines[:1], append([][]string{rules}, lines[1:]...)...)
	out := bufio.NewWriter(w)
	for _, cells := range lines {
		var line strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", width[i]-human.Columns(c))
			if i > 0 {
				line.WriteString("  ")
			}
			if head[i].Number {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
	return out.Flush()
}

// Markdown is the table under its caption.
func (t Table) Markdown() string {
	var out strings.Builder
	out.WriteString("**" + t.Caption + "**\n\n")
	if err := WriteMarkdown(&out, t.Head, t.Each); err != nil {
		panic(err) // a Builder takes everything
	}
	return out.String()
}

var (
	markdownSigns = strings.NewReplacer("|", `\|`, "\n", " ", "\r", "", "](", `]\(`)
	htmlTag       = pattern.Of(`<([A-Za-z/!?])`)
)

// escapeMarkdown keeps a cell from being more than text: a cell of its own, a link, an image
// or HTML, which Markdown may hold.
func escapeMarkdown(cell string) string {
	return htmlTag().ReplaceAllString(markdownSigns.Replace(human.Printable(strings.ReplaceAll(cell, "\r", ""))), "&lt;$1")
}

// WriteMarkdown writes a table as GitHub shows it, row by row.
func WriteMarkdown(w io.Writer, head []Cell, rows Rows) error {
	out := bufio.NewWriter(w)
	line := func(cells []string) error {
		escaped := lists.Of(cells, escapeMarkdown)
		_, err := fmt.Fprintf(out, "| %s |\n", strings.Join(escaped, " | "))
		return err
	}
	rules := make([]string, len(head))
	for i, h := range head {
		rules[i] = "---"
		if h.Number {
			rules[i] = "---:"
		}
	}
	line(heads(head))
	line(rules)
	if err := rows(line); err != nil {
		return err
	}
	return out.Flush()
}
