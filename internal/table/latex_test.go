package table_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/internal/table/latextest"
)

// TestLaTeXOfAnyText: what is written for LaTeX compiles, whatever is in the names.
func TestLaTeXOfAnyText(t *testing.T) {
	head := []table.Cell{table.Text("player_name & #"), table.Number("± [%]")}
	var out bytes.Buffer
	err := table.WriteLaTeX(&out, head, func(row func([]string) error) error {
		for _, cells := range [][]string{
			{"O'Kelly_de~Galway {x} \\y ^2 $5 100 % <a|b>", "-1.5"},
			{"[Müller] Łódź Ståhlberg Şimşek Dvořák Ağ ő", "--"},
			{"a\nb\rc “quoted” – — … ≥ ≤ ≠ ± − × · → ′ ² ½ σ\u00a0\u2009x", "2"},
			{"", "1e300"},
		} {
			if err := row(cells); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	latextest.Compile(t, "", map[string][]byte{"names.tex": out.Bytes()})
}

// long is a table of n rows and 4 fits of three columns each.
func long(n int) table.Table {
	all := table.Table{Name: "long", Caption: "Four fits", Keys: 2, Group: 3, Head: []table.Cell{table.Text("term"), table.Number("before")}}
	for i := range 4 {
		for j, name := range []string{"fit", "± s.e.", "z"} {
			if j == 0 {
				name += strconv.Itoa(i)
			}
			all.Head = append(all.Head, table.Number(name))
		}
	}
	for i := range n {
		row := []string{fmt.Sprintf("isolated pawns of %d", i), "−15"}
		for range 4 {
			row = append(row, "−12.34", "0.56", "−22.0")
		}
		all.Rows = append(all.Rows, row)
	}
	return all
}

// TestLongLaTeX: a table of many rows and columns goes over pages in parts no wider than the
// text, in papers of one column and of two; together the parts have every cell once.
func TestLongLaTeX(t *testing.T) {
	for rows, parts := range map[int]int{40: 1, 120: 2 * 3, 1000: 2 * 25} {
		text := long(rows).LaTeX("fits")
		if n := strings.Count(text, "\\begin{tabular}"); n != parts {
			t.Errorf("%d rows: %d tables, want %d", rows, n, parts)
		}
		across := min(parts, 2)
		down := parts / across
		for _, name := range []string{"fit0", "fit1", "fit2", "fit3"} {
			if strings.Count(text, name+" &") != down {
				t.Errorf("%d rows: %s is there %d times, want %d", rows, name, strings.Count(text, name+" &"), down)
			}
		}
		if n := strings.Count(text, "isolated pawns of 7 &"); n != across {
			t.Errorf("%d rows: the eighth is there %d times, want %d", rows, n, across)
		}
		for _, options := range []string{"", "twocolumn"} {
			if _, fault, found := strings.Cut(latextest.Compile(t, options, map[string][]byte{"long.tex": []byte(text)}), "Overfull"); found {
				t.Errorf("%d rows, %q: wider than the text: Overfull%.80s", rows, options, fault)
			}
		}
	}
}

// TestLabels: tables of one name in two reports have different labels, and so have the parts
// of a long one.
func TestLabels(t *testing.T) {
	seen := map[string]bool{}
	for _, report := range []string{"curve", "curve-2", "fits"} {
		d := table.Document{Title: report, Tables: []table.Table{long(50), {Name: report, Caption: "itself", Head: []table.Cell{table.Text("x")}, Rows: [][]string{{"1"}}}}}
		for _, label := range regexp.MustCompile(`\\label\{[^}]*\}`).FindAllString(d.LaTeX(report), -1) {
			if seen[label] {
				t.Errorf("%s is there twice", label)
			}
			seen[label] = true
		}
	}
	if !seen[`\label{tab:fits-long}`] || !seen[`\label{tab:fits}`] {
		t.Errorf("labels are not those of the report and its table: %v", seen)
	}
}

// TestForms: the three forms of one table.
func TestForms(t *testing.T) {
	small := table.Table{Name: "s", Caption: "Small", Head: []table.Cell{table.Text("name"), table.Number("count")}, Rows: [][]string{{"a|b", "12"}, {"two\nlines", "-3"}}}
	if got, want := small.Markdown(), "**Small**\n\n| name | count |\n| --- | ---: |\n| a\\|b | 12 |\n| two lines | -3 |\n"; got != want {
		t.Errorf("Markdown\n%swant\n%s", got, want)
	}
	if got, want := small.Plain(), "name        count\n──────────  ─────\na|b            12\ntwo\\nlines     -3\n"; got != want {
		t.Errorf("plain\n%swant\n%s", got, want)
	}
	if got := small.LaTeX("r"); !strings.Contains(got, "two lines & $-$3 \\\\\n\\bottomrule") || !strings.Contains(got, "\\begin{table}\n") {
		t.Errorf("LaTeX\n%s", got)
	}
}

// TestHostileCells: what stands in a cell is text in every form, whatever it is: it steers no
// terminal, runs nothing in LaTeX, and is no link, image or HTML in Markdown.
func TestHostileCells(t *testing.T) {
	hostile := table.Table{Name: "s", Caption: "Small", Head: []table.Cell{table.Text("name")}, Rows: [][]string{
		{"\x1b]0;x\x07\u009b2J\u202elive"}, {`\input{/etc/passwd}`}, {"![x](http://x/x.png) [y](javascript:z)"}, {"<script>z</script> < 3"},
	}}
	for form, text := range map[string]string{"plain": hostile.Plain(), "Markdown": hostile.Markdown(), "LaTeX": hostile.LaTeX("r")} {
		for _, bad := range []string{"\x1b", "\x07", "\u009b", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", form, bad)
			}
		}
	}
	if text := hostile.LaTeX("r"); strings.Contains(text, `\input`) {
		t.Error(text)
	}
	if text := hostile.Markdown(); strings.Contains(text, "](") || strings.Contains(text, "<script") || strings.Contains(text, "</") || !strings.Contains(text, " < 3 |") {
		t.Error(text)
	}
}
