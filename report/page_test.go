package report

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
)

// pageOf writes index.html of a report where a browser finds it.
func pageOf(t *testing.T, run func(out *datasets.Builder) error) string {
	t.Helper()
	dir := t.TempDir()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "report", Output: "report/v1", Params: 1,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error { return run(out) }}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "index.html")
}

// TestPageInABrowser: no error on the console; series and numbers are there; the mouse and
// the keyboard switch lines and read values; other bins and draws are what the report of
// these says; nothing is wider than a phone; dark is dark.
func TestPageInABrowser(t *testing.T) {
	d := writeLabels(t, t.TempDir(), committed(t), nil)
	p := CurveParams{When: when, MinCount: 30, Sources: []string{"labels"}}
	b := openPage(t, pageOf(t, func(out *datasets.Builder) error { return Curve(context.Background(), p, []*datasets.Dir{d}, out) }))
	b.size(1200, 900, "light")
	c := mustAsk(t, p, d)
	is := func(what, expression, want string) {
		t.Helper()
		if got := b.eval(expression); got != want {
			t.Errorf("%s: %s is %q, want %q", what, expression, got, want)
		}
	}
	const wide = "document.querySelector('svg.wide')"
	is("series", wide+".querySelectorAll('g.series').length", "4")
	is("numbers", "document.querySelectorAll('#curves ~ .scroll tbody tr').length >= 3", "true")
	is("values", wide+".querySelectorAll('g[data-series=\"0\"] .dot').length", fmt.Sprint(len(c.Curves[0].Bins)))

	shown := "getComputedStyle(" + wide + ".querySelector('g[data-series=\"1\"]')).display"
	is("before the click", shown, "inline")
	b.click("button[data-series='1']")
	is("after the click", shown, "none")
	is("to a screen reader", "document.querySelector('button[data-series=\"1\"]').getAttribute('aria-pressed')", "false")
	b.eval("document.querySelector('button[data-series=\"1\"]').focus()")
	b.press(" ")
	is("after the space bar", shown, "inline")

	b.eval(wide + ".focus()")
	b.press("End")
	last := c.Curves[0].Bins[len(c.Curves[0].Bins)-1]
	is("End", "document.querySelector('.readout').textContent.split('\\n')[0]", c.describe(c.Curves[0], last, ""))
	is("the line at the value", wide+".querySelectorAll('.hair').length", "1")
	b.click("svg.wide")
	is("under the mouse", "document.querySelector('.readout').textContent.startsWith('total at ')", "true")

	half := mustAsk(t, CurveParams{When: when, MinCount: 30, Draws: DrawsHalf, Bin: 50}, d)
	b.eval(`for (const [name, value] of [['draws', 'half a win'], ['bin', '50 centipawns']]) {
		const s = document.querySelector('select[name=' + name + ']'); s.value = value; s.dispatchEvent(new Event('change')); }`)
	var want []string
	for _, x := range half.Curves[1].Bins {
		if first := c.chart(); x.V < first.XMin || x.V > first.XMax {
			continue
		}
		want = append(want, half.describe(half.Curves[1], x, ""))
	}
	is("half and 50", "[..."+wide+".querySelectorAll('g[data-series=\"1\"] title')].map(t => t.textContent).join('|')", strings.Join(want, "|"))
	before := b.eval(wide + ".querySelector('g[data-series=\"0\"] .line').getAttribute('d')")
	b.eval(`for (const [name, value] of [['draws', 'left out'], ['bin', '25 centipawns']]) {
		const s = document.querySelector('select[name=' + name + ']'); s.value = value; s.dispatchEvent(new Event('change')); }`)
	after := b.eval(wide + ".querySelector('g[data-series=\"0\"] .line').getAttribute('d')")
	if before == after || !strings.Contains(string(c.chart().svg(plainNumber)), after) {
		t.Errorf("the script draws %q where the report draws otherwise", after)
	}

	b.size(390, 800, "dark")
	is("a phone", "document.documentElement.scrollWidth <= 390 && getComputedStyle("+wide+").display", "none")
	is("dark", "getComputedStyle(document.body).backgroundColor", "rgb(21, 24, 28)")
	if len(b.errors) > 0 {
		t.Errorf("the console has errors: %s", strings.Join(b.errors, "; "))
	}
}
