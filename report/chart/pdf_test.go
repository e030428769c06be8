package chart

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestPDF: the table of objects is right, what is drawn is in the page, and text is text.
func TestPDF(t *testing.T) {
	c := newPDF(200, 100)
	dc := draw.New(c)
	dc.FillText(style(newPen(Look{}).plain(10), ink), vg.Point{X: 10, Y: 10}, "≥−é")
	before := c.content.Len()
	var disc vg.Path
	disc.Move(vg.Point{X: 60, Y: 50})
	disc.Arc(vg.Point{X: 50, Y: 50}, 10, 0, 7)
	dc.Fill(disc)
	circle := c.content.String()[before:]
	whole := c.content.Len()
	c.Push()
	c.SetLineWidth(0)
	c.Stroke(disc)
	if drawn := c.content.String()[whole:]; strings.Contains(drawn, "S\n") {
		t.Errorf("a line without width is drawn: %q", drawn)
	}
	c.Pop()
	file, err := c.bytes()
	if err != nil {
		t.Fatal(err)
	}
	start, err := strconv.Atoi(regexp.MustCompile(`startxref\n(\d+)`).FindStringSubmatch(string(file))[1])
	if err != nil || !bytes.HasPrefix(file[start:], []byte("xref\n0 10\n")) {
		t.Fatalf("no table at %d: %v", start, err)
	}
	for i, m := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllStringSubmatch(string(file[start:]), -1) {
		at, _ := strconv.Atoi(m[1])
		if want := fmt.Sprintf("%d 0 obj", i+1); !bytes.HasPrefix(file[at:], []byte(want)) {
			t.Errorf("no %q at %d", want, at)
		}
	}
	stream := regexp.MustCompile(`/Length (\d+)[^\n]*\nstream\n`).FindSubmatchIndex(file)
	length, _ := strconv.Atoi(string(file[stream[2]:stream[3]]))
	r, err := zlib.NewReader(bytes.NewReader(file[stream[1] : stream[1]+length]))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil || string(content) != c.content.String() {
		t.Errorf("content of %d bytes, %d drawn: %v", len(content), c.content.Len(), err)
	}
	if got := c.content.String()[:before]; !strings.Contains(got, "BT /f0 10 Tf 10 ") || !strings.Contains(got, "<000100020003> Tj ET") {
		t.Errorf("text is %q", got)
	}
	// The circle passes through its four poles; an angle of 7 goes once around.
	for _, pole := range []string{"60 50 l", " 40", " 60"} {
		if !strings.Contains(circle, pole) {
			t.Errorf("the circle does not pass %q: %s", pole, circle)
		}
	}
}

// TestPDFText: another program reads the texts of a PDF as they are, finds its fonts in it, and draws what
// the PNG shows.
func TestPDFText(t *testing.T) {
	for _, program := range []string{"pdftotext", "pdffonts", "pdftoppm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here", program)
		}
	}
	c := picture(2, 20)
	c.Title, c.YLabel = "Ünïcode: ≥ −1 σ “é”", "share of Ågren's games"
	for _, family := range Fonts {
		made, err := c.Print(Look{Font: family})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "c.pdf")
		if err := os.WriteFile(file, made.PDF, 0o666); err != nil {
			t.Fatal(err)
		}
		run := func(program string, args ...string) []byte {
			out, err := exec.Command(program, args...).Output()
			if err != nil {
				t.Fatalf("%s: %v", program, err)
			}
			return out
		}
		text := string(run("pdftotext", file, "-"))
		for _, want := range []string{c.Title, c.YLabel, "line 1", "1200"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %q", family, want, text)
			}
		}
		fonts := strings.Split(strings.TrimSpace(string(run("pdffonts", file))), "\n")[2:]
		for _, line := range fonts {
			if !regexp.MustCompile(`CID TrueType +Identity-H +yes yes yes`).MatchString(line) {
				t.Errorf("%s: not embedded: %s", family, line)
			}
		}
		if wrong := differing(t, made.PNG, run("pdftoppm", "-r", "200", "-png", file)); len(fonts) != 2 || wrong > 0.004 {
			t.Errorf("%s: %d fonts; %.2f %% of the picture is not as in the PNG", family, len(fonts), 100*wrong)
		}
	}
}

// differing is the share of pixels that are dark in one of two pictures and bright, all around, in the other.
func differing(t *testing.T, a, b []byte) float64 {
	t.Helper()
	var pictures [2]image.Image
	for i, data := range [][]byte{a, b} {
		var err error
		if pictures[i], err = png.Decode(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	size := pictures[0].Bounds().Intersect(pictures[1].Bounds())
	dark := func(p image.Image, x, y, limit int) bool {
		r, g, b, _ := p.At(x, y).RGBA()
		return int(r+g+b)/3>>8 < limit
	}
	wrong := 0
	for y := size.Min.Y + 2; y < size.Max.Y-2; y++ {
		for x := size.Min.X + 2; x < size.Max.X-2; x++ {
			for i, p := range pictures {
				if !dark(p, x, y, 100) {
					continue
				}
				near := false
				for d := range 25 {
					near = near || dark(pictures[1-i], x+d%5-2, y+d/5-2, 200)
				}
				if !near {
					wrong++
				}
			}
		}
	}
	return float64(wrong) / float64(size.Dx()*size.Dy())
}
