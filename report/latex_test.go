package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/query"
)

// compile runs pdflatex on a document of the files and returns what it prints. Tests are
// skipped where there is none.
func compile(t *testing.T, files map[string][]byte) string {
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

// TestLongLaTeX: a table of many rows and columns runs over pages, in parts no wider than
// the text which have every column once.
func TestLongLaTeX(t *testing.T) {
	long := table{Name: "long", Caption: "Four fits", Keys: 2, Group: 3, Head: []cell{{"term", false}, {"before", true}}}
	for i := range 4 {
		for j, name := range []string{"fit", "± s.e.", "z"} {
			if j == 0 {
				name += strconv.Itoa(i)
			}
			long.Head = append(long.Head, cell{name, true})
		}
	}
	for i := range 3 * longRows {
		row := []string{fmt.Sprintf("isolated pawns of %d", i), "−15"}
		for range 4 {
			row = append(row, "−12.34", "0.56", "−22.0")
		}
		long.Rows = append(long.Rows, row)
	}
	for rows, want := range map[int]int{longRows: 0, 3 * longRows: 2} {
		some := long
		some.Rows = long.Rows[:rows]
		text, err := some.latex()
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(text, "\\begin{longtable}"); n != want {
			t.Errorf("%d rows: %d long tables, want %d", rows, n, want)
		}
		for _, name := range []string{"fit0", "fit1", "fit2", "fit3"} {
			if strings.Count(text, name) != 1 {
				t.Errorf("%d rows: %s is not there once", rows, name)
			}
		}
		if n := strings.Count(text, "isolated pawns of 7 &"); n != max(1, want) {
			t.Errorf("%d rows: the eighth is there %d times", rows, n)
		}
		if _, fault, found := strings.Cut(compile(t, map[string][]byte{"long.tex": []byte(text)}), "Overfull"); found {
			t.Errorf("%d rows: wider than the text: Overfull%.80s", rows, fault)
		}
	}
}
