package chart

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TestPDF: the table of objects is right, what is drawn is in the page, and every sign
// has an outline.
func TestPDF(t *testing.T) {
	c := newPDF(200, 100)
	dc := draw.New(c)
	dc.FillText(style(sans(10), ink), vg.Point{X: 10, Y: 10}, "≥−é")
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
	if err != nil || !bytes.HasPrefix(file[start:], []byte("xref\n0 5\n")) {
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
	// Three letters are three filled outlines; a sign that the font lacks would be a box,
	// the same for each.
	letters := strings.Split(c.content.String()[:before], "f\n")
	if len(letters) != 4 || letters[0] == letters[1] || !strings.HasSuffix(letters[2], "h\n") && !strings.Contains(letters[2], " c\n") {
		t.Errorf("%d outlines: %q", len(letters)-1, letters)
	}
	// The circle passes through its four poles; an angle of 7 goes once around.
	for _, pole := range []string{"60 50 l", " 40", " 60"} {
		if !strings.Contains(circle, pole) {
			t.Errorf("the circle does not pass %q: %s", pole, circle)
		}
	}
}
