package page

import (
	"strings"

	"kifu/report/table"
)

// Document is what a report says, besides its pictures.
type Document struct {
	Title  string
	Lead   string // one sentence under the title
	Tables []table.Table
	Notes  []string // how the numbers came about, a sentence or two each
}

func (d Document) markdown() ([]byte, error) {
	var out strings.Builder
	out.WriteString("# " + d.Title + "\n\n" + d.Lead + "\n")
	for _, t := range d.Tables {
		text, err := t.Markdown()
		if err != nil {
			return nil, err
		}
		out.WriteString("\n" + text)
	}
	out.WriteString("\n")
	for _, n := range d.Notes {
		out.WriteString("- " + n + "\n")
	}
	return []byte(out.String()), nil
}

func (d Document) LaTeX() ([]byte, error) {
	var out strings.Builder
	out.WriteString("% " + d.Title + "\n% needs \\usepackage{booktabs,longtable,graphicx}, and \\usepackage[T1]{fontenc} for names with accents;\n% names in scripts that are not Latin: XeLaTeX or LuaLaTeX with a font that has them\n")
	for _, t := range d.Tables {
		text, err := t.LaTeX()
		if err != nil {
			return nil, err
		}
		out.WriteString("\n" + text)
	}
	out.WriteString("\n% Notes\n")
	for _, n := range d.Notes {
		out.WriteString("% " + strings.ReplaceAll(n, "\n", " ") + "\n")
	}
	return []byte(out.String()), nil
}
