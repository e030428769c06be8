package reporttest

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/internal/human"
	"kifu/kit/browser"
)

// Whole writes a whole number as pages do.
func Whole(v float64) string { return human.Grouped(int64(v)) }

// numbers are the ones that the page must show.
func (e *Example) numbers(t *testing.T) (all []string) {
	t.Helper()
	report, _, _ := strings.Cut(e.Name, "-")
	rows, err := csv.NewReader(bytes.NewReader(e.Files(t)[report+".csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		number, shown := "", e.Page.Where == ""
		for i, head := range rows[0] {
			if head == e.Page.Column {
				number = row[i]
			}
			shown = shown || head == e.Page.Where && row[i] == e.Page.Is
		}
		if !shown || number == "" {
			continue
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Page.Write(v))
	}
	if len(all) == 0 {
		t.Error("no number to look for")
	}
	return all
}

// page opens the page of a report in a browser: no error on the console; every
// button has its line and the CSV's numbers are there; the mouse and the keyboard work
// it; nothing is cut off, laid over something else, too faint, or wider than a phone.
func (e *Example) page(t *testing.T) {
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, e.Files(t)["index.html"], 0o666); err != nil {
		t.Fatal(err)
	}
	b := browser.Start(t)
	b.Size(1200, 900, "light")
	b.Open(file)
	b.Eval(browser.Checks)
	none := func(where string, checks ...string) {
		t.Helper()
		for _, check := range checks {
			if found := b.Eval("[...new Set(" + check + "())].slice(0, 5).join(' | ')"); found != "" {
				t.Errorf("%s, %s: %s", where, check, found)
			}
		}
	}
	if e.Page.Write != nil {
		text := b.Eval("document.body.textContent")
		for _, n := range e.numbers(t) {
			if !strings.Contains(text, n) {
				t.Errorf("the page lacks %q", n)
			}
		}
	}
	none("1200 wide", "strayLines")
	operate(t, b)
	b.Eval("document.querySelectorAll('details').forEach(d => d.open = true)")
	none("1200 wide", "cutText", "wide", "squeezed", "faintText")
	b.Size(1200, 900, "dark")
	none("dark", "faintText")
	b.Size(375, 800, "light")
	none("a phone", "cutText", "wide", "squeezed")
	if wrong := b.Errors(); len(wrong) > 0 {
		t.Errorf("the console has errors: %s", strings.Join(wrong, "; "))
	}
}

// operate works the first control of every kind by mouse and by keyboard.
func operate(t *testing.T, b *browser.Page) {
	t.Helper()
	is := func(what, expression, want string) {
		t.Helper()
		if got := b.Eval(expression); got != want {
			t.Errorf("%s: %s is %q, want %q", what, expression, got, want)
		}
	}
	// From the top of the page the tabulator reaches every control.
	all := "[...document.querySelectorAll('a, button, select, summary, svg[tabindex]')].filter(e => e.getClientRects().length > 0 && !e.closest('details:not([open]) > :not(summary)'))"
	n, _ := strconv.Atoi(b.Eval(all + ".length"))
	b.Eval("window.reached = new Set(); document.addEventListener('focusin', e => reached.add(e.target))")
	tables, _ := strconv.Atoi(b.Eval("document.querySelectorAll('.scroll').length")) // a stop each where they scroll
	for range min(n, 25) + tables {
		b.Press("Tab")
	}
	is("Tab", fmt.Sprintf("%s.slice(0, %d).filter(e => !reached.has(e)).map(e => e.outerHTML.slice(0, 80)).join()", all, min(n, 20)), "")
	if b.Eval("document.querySelectorAll('.legend button').length > 0") == "true" {
		off := "document.querySelectorAll('svg.wide g.series.off').length"
		b.Click(".legend button")
		is("a click", off, "1")
		b.Eval("document.querySelector('.legend button').focus()")
		b.Press(" ")
		is("the space bar", off, "0")
		b.Press("Enter")
		is("Enter", off, "1")
		b.Press("Enter")
	}
	if b.Eval("document.querySelectorAll('svg.wide[data-frame] .dot').length > 0") == "true" {
		b.Eval("document.querySelector('svg.wide[data-frame]').focus()")
		b.Press("End")
		is("End", "[...document.querySelectorAll('.readout')].filter(r => r.textContent).length", "1")
		b.Eval("document.activeElement.blur()")
	}
	is("summaries", "document.querySelectorAll('summary').length > 0", "true")
	open := "document.querySelectorAll('details[open]').length"
	before := b.Eval(open)
	b.Eval("document.querySelector('summary').focus()")
	b.Press("Enter")
	if b.Eval(open) == before {
		t.Error("Enter neither opens nor closes")
	}
	b.Press("Enter")
}
