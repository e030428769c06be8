package reporttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Compile runs pdflatex on a document of the files and returns what it prints. Tests are
// skipped where there is none.
func Compile(t *testing.T, files map[string][]byte) string {
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
	return string(log)
}
