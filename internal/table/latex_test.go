package table_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/kit/latextest"
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
	latextest.Compile(t, latextest.Article(""), map[string][]byte{"names.tex": out.Bytes()})
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
	for rows, parts := range map[int]int{40: 1, 120: 2 * 3, 400: 2 * 10} {
		text := long(rows).LaTeX("fits", table.Paper{})
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
			if _, fault, found := strings.Cut(latextest.Compile(t, latextest.Article(options), map[string][]byte{"long.tex": []byte(text)}), "Overfull"); found {
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
		for _, label := range regexp.MustCompile(`\\label\{[^}]*\}`).FindAllString(d.LaTeX(report, table.Paper{}), -1) {
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

// narrow and wide are tables that fit in a column of two, and that do not.
var (
	narrow = table.Table{Name: "narrow", Caption: "Two columns", Head: []table.Cell{table.Text("term"), table.Number("weight")}, Rows: [][]string{{"isolated pawns", "-12.34"}}}
	wide   = table.Table{Name: "wide", Caption: "Ten columns", Head: make([]table.Cell, 10), Rows: [][]string{slices.Repeat([]string{"12,345,678"}, 10)}}
)

// TestPapers: tables of two reports of a kind compile in the classes of papers, none is wider than
// the text, and no label is there twice.
func TestPapers(t *testing.T) {
	d := table.Document{Title: "Fits", Tables: []table.Table{narrow, wide, long(50)}}
	for _, class := range latextest.Papers() {
		t.Run(class.Name, func(t *testing.T) {
			files := map[string][]byte{}
			for _, prefix := range []string{"chess", "go"} {
				p := table.Paper{Prefix: prefix}
				if class.Name == "llncs" {
					p.Columns, p.Long = 1, true
				}
				for i := range d.Tables {
					files[p.Label("fits", d.Tables[i])+".tex"] = []byte(d.OneLaTeX("fits", p, i))
				}
			}
			log := latextest.Compile(t, class, files)
			for _, fault := range []string{"Overfull", "multiply defined", "multiply-defined"} {
				if _, where, found := strings.Cut(log, fault); found {
					t.Errorf("%s%.100s", fault, where)
				}
			}
		})
	}
}

// TestPaper: what is asked of tables for a paper.
func TestPaper(t *testing.T) {
	for _, c := range []struct {
		table table.Table
		paper table.Paper
		want  string
	}{
		{narrow, table.Paper{}, `\begin{table}`},
		{wide, table.Paper{}, `\begin{table*}`},
		{wide, table.Paper{Columns: 2}, `\begin{table*}`},
		{wide, table.Paper{Columns: 1}, `\begin{table}`},
		{long(50), table.Paper{Columns: 1}, `\begin{table}`},
		{long(50), table.Paper{Columns: 1, Long: true}, `\begin{longtable}`},
		{narrow, table.Paper{Columns: 1, Long: true}, `\begin{table}`},
		{narrow, table.Paper{Prefix: "chess"}, `\label{tab:chess-narrow}`},
		{narrow, table.Paper{}, `\label{tab:fits-narrow}`},
		{table.Table{Name: "fits-all", Head: narrow.Head}, table.Paper{Prefix: "chess"}, `\label{tab:chess-all}`},
		{table.Table{Name: "fits", Head: narrow.Head}, table.Paper{Prefix: "chess"}, `\label{tab:chess}`},
	} {
		text := c.table.LaTeX("fits", c.paper)
		if !strings.Contains(text, c.want) || strings.Count(text, `\begin{longtable}`) > 2 || !c.paper.Long && strings.Contains(text, "longtable") {
			t.Errorf("%s, %+v: no %s in\n%.300s", c.table.Name, c.paper, c.want, text)
		}
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
	if got := small.LaTeX("r", table.Paper{}); !strings.Contains(got, "two lines & $-$3 \\\\\n\\bottomrule") || !strings.Contains(got, "\\begin{table}\n") {
		t.Errorf("LaTeX\n%s", got)
	}
}

// TestHostileCells: what stands in a cell is text in every form, whatever it is: it steers no
// terminal, runs nothing in LaTeX, and is no link, image or HTML in Markdown.
func TestHostileCells(t *testing.T) {
	hostile := table.Table{Name: "s", Caption: "Small", Head: []table.Cell{table.Text("name")}, Rows: [][]string{
		{"\x1b]0;x\x07\u009b2J\u202elive"}, {`\input{/etc/passwd}`}, {"![x](http://x/x.png) [y](javascript:z)"}, {"<script>z</script> < 3"},
	}}
	for form, text := range map[string]string{"plain": hostile.Plain(), "Markdown": hostile.Markdown(), "LaTeX": hostile.LaTeX("r", table.Paper{})} {
		for _, bad := range []string{"\x1b", "\x07", "\u009b", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %q", form, bad)
			}
		}
	}
	if text := hostile.LaTeX("r", table.Paper{}); strings.Contains(text, `\input`) {
		t.Error(text)
	}
	if text := hostile.Markdown(); strings.Contains(text, "](") || strings.Contains(text, "<script") || strings.Contains(text, "</") || !strings.Contains(text, " < 3 |") {
		t.Error(text)
	}
}
