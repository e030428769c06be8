package table

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"kifu/internal/human"
)

// EscapeLaTeX writes a text so that LaTeX prints it literally. Latin letters with any accents
// need UTF-8 and the encoding T1 (\usepackage[T1]{fontenc}), other scripts XeLaTeX or
// LuaLaTeX and a font that has them.
func EscapeLaTeX(text string) string {
	return latexSigns.Replace(human.Printable(strings.ReplaceAll(text, "\r", "")))
}

var latexSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "_", `\_`, "%", `\%`,
	"&", `\&`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "\n", " ", "\r", "",
	"≥", `$\ge$`, "≤", `$\le$`, "≠", `$\ne$`, "±", `$\pm$`, "\u00a0", "~", "−", `$-$`, "–", "--", "…", `\dots{}`,
	"·", `$\cdot$`, "×", `$\times$`, "→", `$\to$`, "′", `$'$`, "²", `$^2$`, "½", `$\frac12$`, "σ", `$\sigma$`, "Σ", `$\Sigma$`, "\u2009", `\,`)

// WriteLaTeX writes a table as a tabular with booktabs rules, row by row.
func WriteLaTeX(w io.Writer, head []Cell, rows Rows) error {
	if _, err := fmt.Fprint(w, "% \\usepackage{booktabs}\n"); err != nil {
		return err
	}
	escaped := heads(head)
	for i, h := range escaped {
		escaped[i] = EscapeLaTeX(h)
	}
	return writeTabular(w, head, escaped, rows)
}

// writeTabular writes the tabular under heads that are LaTeX already.
func writeTabular(w io.Writer, head []Cell, heads []string, rows Rows) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", alignment(head), latexLine(heads))
	err := rows(func(row []string) error {
		_, err := out.WriteString(latexLine(escapeRow(head, row)))
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprint(out, "\\bottomrule\n\\end{tabular}\n")
	return out.Flush()
}

// alignment sets numbers to the right.
func alignment(head []Cell) string {
	align := ""
	for _, h := range head {
		if h.Number {
			align += "r"
		} else {
			align += "l"
		}
	}
	return align
}

// escapeRow is a row for LaTeX, with minus signs before numbers.
func escapeRow(head []Cell, row []string) []string {
	cells := make([]string, len(head))
	for i, text := range row {
		if head[i].Number && strings.HasPrefix(text, "-") && text != "-" && text != "--" {
			text = "−" + text[1:]
		}
		cells[i] = EscapeLaTeX(text)
	}
	return cells
}

func latexLine(cells []string) string {
	text := strings.Join(cells, " & ")
	if strings.HasPrefix(text, "[") { // not the length that \\ may take
		text = "{}" + text
	}
	return text + " \\\\\n"
}

// longRows are more rows than go on a page of a paper, manyFloats more tables than LaTeX
// keeps until it finds room for them.
const longRows, manyFloats = 40, 12

// Paper sets how tables are printed in a paper. The zero value suits papers of one column and of two.
type Paper struct {
	// Prefix begins the labels, tab:PREFIX-NAME; empty: the name of the report. Reports of one kind in
	// one paper need different ones.
	Prefix  string `json:"label_prefix,omitempty"`
	Columns int    `json:"tex_columns,omitempty"` // of the paper; 1: no table is a table*, which floats over both of two
	Long    bool   `json:"longtable,omitempty"`   // tables of many rows are a longtable, which papers of one column alone can have
}

// Label is the label of table t of a report, without "tab:": the prefix and what of the table's name
// is not the report's.
func (p Paper) Label(report string, t Table) string {
	name := t.Name
	if name == report || strings.HasPrefix(name, report+"-") {
		name = strings.TrimPrefix(name, report)
	}
	return strings.Trim(cmp.Or(p.Prefix, report)+"-"+strings.Trim(name, "-"), "-")
}

// LaTeX is the table for a paper of one column or two: floats no wider than the text, with
// heads on several lines, each of at most longRows rows, or a longtable. A wide table spans both columns
// (table*, which in one column is a table); a long one that is too wide is cut at its groups.
func (t Table) LaTeX(report string, p Paper) string {
	name := p.Label(report, t)
	if len(t.Rows) <= longRows {
		return t.float(t.label(name, 0), "\\small", p)
	}
	var parts []string
	for _, part := range t.parts() {
		size := "\\small"
		if len(part.Head) > manyColumns || part.letters(0, len(part.Head)) > smallLetters {
			size = "\\tiny\\setlength{\\tabcolsep}{2pt}"
		}
		if p.Long {
			parts = append(parts, part.longtable(t.label(name, len(parts)), size))
			continue
		}
		for rows := range slices.Chunk(part.Rows, longRows) {
			page := part
			page.Rows = rows
			text := page.float(t.label(name, len(parts)), size, p)
			if len(parts) > 0 && len(parts)%manyFloats == 0 {
				text = "\\clearpage\n" + text
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// columnLetters is how many letters in \small go on a line of one of two columns.
const columnLetters = 40

// float is the table as it floats in a paper.
func (t Table) float(label, size string, p Paper) string {
	environment := "table"
	if p.Columns != 1 && t.letters(0, len(t.Head)) > columnLetters {
		environment = "table*"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\\begin{%s}\n\\centering%s\n%s\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%%\n", environment, size, label)
	if err := writeTabular(&out, t.Head, t.stacked(), t.Each); err != nil {
		panic(err) // a Builder takes everything
	}
	fmt.Fprintf(&out, "}\n\\end{%s}\n", environment)
	return out.String()
}

// longtable is the table on as many pages as it needs, with its head on each.
func (t Table) longtable(label, size string) string {
	var out strings.Builder
	head := latexLine(t.stacked())
	fmt.Fprintf(&out, "{%s\n\\begin{longtable}{%s}\n%s\\\\\n\\toprule\n%s\\midrule\n\\endfirsthead\n\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", size, alignment(t.Head), label, head, head)
	for _, row := range t.Rows {
		out.WriteString(latexLine(escapeRow(t.Head, row)))
	}
	out.WriteString("\\end{longtable}}\n")
	return out.String()
}

// label is the caption of part i, with the name to refer to.
func (t Table) label(name string, i int) string {
	caption := t.Caption
	if i > 0 {
		caption, name = caption+", continued", fmt.Sprintf("%s-%d", name, i+1)
	}
	return "\\caption{" + EscapeLaTeX(caption) + "}\\label{tab:" + name + "}"
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

// stacked are the heads of columns in LaTeX, broken into lines no longer than the column's
// cells or the longest word.
func (t Table) stacked() []string {
	cells := make([]string, len(t.Head))
	for i, h := range t.Head {
		widest := t.widest(i)
		lines := []string{""}
		for _, word := range strings.FieldsFunc(EscapeLaTeX(h.Text), func(r rune) bool { return r == ' ' }) {
			last := &lines[len(lines)-1]
			if *last != "" && utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) > widest {
				lines = append(lines, word)
				continue
			}
			*last = strings.TrimPrefix(*last+" "+word, " ")
		}
		cells[i] = lines[0]
		if len(lines) > 1 {
			side := "l"
			if h.Number {
				side = "r"
			}
			cells[i] = "\\shortstack[" + side + "]{" + strings.Join(lines, "\\\\") + "}"
		}
	}
	return cells
}
