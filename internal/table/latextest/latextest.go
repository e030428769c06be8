// Package latextest compiles what is written for LaTeX.
package latextest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Compile runs pdflatex on an article with the options (such as twocolumn) that
// inputs the files in the order of their names, and returns what it prints. The
// test is skipped where there is no pdflatex.
func Compile(t *testing.T, options string, files map[string][]byte) string {
	t.Helper()
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here")
	}
	dir := t.TempDir()
	document := "\\documentclass[" + options + "]{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\n"
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
	return string(log)
}
