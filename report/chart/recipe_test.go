package chart

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// hostile is a name that no program may take for a command.
const hostile = "a'b\"c\\ $x$ {y} %d `ls` \u202e #"

func recipes() map[string]Picture {
	c := picture(3, 10)
	c.Series[1].Label, c.Series[2].Smooth, c.Cross = hostile, true, &Point{X: 100, Y: 0.5}
	c.Areas = []Area{{Label: "won", Colour: 2, Low: []Point{{X: 0, Y: 0}, {X: 9, Y: 0}}, High: []Point{{X: 0, Y: 1}, {X: 9, Y: 1}}}}
	f := &Forest{Title: hostile, XLabel: "weight", XMin: -1, XMax: 1, Series: []Series{{Label: "one"}, {Label: hostile, Colour: 1}}, Lines: []Line{
		{Group: "pawns", Label: "isolated", Before: 0.5, Marks: []Mark{{At: 0.25, Low: 0, High: 0.5}, {Series: 1, At: -0.25, Low: math.NaN(), High: math.NaN(), Plain: true}}},
		{Label: hostile},
	}}
	return map[string]Picture{"chart": c, "forest": f}
}

// write puts the files of a recipe into a directory.
func write(t *testing.T, p Picture, l Look) string {
	t.Helper()
	dir := t.TempDir()
	r := p.Recipe("it-plot", l)
	for end, data := range map[string][]byte{".csv": r.CSV, ".py": r.Python, ".R": r.R} {
		if err := os.WriteFile(filepath.Join(dir, "it-plot"+end), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRecipeCSV: the CSV has every point.
func TestRecipeCSV(t *testing.T) {
	for name, want := range map[string]int{"chart": 2 + 3*10, "forest": 3} {
		rows, err := csv.NewReader(strings.NewReader(string(recipes()[name].Recipe("x", Look{}).CSV))).ReadAll()
		if err != nil || len(rows) != 1+want {
			t.Errorf("%s: %d rows, want %d: %v", name, len(rows)-1, want, err)
		}
	}
}

// python has matplotlib, or the test is skipped.
func python(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import matplotlib").Run() == nil {
			return program
		}
	}
	t.Skip("no python3 with matplotlib here")
	return ""
}

// looks are drawn by the recipes.
var looks = []Look{{}, {Width: 84, Height: 60, Font: "serif", Legend: "se", Colour: "grey", Bands: "whiskers", X: &[2]float64{-0.5, 0.5}}}

// TestRecipePython: the program draws a PDF, with as many points as the CSV has.
func TestRecipePython(t *testing.T) {
	program := python(t)
	for name, p := range recipes() {
		for _, l := range looks {
			dir := write(t, p, l)
			out := filepath.Join(dir, "out.pdf")
			draw := exec.Command(program, "-c", "import runpy, sys; sys.argv = ['it-plot.py', 'out.pdf']; ax = runpy.run_path('it-plot.py', run_name='__main__')['ax']; print(sum(len(l.get_xdata()) for l in ax.lines), len(ax.get_legend_handles_labels()[1]))")
			draw.Dir = dir
			got, err := draw.Output()
			if err != nil {
				t.Fatalf("%s: %v: %s", name, err, err.(*exec.ExitError).Stderr)
			}
			checkPDF(t, out)
			want := map[string]string{"chart": "34 4", "forest": "4 2"}[name] // with two lines of the cross, and that at 0
			if strings.TrimSpace(string(got)) != want {
				t.Errorf("%s: points and names %s, want %s", name, got, want)
			}
		}
	}
}

// TestRecipeR: the program draws a PDF.
func TestRecipeR(t *testing.T) {
	program, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("no Rscript here")
	}
	for name, p := range recipes() {
		for _, l := range looks {
			dir := write(t, p, l)
			out := filepath.Join(dir, "out.pdf")
			cmd := exec.Command(program, "--vanilla", filepath.Join(dir, "it-plot.R"), out)
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
			if log, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(log), "Warning") {
				t.Fatalf("%s: %v: %s", name, err, log)
			}
			checkPDF(t, out)
		}
	}
}

// checkPDF looks whether a PDF has text in it that the recipes must draw.
func checkPDF(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(data), "%PDF-") || len(data) < 2000 {
		t.Fatalf("no PDF but %s bytes: %v", strconv.Itoa(len(data)), err)
	}
	if program, err := exec.LookPath("pdftotext"); err == nil {
		text, err := exec.Command(program, file, "-").Output()
		if err != nil || !strings.Contains(string(text), "weight") && !strings.Contains(string(text), "x") {
			t.Errorf("the axis has no name: %q, %v", text, err)
		}
	}
}
