package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/internal/human"
)

// Document holds the texts and tables of a report, without its pictures.
type Document struct {
	Title  string   `json:"title,omitempty"`
	Lead   string   `json:"lead,omitempty"` // one sentence under the title
	Tables []Table  `json:"tables,omitempty"`
	Notes  []string `json:"notes,omitempty"` // how the numbers came about, a sentence or two each
}

// JSON is the document as data: NAME.json of a report, which ParseDocument reads. It panics
// at a row that has not as many cells as the head.
func (d Document) JSON() []byte {
	d.Tables = slices.Clone(d.Tables)
	for i, t := range d.Tables {
		if t.Rows == nil {
			d.Tables[i].Rows = [][]string{} // a list, not null
		}
	}
	if err := d.check(); err != nil {
		panic(err)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		panic(err) // texts and numbers always have a form
	}
	return out.Bytes()
}

// mostPlain is how many rows of a table are printed on a terminal.
const mostPlain = 30

// Plain is the lead with some of the tables below it, for a terminal; of a long table the first rows.
func (d Document) Plain(tables ...int) string {
	text := "  " + d.Lead + "\n"
	for _, i := range tables {
		t := d.Tables[i]
		more := len(t.Rows) - mostPlain
		if more > 0 {
			t.Rows = t.Rows[:mostPlain]
		}
		text += "\n" + t.Caption + "\n" + t.Plain()
		if more > 0 {
			text += fmt.Sprintf("… and %s more in the report\n", human.Plural(int64(more), "row", "rows"))
		}
	}
	return text
}

// ParseDocument reads what JSON returns. Unknown keys and rows that are longer or shorter
// than the head are errors.
func ParseDocument(data []byte) (Document, error) {
	var d Document
	r := json.NewDecoder(bytes.NewReader(data))
	r.DisallowUnknownFields()
	if err := r.Decode(&d); err != nil {
		return Document{}, err
	}
	return d, d.check()
}

// check returns the error for a row that has not as many cells as the head.
func (d Document) check() error {
	for _, t := range d.Tables {
		for i, row := range t.Rows {
			if len(row) != len(t.Head) {
				return fmt.Errorf("table %q: row %d has %d cells, the head %d", t.Caption, i+1, len(row), len(t.Head))
			}
		}
	}
	return nil
}

// Markdown is the document as a text.
func (d Document) Markdown() string {
	var out strings.Builder
	out.WriteString("# " + d.Title + "\n\n" + d.Lead + "\n")
	for _, t := range d.Tables {
		out.WriteString("\n" + t.Markdown())
	}
	out.WriteString("\n")
	for _, n := range d.Notes {
		out.WriteString("- " + n + "\n")
	}
	return out.String()
}

// LaTeX is the tables of the document, for \input; title and notes are comments.
func (d Document) LaTeX(report string, p Paper) string {
	var out strings.Builder
	out.WriteString(d.preamble(p))
	for _, t := range d.Tables {
		out.WriteString("\n" + t.LaTeX(report, p))
	}
	out.WriteString(d.comments())
	return out.String()
}

// OneLaTeX is table i of the document alone, as LaTeX has it.
func (d Document) OneLaTeX(report string, p Paper, i int) string {
	return d.preamble(p) + "\n" + d.Tables[i].LaTeX(report, p) + d.comments()
}

// preamble lists the LaTeX packages that a paper needs.
func (d Document) preamble(p Paper) string {
	packages := "booktabs,graphicx"
	if p.Long {
		packages += ",longtable"
	}
	return "% " + comment(d.Title) + "\n% needs \\usepackage{" + packages + "}, and \\usepackage[T1]{fontenc} for names with accents;\n% names in scripts that are not Latin: XeLaTeX or LuaLaTeX with a font that has them\n"
}

// comments are the notes, which a paper does not show.
func (d Document) comments() string {
	text := "\n% Notes\n"
	for _, n := range d.Notes {
		text += "% " + comment(n) + "\n"
	}
	return text
}

// comment keeps a text on its line.
func comment(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}
