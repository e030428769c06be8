package chart

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// TestLookTexts: what flags say is read, and what makes no sense is refused with what does.
func TestLookTexts(t *testing.T) {
	for text, want := range map[string][2]float64{"84mmx60mm": {84, 60}, "8.4cm×6cm": {84, 60}, "3in x 2in": {76.2, 50.8}, "72ptx36pt": {25.4, 12.7}} {
		if w, h, err := ParseSize(text); err != nil || [2]float64{w, h} != want {
			t.Errorf("%s is %v by %v, %v", text, w, h, err)
		}
	}
	for _, text := range []string{"84x60", "84mm", "mmxmm", "8.4.1mmx60mm", "0mmx60mm", "84mmx0.0mm", ""} {
		if _, _, err := ParseSize(text); err == nil {
			t.Errorf("size %q is taken", text)
		}
	}
	if l, err := ParseLimits("−300, 3e2"); err != nil || *l != [2]float64{-300, 300} {
		t.Errorf("limits %v, %v", l, err)
	}
	for _, text := range []string{"1", "2,1", "a,b", "1,1", "0,Inf", "NaN,1"} {
		if _, err := ParseLimits(text); err == nil {
			t.Errorf("limits %q are taken", text)
		}
	}
	for text, want := range map[string]Look{"serif:8": {Font: "serif", Size: 8}, "9": {Size: 9}, "mono": {Font: "mono"}, "": {}} {
		if family, size, err := ParseFont(text); err != nil || family != want.Font || size != want.Size {
			t.Errorf("font %q is %q, %v, %v", text, family, size, err)
		}
	}
	for _, text := range []string{"serif:0", "0", "serif:x"} {
		if _, _, err := ParseFont(text); err == nil {
			t.Errorf("font %q is taken", text)
		}
	}
	for want, l := range map[string]Look{
		"": {Width: 84, Height: 60, Font: "serif", Colour: "#d55e00,#0072b2", Legend: "ne", Bands: "none"}, "want sans, serif, mono": {Font: "Times"},
		"want okabe-ito, tol, contrast, grey, or colours": {Colour: "red"}, "want top, bottom": {Legend: "left"}, "want band, whiskers, none": {Bands: "both"},
		"at least 30 by 20": {Width: 10, Height: 60}, "4 to 72": {Size: 100},
	} {
		if err := l.Validate(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%+v: %v, want %q", l, err, want)
		}
	}
}

// drawn are the texts and the places of the actions of c drawn as l says.
func drawnAs(t *testing.T, c *Chart, l Look) *recorder.Canvas {
	t.Helper()
	var r recorder.Canvas
	if err := c.limited(l).draw(draw.NewCanvas(&r, l.width(), l.height()), newPen(l)); err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestLook: each part of a look shows in the picture.
func TestLook(t *testing.T) {
	c := picture(3, 40)
	c.Subtitle = "sub"
	none, own := "", "own"
	texts := func(l Look) string {
		var all []string
		for _, a := range drawnAs(t, c, l).Actions {
			if s, is := a.(*recorder.FillString); is {
				all = append(all, s.String)
			}
		}
		return strings.Join(all, "|")
	}
	for _, test := range []struct {
		look      Look
		has, lack string
	}{
		{Look{}, "t|sub|line 0", ""},
		{Look{Title: &none}, "line 0", "sub"},
		{Look{Title: &own}, "own|sub", "t|sub"},
		{Look{Legend: "none"}, "1200", "line 0"},
		{Look{Legend: "bottom"}, "line 2", ""},
		{Look{Legend: "se"}, "line 2", ""},
		{Look{X: &[2]float64{300, 500}}, "400", "1200"},
		{Look{Y: &[2]float64{0.4, 0.6}}, "0.42", "0.8"},
	} {
		if got := texts(test.look); !strings.Contains(got, test.has) || test.lack != "" && strings.Contains(got, test.lack) {
			t.Errorf("%+v has %q, want %q and no %q", test.look, got, test.has, test.lack)
		}
	}
	made, err := c.Print(Look{Width: 84, Height: 60, Font: "serif", Colour: "#010203", Bands: "band"})
	if err != nil {
		t.Fatal(err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(made.PNG))
	if err != nil || size.Width != 1984 || size.Height != 1417 { // 84 and 60 mm at 600 dots an inch
		t.Errorf("%d by %d, %v", size.Width, size.Height, err)
	}
	svg := string(made.SVG)
	for _, want := range []string{`width="238.11pt"`, "Liberation Serif,Times", "font-size:8px", "#010203"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %.600s", want, svg)
		}
	}
	if strings.Contains(svg, strings.ToUpper(Palette[1][0])) {
		t.Error("a colour of the usual palette")
	}
}

// TestTextWidths: each text of an SVG has the width for which it was placed, so that another font does not leave the picture.
func TestTextWidths(t *testing.T) {
	c := &Chart{Title: "mmm", XLabel: "mmmmmm", YLabel: "value", XMax: 1, YMax: 1, Series: []Series{{Label: "a", Points: []Point{{X: 0.5, Y: 0.5}}}}}
	made, err := c.Print(Look{})
	if err != nil {
		t.Fatal(err)
	}
	widths := map[string]float64{}
	for part := range strings.SplitSeq(string(made.SVG), "<text ") {
		text, _, found := strings.Cut(part, "</text>")
		if !found {
			continue
		}
		var width float64
		if _, err := fmt.Sscanf(text, `textLength="%f"`, &width); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		widths[text[strings.LastIndex(text, ">")+1:]] = width
	}
	labels := style(newPen(Look{}).plain(11), ink)
	if got, want := widths["mmmmmm"], labels.Width("mmmmmm").Points(); math.Abs(got-want) > 0.1 {
		t.Errorf("the axis is %v wide, want %v: %v", got, want, widths)
	}
}

// TestLookLimits: nothing of the data is drawn outside the axes that limits set.
func TestLookLimits(t *testing.T) {
	c := picture(1, 40) // 11 points are from 300 to 600
	for bands, want := range map[string]int{"": 1 + 1 + 11, "whiskers": 1 + 11, "none": 1 + 11} {
		filled := 0
		for _, a := range drawnAs(t, c, Look{X: &[2]float64{300, 600}, Legend: "none", Bands: bands}).Actions {
			f, is := a.(*recorder.Fill)
			if !is {
				continue
			}
			filled++
			for _, p := range f.Path[:len(f.Path)-1] { // the last closes it
				if x := p.Pos.X; filled > 1 && (x < printMargin+20 || x > printWidth-printMargin) { // the first is the paper
					t.Errorf("bands %q: filled at %v", bands, x)
				}
			}
		}
		if filled != want {
			t.Errorf("bands %q: %d filled shapes, want %d", bands, filled, want)
		}
	}
}

// TestThin: labels of ticks that would touch are left out in a regular way, and 0 stays.
func TestThin(t *testing.T) {
	ticks := AxisTicks(-500, 500, 12, func(v float64) string { return "12345" })
	extent := func(string) vg.Length { return 30 }
	for length, want := range map[vg.Length]int{1000: 11, 200: 5, 90: 3} {
		some := thin(ticks, -500, 500, length, 5, extent)
		zero := false
		for i, k := range some {
			zero = zero || k.At == 0
			if i > 1 && k.At-some[i-1].At != some[1].At-some[0].At {
				t.Errorf("%v: uneven: %v", length, some)
			}
		}
		if len(some) != want || !zero {
			t.Errorf("%v points: %d ticks, want %d; 0 among them: %v", length, len(some), want, zero)
		}
	}
}
