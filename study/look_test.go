// The race detector learns nothing from the browser, which takes long to compile for it.

//go:build !race

package study

import (
	"testing"

	"kifu/internal/table"
	"kifu/kit/browser"
)

// TestLook: pictures on the page can be read on a phone, where they are scrolled and nothing
// else is, and are dark where the page is.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	s, runs := planned(t, dir, "dir/the-study.toml", "[[step]]\nname = \"curve\"\ntitle = \"Curve\"\nrun = \"make\"\n")
	curve := table.Document{Title: "The curve", Tables: []table.Table{{Caption: "Gaps", Head: []table.Cell{table.Text("curve")}, Rows: [][]string{{"total"}}}}}
	put(t, dir, map[string]string{
		"curve/curve.md":   "for readers alone",
		"curve/curve.json": string(curve.JSON()),
		"curve/curve.svg":  `<svg xmlns="http://www.w3.org/2000/svg" width="648pt" height="432pt" viewBox="0 0 648 432"><path d="M0,0H648V432H0Z" fill="#FFFFFF"/></svg>`,
	})
	file, err := s.WritePage(done(runs), "kifu 1")
	if err != nil || file == "" {
		t.Fatal(file, err)
	}
	b := browser.OpenPage(t, file)
	is := func(what, expression, want string) {
		t.Helper()
		if got := b.Eval(expression); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	const picture = "document.querySelector('img')"
	is("filter of a light page", "getComputedStyle("+picture+").filter", "none")
	b.Size(400, 900, "dark")
	is("a picture on a phone has letters that can be read", picture+".getBoundingClientRect().width >= 640", "true")
	is("the page itself is as wide as the phone", "document.documentElement.scrollWidth <= 400", "true")
	is("the picture can be scrolled", picture+".parentElement.scrollWidth > "+picture+".parentElement.clientWidth", "true")
	is("filter of a dark page", "getComputedStyle("+picture+").filter", "invert(0.91) hue-rotate(180deg)")
	for _, e := range b.Errors() {
		t.Error(e)
	}
}
