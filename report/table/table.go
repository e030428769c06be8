// Package table is a small table of texts with heads, as Markdown, LaTeX and rows for a
// terminal.
package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kifu/query"
)

// Table is a small table of texts, for the page, Markdown and LaTeX alike.
type Table struct {
	Name    string // for the label in LaTeX and the anchor in the page
	Caption string
	Head    []Cell
	Rows    [][]string
	Long    bool // of little interest: the page folds it
	// Keys are the first columns, which name a row, and Group the number of columns that
	// belong together behind them: in LaTeX a long table that is too wide is cut there.
	Keys, Group int
}

// Cell is the head of a column.
type Cell struct {
	Text   string
	Number bool // set to the right
}

// Text is the head of a column of texts.
func Text(head string) Cell { return Cell{Text: head} }

// Number is the head of a column of numbers, which are set to the right.
func Number(head string) Cell { return Cell{Text: head, Number: true} }

// longText is how many letters a cell may have on one line of the page.
const longText = 24

// Classes are those of the columns' cells in the page: n numbers, w texts that take
// several lines.
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

// markdown and latex take query's renderers, so that escaping is in one place.
func (t Table) Result() *query.Result {
	var columns []query.Column
	for _, h := range t.Head {
		c := query.Column{Name: h.Text, Type: "VARCHAR"}
		if h.Number {
			c.Type = "DOUBLE"
		}
		columns = append(columns, c)
	}
	var rows [][]any
	for _, row := range t.Rows {
		cells := make([]any, len(row))
		for i, text := range row {
			cells[i] = text
		}
		rows = append(rows, cells)
	}
	return query.NewResult(columns, rows)
}

func (t Table) Markdown() (string, error) {
	text, err := Render("markdown", t.Result())
	return "**" + t.Caption + "**\n\n" + text, err
}

// longRows are more rows than go on a page of a paper.
const longRows = 40

// LaTeX is the table for a paper: no wider than the text, with heads on several lines. One
// of more than longRows rows runs over pages, in parts side by side where it is too wide.
func (t Table) LaTeX() (string, error) {
	if len(t.Rows) <= longRows {
		text, err := t.tabular()
		return "\\begin{table}\n\\centering\\small\n" + t.label(0) + "\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" + text + "}\n\\end{table}\n", err
	}
	var parts []string
	for i, part := range t.parts() {
		text, err := part.tabular()
		if err != nil {
			return "", err
		}
		text = strings.Replace(text, "\\begin{tabular}", "\\begin{longtable}", 1)
		text = strings.Replace(text, "}\n\\toprule\n", "}\n"+t.label(i)+" \\\\\n\\toprule\n", 1)
		text = strings.Replace(text, "\\midrule\n", "\\midrule\n\\endhead\n", 1)
		text = strings.Replace(text, "\\end{tabular}", "\\end{longtable}", 1)
		size := "\\small"
		if len(part.Head) > manyColumns || part.letters(0, len(part.Head)) > smallLetters {
			size = "\\tiny\\setlength{\\tabcolsep}{2pt}"
		}
		parts = append(parts, "{"+size+"\n"+text+"}\n")
	}
	return strings.Join(parts, "\n"), nil
}

// label is the caption of part i, with the name to refer to.
func (t Table) label(i int) string {
	caption, name := t.Caption, t.Name
	if i > 0 {
		caption, name = caption+", continued", fmt.Sprintf("%s-%d", name, i+1)
	}
	return "\\caption{" + query.EscapeLaTeX(caption) + "}\\label{tab:" + name + "}"
}

// tabular is the table as booktabs would have it, with stacked heads.
func (t Table) tabular() (string, error) {
	text, err := Render("latex", t.Result())
	text = strings.TrimPrefix(text, "% \\usepackage{booktabs}\n")
	if head, rest, found := strings.Cut(text, "\\midrule\n"); found {
		top, names, _ := strings.Cut(head, "\\toprule\n")
		text = top + "\\toprule\n" + t.stacked(names) + "\\midrule\n" + rest
	}
	return text, err
}

// The letters of a table that go on a line of LaTeX's article, in \tiny and in \small.
const tinyLetters, smallLetters = 105, 70

// parts are tables of the keys and as many groups of columns as the text is wide.
func (t Table) parts() []Table {
	if t.Group == 0 {
		return []Table{t}
	}
	var parts []Table
	for from := t.Keys; from < len(t.Head); {
		to := from + t.Group
		for to < len(t.Head) && t.letters(0, t.Keys)+t.letters(from, to+t.Group) <= tinyLetters {
			to += t.Group
		}
		part := t
		part.Head = slices.Concat(t.Head[:t.Keys], t.Head[from:to])
		part.Rows = nil
		for _, row := range t.Rows {
			part.Rows = append(part.Rows, slices.Concat(row[:t.Keys], row[from:to]))
		}
		parts = append(parts, part)
		from = to
	}
	return parts
}

// letters is the width of columns, with the space between them.
func (t Table) letters(from, to int) (sum int) {
	for i := from; i < to; i++ {
		sum += t.widest(i) + 2
	}
	return sum
}

// widest is the number of letters of the longest cell of column i, or of the longest word
// of its head.
func (t Table) widest(i int) int {
	widest := 0
	for _, row := range t.Rows {
		widest = max(widest, utf8.RuneCountInString(row[i]))
	}
	for _, word := range strings.Fields(t.Head[i].Text) {
		widest = max(widest, utf8.RuneCountInString(word))
	}
	return widest
}

// manyColumns are more than go on a page of a paper in usual letters.
const manyColumns = 8

// stacked breaks the heads of columns into lines no longer than the column's cells or the
// longest word.
func (t Table) stacked(heads string) string {
	cells := strings.Split(strings.TrimSuffix(heads, " \\\\\n"), " & ")
	for i, head := range cells {
		widest := t.widest(i)
		lines := []string{""}
		for _, word := range strings.Fields(head) {
			last := &lines[len(lines)-1]
			if *last != "" && utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) > widest {
				lines = append(lines, word)
				continue
			}
			*last = strings.TrimPrefix(*last+" "+word, " ")
		}
		if len(lines) > 1 {
			side := "l"
			if t.Head[i].Number {
				side = "r"
			}
			cells[i] = "\\shortstack[" + side + "]{" + strings.Join(lines, "\\\\") + "}"
		}
	}
	return strings.Join(cells, " & ") + " \\\\\n"
}

func Render(format string, r *query.Result) (string, error) {
	write, err := query.Writer(format)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = write(&out, r)
	return out.String(), err
}
