package table_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"kifu/query"
	"kifu/report/reporttest"
	"kifu/report/table"
)

// TestLaTeXOfAnyText: so does what kifu query writes, whatever is in the names.
func TestLaTeXOfAnyText(t *testing.T) {
	r := query.NewResult([]query.Column{{Name: "player_name & #", Type: "VARCHAR"}, {Name: "± [%]", Type: "DOUBLE"}}, [][]any{
		{"O'Kelly_de~Galway {x} \\y ^2 $5 100 % <a|b>", -1.5},
		{"[Müller] Łódź Ståhlberg Şimşek Dvořák Ağ ő", nil},
		{"a\nb\rc “quoted” – — … ≥ ≤ ≠ ± − × · → ′ ² ½ σ\u00a0\u2009x", 2.0},
		{"", 1e300},
	})
	text, err := table.Render("latex", r)
	if err != nil {
		t.Fatal(err)
	}
	reporttest.Compile(t, map[string][]byte{"names.tex": []byte(text)})
}

// TestLongLaTeX: a table of many rows and columns runs over pages, in parts no wider than
// the text which have every column once.
func TestLongLaTeX(t *testing.T) {
	long := table.Table{Name: "long", Caption: "Four fits", Keys: 2, Group: 3, Head: []table.Cell{table.Text("term"), table.Number("before")}}
	for i := range 4 {
		for j, name := range []string{"fit", "± s.e.", "z"} {
			if j == 0 {
				name += strconv.Itoa(i)
			}
			long.Head = append(long.Head, table.Number(name))
		}
	}
	for i := range 3 * 40 {
		row := []string{fmt.Sprintf("isolated pawns of %d", i), "−15"}
		for range 4 {
			row = append(row, "−12.34", "0.56", "−22.0")
		}
		long.Rows = append(long.Rows, row)
	}
	for rows, want := range map[int]int{40: 0, 3 * 40: 2} {
		some := long
		some.Rows = long.Rows[:rows]
		text, err := some.LaTeX()
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
		if _, fault, found := strings.Cut(reporttest.Compile(t, map[string][]byte{"long.tex": []byte(text)}), "Overfull"); found {
			t.Errorf("%d rows: wider than the text: Overfull%.80s", rows, fault)
		}
	}
}
