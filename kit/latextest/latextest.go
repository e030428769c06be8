// Package latextest compiles what is written for LaTeX.
package latextest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/kit/slow"
)

// Article is the class article with options (such as twocolumn).
func Article(options string) Class { return Class{Name: "article", Options: options} }

// Class is a class of papers.
type Class struct {
	Name, Options string
	needs         []string // files of a distribution
}

// aaai replaces the class of AAAI, which is in no distribution: two columns of 3.3 inches
// with 0.375 between them in ten-point Times, as its instructions for authors have them.
const aaai = `\NeedsTeXFormat{LaTeX2e}
\ProvidesClass{aaailike}
\LoadClass[letterpaper,twocolumn,10pt]{article}
\renewcommand{\rmdefault}{ptm}
\setlength{\textwidth}{7in}\setlength{\columnsep}{0.375in}\setlength{\textheight}{9in}
\setlength{\oddsidemargin}{-0.25in}\setlength{\evensidemargin}{-0.25in}\setlength{\topmargin}{-0.5in}
`

// Papers are classes that papers are written in: AAAI's (in its measures), Springer's LNCS, IEEE's.
func Papers() []Class {
	times := []string{"ptmr7t.tfm", "ptmr8t.tfm"} // Debian: texlive-fonts-recommended, and the classes in texlive-publishers
	return []Class{{"aaailike", "", times}, {"llncs", "", nil}, {"IEEEtran", "conference", times}}
}

// Compile runs pdflatex on a paper of the class that inputs the .tex files in the order of
// their names, with the other files next to them, and returns what it prints at its second run, when labels are
// known. The test is skipped where there is no pdflatex, or not the class, and where slow tests are not asked for.
func Compile(t *testing.T, class Class, files map[string][]byte) string {
	t.Helper()
	slow.Test(t, "runs pdflatex")
	program, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here")
	}
	dir := t.TempDir()
	document := "\\documentclass[" + class.Options + "]{" + class.Name + "}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,graphicx,longtable}\n\\begin{document}\n"
	var names []string
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("aaailike.cls", []byte(aaai))
	for name, text := range files {
		if filepath.Ext(name) == ".tex" {
			names = append(names, name)
		}
		write(name, text)
	}
	slices.Sort(names)
	for _, name := range names {
		document += "\\input{" + name + "}\n\\clearpage\n"
	}
	write("paper.tex", []byte(document+"\\end{document}\n"))
	for _, needed := range append([]string{class.Name + ".cls"}, class.needs...) {
		find := exec.Command("kpsewhich", needed)
		find.Dir = dir
		if out, err := find.Output(); err != nil || len(out) == 0 {
			t.Skipf("no %s here", needed)
		}
	}
	var log []byte
	for range 2 { // labels are known, and compared, at the second run
		cmd := exec.Command(program, "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "paper.tex")
		cmd.Dir = dir
		if log, err = cmd.CombinedOutput(); err != nil {
			fault := string(log[max(0, len(log)-600):])
			if _, where, found := strings.Cut(string(log), ".tex:"); found {
				fault = where
			}
			t.Fatalf("%v: %.600s", err, fault)
		}
		if !strings.Contains(string(log), "Rerun") && !strings.Contains(string(log), "No file paper.aux") {
			break
		}
	}
	return string(log)
}
