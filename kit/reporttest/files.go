package reporttest

import (
	"bytes"
	"context"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/kit/golden"
	"kifu/report/page"
)

// Build builds a report and returns its files.
func Build(t *testing.T, run func(out page.Output) error) map[string][]byte {
	t.Helper()
	index := PageOf(t, run)
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

// CheckGolden compares a file of a report with testdata/golden of the test's package.
func CheckGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	golden.Equal(t, filepath.Join("testdata", "golden", name), got)
}

// CheckPage fails t where the page reaches outside of its file, lacks one of the numbers, or
// has what a template or a format refused.
func CheckPage(t *testing.T, page []byte, numbers ...string) {
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

// CheckPicture looks at the picture NAME.png and NAME.svg of a report.
func CheckPicture(t *testing.T, files map[string][]byte, name string) {
	t.Helper()
	picture, err := png.DecodeConfig(bytes.NewReader(files[name+".png"]))
	if err != nil || picture.Width < 1600 {
		t.Errorf("picture of %d × %d: %v", picture.Width, picture.Height, err)
	}
	if svg := string(files[name+".svg"]); !strings.Contains(svg, "</svg>") || strings.Contains(svg, "NaN") {
		t.Errorf("%s.svg is not whole or has NaN in it", name)
	}
}

// PageOf writes index.html of a report where a browser finds it.
func PageOf(t *testing.T, run func(out page.Output) error) string {
	t.Helper()
	dir := t.TempDir()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "report", Output: "report/v1", Params: 1,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error { return run(page.Alone(out)) }}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "index.html")
}
