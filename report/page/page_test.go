package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/internal/table"
	"kifu/kit/browser"
)

// TestWideTable: of a table with as many intervals as that of splits no column is hidden at
// 1,280 pixels, and the line of a number is broken between it and its interval alone.
func TestWideTable(t *testing.T) {
	wide := table.Table{Head: []table.Cell{table.Number("#"), table.Text("condition"), table.Text("curve"), table.Number("positions"), table.Number("games"),
		table.Number("gap (95 %)"), table.Number("at"), table.Number("mean gap"), table.Number("feature weight"),
		table.Number("held-out log-loss reduction, 1e-4"), table.Number("p, adjusted")},
		Rows: [][]string{{"1", "black_pawns ≤ 4 AND material_difference ≥ 1", "steeper", "14,090", "1,786", "+108 (+140 to +176)", "−125",
			"+93 (+154 to +131)", "−150 (−214 to −187)", "−14.80 (−147.08 to +137.48)", "≤ 0.005"}}}
	page, err := Section{Document: table.Document{Title: "Splits", Tables: []table.Table{wide}}}.html()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	b := browser.OpenPage(t, file)
	b.Size(1280, 900, "light")
	for expression, want := range map[string]string{
		"document.querySelector('.scroll').scrollWidth <= document.querySelector('.scroll').clientWidth":           "true",
		"[...document.querySelectorAll('td.n span')].every(s => s.getClientRects().length == 1)":                   "true",
		"[...document.querySelectorAll('td')].map(d => d.textContent)[5]":                                          "+108 (+140 to +176)",
		"[...document.querySelectorAll('td')].filter(d => d.textContent == '≤ 0.005')[0].getClientRects().length":  "1",
		"document.documentElement.scrollWidth <= 1280 && document.querySelectorAll('td.n span').length.toString()": "8",
	} {
		if got := b.Eval(expression); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
}

// TestNotes: five sentences stay open, the others are folded, and a long first note stays.
func TestNotes(t *testing.T) {
	for notes, open := range map[string]int{"": 0, "A. B. C. D. E. F.": 1, "A 1.5 b. B.|C. D.|E.": 3, "A. B.|C. D.|E. F.|G.": 2} {
		list := strings.FieldsFunc(notes, func(r rune) bool { return r == '|' })
		page, err := Section{Document: table.Document{Notes: list}}.html()
		if err != nil {
			t.Fatal(err)
		}
		if got := first(list); got != open || strings.Contains(string(page), "<summary>Methods") != (open < len(list)) {
			t.Errorf("%q: %d open, want %d", notes, got, open)
		}
	}
}
