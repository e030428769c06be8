package report

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kifu/datasets"
)

// makeReport builds a report and returns its files.
func makeReport(t *testing.T, run func(out *datasets.Builder) error) map[string][]byte {
	t.Helper()
	index := pageOf(t, run)
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(index), "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the golden file (-update writes it)", name)
	}
}

// checkPage: the page stands alone and says every number that must be in it.
func checkPage(t *testing.T, page []byte, numbers ...string) {
	t.Helper()
	text := html.UnescapeString(string(page))
	for _, outside := range []string{"http://", "https://", "src=", "href=", "@import", "url("} {
		if strings.Contains(text, outside) {
			t.Errorf("the page reaches outside: %s", outside)
		}
	}
	for _, n := range numbers {
		if !strings.Contains(text, n) {
			t.Errorf("the page lacks %q", n)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "ZgotmplZ") || strings.Contains(text, "%!") {
		t.Error("the page has NaN, or what a template or a format refused")
	}
}

func checkPicture(t *testing.T, files map[string][]byte, name string) {
	t.Helper()
	picture, err := png.DecodeConfig(bytes.NewReader(files[name+".png"]))
	if err != nil || picture.Width < 1600 {
		t.Errorf("picture of %d × %d: %v", picture.Width, picture.Height, err)
	}
	if svg := string(files[name+".svg"]); !strings.Contains(svg, "</svg>") || strings.Contains(svg, "NaN") {
		t.Errorf("%s.svg is not whole or has NaN in it", name)
	}
}

func TestCurveFiles(t *testing.T) {
	d := writeLabels(t, t.TempDir(), committed(t), map[string]string{"zeroed": "king_safety"})
	files := built(t, "curve")
	for _, name := range []string{"curve.csv", "curve.md", "curve.tex", "curve.sql"} {
		checkGolden(t, name, files[name])
	}
	checkPicture(t, files, "curve")

	c := mustAsk(t, curveExample, d)
	var numbers []string
	for _, k := range c.Curves {
		numbers = append(numbers, grouped(k.Positions()), grouped(k.Games))
		for _, b := range k.Bins {
			numbers = append(numbers, percent(b.P, 1), fmt.Sprintf("%.1f–%.1f", 100*b.Low, 100*b.High), grouped(b.Positions), plainNumber(b.V))
		}
	}
	checkPage(t, files["index.html"], append(numbers, "king_safety ≥ 30", "king_safety ≤ −30", "scale "+signedScale(c.Curves[0].Sigmoid), "without king_safety")...)
	if n := len(regexp.MustCompile(`<circle class="dot"`).FindAllString(string(files["index.html"]), -1)); n != 2*(len(c.Curves[0].Bins)+len(c.Curves[1].Bins)+len(c.Curves[2].Bins)) {
		t.Errorf("%d dots in the page's two pictures", n)
	}
}
