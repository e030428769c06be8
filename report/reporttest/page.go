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
)

// Whole writes a whole number as pages do.
func Whole(v float64) string { return human.Grouped(int64(v)) }

// numbers are the ones that the page must say.
func (e *Example) numbers(t *testing.T) (all []string) {
	t.Helper()
	report, _, _ := strings.Cut(e.Name, "-")
	rows, err := csv.NewReader(bytes.NewReader(e.Files(t)[report+".csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		number, shown := "", e.Says.Where == ""
		for i, head := range rows[0] {
			if head == e.Says.Column {
				number = row[i]
			}
			shown = shown || head == e.Says.Where && row[i] == e.Says.Is
		}
		if !shown || number == "" {
			continue
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Says.Write(v))
	}
	if len(all) == 0 {
		t.Error("no number to look for")
	}
	return all
}

// faults looks for what a page may not have; each function gives a list of what it found.
const faults = `
const seen = e => e.getClientRects().length > 0;
const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const rgb = text => text.match(/[\d.]+/g).map(Number);
const behind = e => {
	for (; e; e = e.parentElement) {
		const c = rgb(getComputedStyle(e).backgroundColor);
		if (c.length < 4 || c[3] > 0) return c;
	}
};
const says = e => e.tagName !== 'title' && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
// Text that stands out too little from what is behind it (WCAG 2.1, 1.4.3).
const faintText = () => [...document.body.querySelectorAll('*')].filter(e => says(e) && seen(e) && !e.closest('script, style')).flatMap(e => {
	const style = getComputedStyle(e);
	const [a, b] = [luminance(rgb(e.namespaceURI.endsWith('svg') ? style.fill : style.color)), luminance(behind(e))].sort((x, y) => y - x);
	const contrast = (a + 0.05) / (b + 0.05);
	return contrast < 4.5 ? [contrast.toFixed(2) + ' ' + e.textContent.slice(0, 40)] : [];
});
// Text of a picture that lies outside of it, or on other text.
const cutText = () => [...document.querySelectorAll('svg.chart')].filter(seen).flatMap(svg => {
	const frame = svg.getBoundingClientRect();
	const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() && seen(t)).map(t => [t, t.getBoundingClientRect()]);
	return boxes.filter(([t, b]) => b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1)
		.map(([t]) => 'outside: ' + t.textContent)
		.concat(boxes.flatMap(([t, a], i) => boxes.slice(i + 1).filter(([, b]) =>
			a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4).map(([u]) => t.textContent + ' on ' + u.textContent)));
});
// Buttons without a line of theirs in every picture, and the other way round.
const strayLines = () => [...document.querySelectorAll('figure')].filter(f => f.querySelector('.legend')).flatMap(f => {
	const numbers = all => [...all].map(e => e.dataset.series).sort().join();
	const want = numbers(f.querySelectorAll('.legend button'));
	return [...f.querySelectorAll('svg.chart')].filter(svg => numbers(svg.querySelectorAll('g.series')) !== want ||
		[...svg.querySelectorAll('g.series')].some(g => !g.querySelector('.line, .dot'))).map(svg => svg.getAttribute('aria-label') + ' has not the lines ' + want);
});
// What is wider than the window, but for tables and code, which scroll by themselves.
const wide = () => document.documentElement.scrollWidth <= screen.width ? [] : ['the page, ' + document.documentElement.scrollWidth].concat([...document.body.querySelectorAll('*')]
	.filter(e => seen(e) && !e.closest('.scroll, pre') && e.getBoundingClientRect().right > screen.width + 1).map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.slice(0, 40)));
// Short texts on more than two lines though the table could scroll.
const squeezed = () => [...document.querySelectorAll('td')].filter(seen).filter(e => {
	const text = document.createRange();
	text.selectNodeContents(e);
	return e.textContent.length < 50 && text.getBoundingClientRect().height > 2.5 * parseFloat(getComputedStyle(e).lineHeight);
}).map(e => e.textContent);
`

// page opens the page of a report in a browser: no error on the console; every
// button has its line and the CSV's numbers are there; the mouse and the keyboard work
// it; nothing is cut off, laid over something else, too faint, or wider than a phone.
func (e *Example) page(t *testing.T) {
	b := openBrowser(t)
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, e.Files(t)["index.html"], 0o666); err != nil {
		t.Fatal(err)
	}
	b.Size(1200, 900, "light")
	b.open(file)
	b.Eval(faults)
	none := func(where string, checks ...string) {
		t.Helper()
		for _, check := range checks {
			if found := b.Eval("[...new Set(" + check + "())].slice(0, 5).join(' | ')"); found != "" {
				t.Errorf("%s, %s: %s", where, check, found)
			}
		}
	}
	if e.Says.Write != nil {
		text := b.Eval("document.body.textContent")
		for _, n := range e.numbers(t) {
			if !strings.Contains(text, n) {
				t.Errorf("the page lacks %q", n)
			}
		}
	}
	none("1200 wide", "strayLines")
	b.operate()
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
func (b *Page) operate() {
	b.t.Helper()
	is := func(what, expression, want string) {
		b.t.Helper()
		if got := b.Eval(expression); got != want {
			b.t.Errorf("%s: %s is %q, want %q", what, expression, got, want)
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
		b.t.Error("Enter neither opens nor closes")
	}
	b.Press("Enter")
}
