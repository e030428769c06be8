package chart

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func textsOf(runs []run) (all []string) {
	for _, r := range runs {
		all = append(all, r.text)
	}
	return all
}

// TestTransliterated: where no font has a letter it is written in Latin ones, but in an SVG as it
// is; what the built-in font has stays.
func TestTransliterated(t *testing.T) {
	base := plot.DefaultTextHandler.Cache().Lookup(newPen(Look{}).plain(10), 10).Face
	l := letters{Handler: plot.DefaultTextHandler, other: base} // a font without kanji
	for txt, want := range map[string]string{
		"Müller ≥ 2": "Müller ≥ 2", "はぶよしはる": "habuyoshiharu", "ひふみ 1": "hihumi 1", "羽生 善治": "Yu Sheng Shan Zhi", "飛 (rook)": "Fei (rook)",
	} {
		if got := strings.Join(textsOf(l.runs(txt, newPen(Look{}).plain(10), false)), "|"); got != want {
			t.Errorf("%s: %q, want %q", txt, got, want)
		}
		if got := strings.Join(textsOf(l.runs(txt, newPen(Look{}).plain(10), true)), "|"); got != txt {
			t.Errorf("%s in an SVG: %q", txt, got)
		}
	}
}

// TestMachineFont: with a Japanese font a name is set in it or, where the font cannot be in the file,
// drawn by its outlines, as wide as they are and on the line of the text beside it.
func TestMachineFont(t *testing.T) {
	if machineFont() == nil {
		t.Skip("no Japanese font here")
	}
	s := style(newPen(Look{}).plain(10), ink)
	name := s.Handler.(letters).runs("Yuki 先手 wins", s.Font, false)
	if got := textsOf(name); len(got) != 3 || got[1] != "先手" {
		t.Fatalf("%q", got)
	}
	if w := s.Width("先手"); w < 19 || w > 21 {
		t.Errorf("two letters of 10 points are %v wide", w)
	}
	c := newPDF(100, 100)
	dc := draw.New(c)
	dc.FillText(s, vg.Point{X: 10, Y: 10}, "先手")
	drawn := c.content.String()
	if outlines := strings.Split(drawn, "f\n"); !strings.Contains(drawn, "<00010002> Tj ET") && (len(outlines) != 3 || outlines[0] == outlines[1]) {
		t.Errorf("%d outlines, and no text: %q", len(outlines)-1, drawn)
	}
}

// TestSVGKeepsLetters: an SVG has the text as it is, whatever fonts the machine has.
func TestSVGKeepsLetters(t *testing.T) {
	vector := vgsvg.New(100, 100)
	dc := draw.Crop(draw.New(vector), 1, 1, 1, 1)
	dc.FillText(style(newPen(Look{}).plain(10), ink), vg.Point{X: 10, Y: 10}, "先手 wins")
	var out bytes.Buffer
	if _, err := vector.WriteTo(&out); err != nil || !strings.Contains(out.String(), ">先手 wins</text>") || !strings.Contains(out.String(), "Liberation Sans") {
		t.Errorf("%s, %v", out.String(), err)
	}
}

// TestLatinUnchanged: text that the built-in font has is drawn as before.
func TestLatinUnchanged(t *testing.T) {
	var drawn [2]bytes.Buffer
	for i, h := range []letters{{Handler: plot.DefaultTextHandler}, {}} {
		s := style(newPen(Look{}).plain(10), ink)
		s.Rotation = 1
		s.XAlign = -0.5
		if h.Handler == nil {
			s.Handler = plot.DefaultTextHandler
		}
		c := newPDF(100, 100)
		dc := draw.New(c)
		dc.FillText(s, vg.Point{X: 50, Y: 40}, "Müller ≥ 2")
		drawn[i] = c.content
	}
	if !bytes.Equal(drawn[0].Bytes(), drawn[1].Bytes()) {
		t.Errorf("%s\n%s", drawn[0].String(), drawn[1].String())
	}
}
