package table

import "strings"

// Document is what a report says, besides its pictures.
type Document struct {
	Title  string   `json:"title"`
	Lead   string   `json:"lead"` // one sentence under the title
	Tables []Table  `json:"tables"`
	Notes  []string `json:"notes"` // how the numbers came about, a sentence or two each
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

// LaTeX is the tables of the document, for \input; title and notes are comments. Labels are
// tab:PREFIX-NAME.
func (d Document) LaTeX(prefix string) string {
	var out strings.Builder
	out.WriteString("% " + d.Title + "\n% needs \\usepackage{booktabs,graphicx}, and \\usepackage[T1]{fontenc} for names with accents;\n% names in scripts that are not Latin: XeLaTeX or LuaLaTeX with a font that has them\n")
	for _, t := range d.Tables {
		out.WriteString("\n" + t.LaTeX(prefix))
	}
	out.WriteString("\n% Notes\n")
	for _, n := range d.Notes {
		out.WriteString("% " + strings.ReplaceAll(n, "\n", " ") + "\n")
	}
	return out.String()
}
