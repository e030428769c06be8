package chart

import (
	"math"
	"strings"
	"sync"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// letters sets text in the built-in font and, for signs that it lacks (Chinese characters, kana), in a
// font of the machine. Without such a font PNG and PDF show a transliteration; an SVG has the original
// text, since its viewer chooses the font. Text in the built-in font alone is drawn as Handler draws
// it, so that its bytes depend on no machine.
type letters struct {
	text.Handler
	other *opentype.Font // of the machine; nil: none
}

// ofMachine is the handler of all texts. Fonts are looked for when a text first needs one.
func ofMachine(h text.Handler) text.Handler { return letters{Handler: h} }

var machineFont = sync.OnceValue(func() *opentype.Font { return findFont(fontFolders()) })

// run is a piece of text in one font.
type run struct {
	face font.Face
	text string
}

// runs cuts txt where the font changes. keep leaves all of it in the built-in font.
func (l letters) runs(txt string, fnt font.Font, keep bool) (all []run) {
	base := l.Cache().Lookup(fnt, fnt.Size)
	if isASCII(txt) {
		return []run{{base, txt}}
	}
	var buffer sfnt.Buffer
	has := func(f *opentype.Font, r rune) bool {
		glyph, err := f.GlyphIndex(&buffer, r)
		return err == nil && glyph != 0
	}
	add := func(face font.Face, piece string) {
		if n := len(all); n > 0 && all[n-1].face.Face == face.Face {
			all[n-1].text += piece
			return
		}
		all = append(all, run{face, piece})
	}
	for _, r := range txt {
		if keep || has(base.Face, r) {
			add(base, string(r))
			continue
		}
		if l.other == nil {
			l.other = machineFont()
		}
		if l.other != nil && has(l.other, r) {
			add(font.Face{Font: font.Font{Typeface: fnt.Typeface, Variant: fnt.Variant, Size: fnt.Size}, Face: l.other}, string(r))
		} else if latin := unidecode.Unidecode(string(r)); strings.TrimSpace(latin) == "" {
			add(base, string(r))
		} else {
			add(base, latin)
		}
	}
	for i := range all {
		if !keep { // a transliterated character ends in a space
			all[i].text = strings.ReplaceAll(all[i].text, "  ", " ")
		}
		if i == len(all)-1 && !strings.HasSuffix(txt, " ") {
			all[i].text = strings.TrimRight(all[i].text, " ")
		}
	}
	return all
}

func isASCII(txt string) bool {
	return strings.IndexFunc(txt, func(r rune) bool { return r >= 0x80 }) < 0
}

func widthOf(runs []run) (width vg.Length) {
	for _, r := range runs {
		width += r.face.Width(r.text)
	}
	return width
}

// Box implements text.Handler.
func (l letters) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = l.Handler.Box("", fnt)
	return widthOf(l.runs(txt, fnt, false)), height, depth
}

// Draw implements text.Handler: a line in several fonts is where Handler would set it.
func (l letters) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	runs := l.runs(txt, sty.Font, isSVG(c))
	if len(runs) < 2 && (len(runs) == 0 || runs[0].face.Font == sty.Font && runs[0].face.Face == l.Cache().Lookup(sty.Font, sty.Font.Size).Face) || strings.Contains(txt, "\n") {
		if len(runs) == 1 {
			txt = runs[0].text
		}
		l.Handler.Draw(c, txt, sty, pt)
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
	}
	sin, cos := math.Sincos(sty.Rotation)
	at := vg.Point{X: pt.Y*vg.Length(sin) + pt.X*vg.Length(cos), Y: pt.Y*vg.Length(cos) - pt.X*vg.Length(sin)}
	_, height, _ := l.Handler.Box("", sty.Font)
	at.X += vg.Length(sty.XAlign) * widthOf(runs)
	at.Y += height*vg.Length(sty.YAlign) - l.Extents(sty.Font).Ascent + sty.Font.Size
	for _, r := range runs {
		c.FillString(r.face, at, r.text)
		at.X += r.face.Width(r.text)
	}
}

// isSVG reports whether c becomes an SVG.
func isSVG(c vg.Canvas) bool {
	for {
		switch d := c.(type) {
		case draw.Canvas:
			c = d.Canvas
		case *draw.Canvas:
			c = d.Canvas
		default:
			_, is := c.(*vgsvg.Canvas)
			return is
		}
	}
}
