package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/query"
)

// compile runs pdflatex on a document of the files. Tests are skipped where there is none.
func compile(t *testing.T, files map[string][]byte) {
	t.Helper()
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here")
	}
	dir := t.TempDir()
	document := "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,longtable,graphicx}\n\\begin{document}\n"
	var names []string
	for name, text := range files {
		names = append(names, name)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		document += "\\input{" + name + "}\n\\clearpage\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "paper.tex"), []byte(document+"\\end{document}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "paper.tex")
	cmd.Dir = dir
	log, err := cmd.CombinedOutput()
	if err != nil {
		_, fault, _ := strings.Cut(string(log), ".tex:")
		t.Fatalf("%v: %.600s", err, fault)
	}
}

// TestLaTeX: what reports write for LaTeX compiles, all of it in one document.
func TestLaTeX(t *testing.T) {
	files := map[string][]byte{}
	for _, e := range examples {
		for name, text := range built(t, e.name) {
			if filepath.Ext(name) == ".tex" {
				files[e.name+"-"+name] = text
			}
		}
	}
	compile(t, files)
}

// TestLaTeXOfAnyText: so does what kifu query writes, whatever is in the names.
func TestLaTeXOfAnyText(t *testing.T) {
	r := query.NewResult([]query.Column{{Name: "player_name & #", Type: "VARCHAR"}, {Name: "± [%]", Type: "DOUBLE"}}, [][]any{
		{"O'Kelly_de~Galway {x} \\y ^2 $5 100 % <a|b>", -1.5},
		{"[Müller] Łódź Ståhlberg Şimşek Dvořák Ağ ő", nil},
		{"a\nb\rc “quoted” – — … ≥ ≤ ≠ ± − × · → ′ ² ½ σ\u00a0\u2009x", 2.0},
		{"", 1e300},
	})
	text, err := render("latex", r)
	if err != nil {
		t.Fatal(err)
	}
	compile(t, map[string][]byte{"names.tex": []byte(text)})
}
