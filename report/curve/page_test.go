package curve

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/kit/browser"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/report/page"
	"kifu/report/shape"
)

// TestPageInABrowser: no error on the console; series and numbers are there; the mouse and
// the keyboard switch lines and read values; other bins and draws are what the report of
// these says; nothing is wider than a phone; dark is dark.
func TestPageInABrowser(t *testing.T) {
	slow.Test(t, "a browser")
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	p := Params{When: reporttest.When, MinCount: 30, Sources: []string{"labels"}}
	b := browser.OpenPage(t, reporttest.PageOf(t, func(out page.Output) error { return Make(context.Background(), p, []*datasets.Dir{d}, out) }))
	b.Size(1200, 900, "light")
	c := mustAsk(t, p, d)
	is := func(what, expression, want string) {
		t.Helper()
		if got := b.Eval(expression); got != want {
			t.Errorf("%s: %s is %q, want %q", what, expression, got, want)
		}
	}
	const wide = "document.querySelector('svg.wide')"
	is("series", wide+".querySelectorAll('g.series').length", "4")
	is("numbers", "document.querySelectorAll('#curves ~ .scroll tbody tr').length >= 3", "true")
	is("values", wide+".querySelectorAll('g[data-series=\"0\"] .dot').length", fmt.Sprint(len(c.Curves[0].Bins)))

	shown := "getComputedStyle(" + wide + ".querySelector('g[data-series=\"1\"]')).display"
	is("before the click", shown, "inline")
	b.Click("button[data-series='1']")
	is("after the click", shown, "none")
	is("to a screen reader", "document.querySelector('button[data-series=\"1\"]').getAttribute('aria-pressed')", "false")
	b.Eval("document.querySelector('button[data-series=\"1\"]').focus()")
	b.Press(" ")
	is("after the space bar", shown, "inline")

	b.Eval(wide + ".focus()")
	b.Press("End")
	last := c.Curves[0].Bins[len(c.Curves[0].Bins)-1]
	is("End", "document.querySelector('.readout').textContent.split('\\n')[0]", c.describe(c.Curves[0], last, ""))
	is("the line at the value", wide+".querySelectorAll('.hair').length", "1")
	b.Click("svg.wide")
	is("under the mouse", "document.querySelector('.readout').textContent.startsWith('total at ')", "true")

	half := mustAsk(t, Params{When: reporttest.When, MinCount: 30, Draws: shape.DrawsHalf, Bin: 50}, d)
	b.Eval(`for (const [name, value] of [['draws', 'half a win'], ['bin', '50 centipawns']]) {
		const s = document.querySelector('select[name=' + name + ']'); s.value = value; s.dispatchEvent(new Event('change')); }`)
	var want []string
	for _, x := range half.Curves[1].Bins {
		if first := c.Chart(); x.V < first.XMin || x.V > first.XMax {
			continue
		}
		want = append(want, half.describe(half.Curves[1], x, ""))
	}
	is("half and 50", "[..."+wide+".querySelectorAll('g[data-series=\"1\"] title')].map(t => t.textContent).join('|')", strings.Join(want, "|"))
	before := b.Eval(wide + ".querySelector('g[data-series=\"0\"] .line').getAttribute('d')")
	b.Eval(`for (const [name, value] of [['draws', 'left out'], ['bin', '25 centipawns']]) {
		const s = document.querySelector('select[name=' + name + ']'); s.value = value; s.dispatchEvent(new Event('change')); }`)
	after := b.Eval(wide + ".querySelector('g[data-series=\"0\"] .line').getAttribute('d')")
	if before == after || !strings.Contains(string(c.Chart().SVG()), after) {
		t.Errorf("the script draws %q where the report draws otherwise", after)
	}

	b.Size(390, 800, "dark")
	is("a phone", "document.documentElement.scrollWidth <= 390 && getComputedStyle("+wide+").display", "none")
	is("dark", "getComputedStyle(document.body).backgroundColor", "rgb(21, 24, 28)")
	if wrong := b.Errors(); len(wrong) > 0 {
		t.Errorf("the console has errors: %s", strings.Join(wrong, "; "))
	}
}
