package report

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/browser"
	"kifu/kit/latextest"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/report/page"
	"kifu/schemas"
)

// TestAll: one page has what the datasets allow, and says what they do not.
func TestAll(t *testing.T) {
	slow.Test(t, "makes every report")
	labels := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "labels"), reporttest.CommittedLabels(t), nil)
	draughts := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "draughts"), reporttest.CommittedLabels(t), map[string]string{"game": "draughts"})
	in := append([]*datasets.Dir{labels, draughts}, reporttest.TwoFits(t)...)
	p := AllParams{Sources: []string{"labels", "draughts", "mlm", "ls"}}
	files := reporttest.Build(t, func(out page.Output) error { return All(context.Background(), p, in, out) })
	for _, name := range []string{"index.html", "curve.csv", "curve.pdf", "curve-2.csv", "weights.tex"} {
		if len(files[name]) == 0 {
			t.Errorf("no %s among %d files", name, len(files))
		}
	}
	page := string(files["index.html"])
	for _, s := range []string{`href="#curve"`, `id="curve"`, `href="#curve-2"`, `id="weights"`, `id="opening-2"`, "Kaufman 1999: 50", "Left out:", "split of labels"} {
		if !strings.Contains(page, s) {
			t.Errorf("the page lacks %s", s)
		}
	}
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, files["index.html"], 0o666); err != nil {
		t.Fatal(err)
	}
	b := browser.OpenPage(t, file)
	b.Click("#weights button[data-series='0']")
	for expression, want := range map[string]string{
		"document.querySelectorAll('nav li').length":                                                         "7",
		"document.querySelectorAll('#weights g.series.off').length":                                          "2",
		"document.querySelectorAll('#curve g.series.off').length":                                            "0",
		"[...document.querySelectorAll('nav a')].every(a => document.querySelector(a.getAttribute('href')))": "true",
	} {
		if got := b.Eval(expression); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
	if wrong := b.Errors(); len(wrong) > 0 {
		t.Errorf("the console has errors: %s", strings.Join(wrong, "; "))
	}
}

// TestAllFailures: a dataset that is damaged, an output that takes no file and a cancelled
// context are failures, not reports that the data do not allow.
func TestAllFailures(t *testing.T) {
	labels := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "labels"), reporttest.CommittedLabels(t), nil)
	fit := reporttest.TwoFits(t)[0]
	p := AllParams{Sources: []string{"labels", "mlm"}}
	all := func(ctx context.Context, in []*datasets.Dir, out page.Output) error { return All(ctx, p, in, out) }

	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := all(cancelled, []*datasets.Dir{labels, fit}, &memory{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	full := errors.New("no space left")
	if err := all(context.Background(), []*datasets.Dir{fit, fit}, &memory{refuse: full}); !errors.Is(err, full) {
		t.Errorf("a full disk: error %v", err)
	}
	if err := os.WriteFile(filepath.Join(fit.Path, "fit.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := all(context.Background(), []*datasets.Dir{labels, fit}, &memory{}); err == nil || !strings.Contains(err.Error(), "fit.json") {
		t.Errorf("a damaged fit: error %v", err)
	}
	part := labels.PartPaths()[0]
	if err := os.Truncate(part, 1000); err != nil {
		t.Fatal(err)
	}
	if err := all(context.Background(), []*datasets.Dir{labels, reporttest.TwoFits(t)[0]}, &memory{}); err == nil || !strings.Contains(err.Error(), filepath.Base(part)) {
		t.Errorf("damaged labels: error %v", err)
	}
}

// memory is an Output that forgets all it is given, or refuses it.
type memory struct{ refuse error }

func (m *memory) AddFile(string, []byte) error { return m.refuse }

func (m *memory) AddCounts(manifest.Counts) {}
func (m *memory) Key() string               { return "" }

func (m *memory) SetMeta(string, string) {}

func (m *memory) AddPage(page.Section) error    { return nil }
func (m *memory) ReportName(name string) string { return name }
func (m *memory) Paper(string) page.Paper       { return page.Paper{} }

// noted is an Output that keeps what is noted in the manifest.
type noted struct {
	memory
	meta map[string]string
}

func (n *noted) SetMeta(key, value string) { n.meta[key] = value }

// TestAllNotesTypes: of what a report notes, the types of a table's columns stay, by the name of its file.
func TestAllNotesTypes(t *testing.T) {
	out := &noted{meta: map[string]string{}}
	c := &collection{Files: out}
	c.SetMeta("unit", "centipawns")
	c.SetMeta("types:opening.csv", "value DOUBLE")
	c.suffix = "-2"
	c.SetMeta("types:opening.csv", "games BIGINT")
	if want := map[string]string{"types:opening.csv": "value DOUBLE", "types:opening-2.csv": "games BIGINT"}; !maps.Equal(out.meta, want) {
		t.Errorf("noted %v, want %v", out.meta, want)
	}
}

func TestAllOfNothing(t *testing.T) {
	few := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t)[:20], nil)
	_, _, err := datasets.Build(context.Background(), t.TempDir(), datasets.Step{Stage: "report", Output: "report/v1", Params: 1,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return All(context.Background(), AllParams{Sources: []string{"few"}}, []*datasets.Dir{few}, page.Alone(out))
		}}, datasets.Options{})
	if err == nil || !strings.Contains(err.Error(), "curve of few") || !strings.Contains(err.Error(), "split of few") {
		t.Errorf("error %v, want the reason of each report", err)
	}
}

// TestAllGroups: what goes into one report. A tree is made once of the same positions, with
// what is on record as made of them.
func TestAllGroups(t *testing.T) {
	dir := func(table schemas.Table, key, leaf string, inputs ...manifest.Input) *datasets.Dir {
		return &datasets.Dir{Table: table, Manifest: &manifest.Manifest{Stage: "test", Key: key, Inputs: inputs, Meta: map[string]string{"game": "chess", "leaf": leaf}}}
	}
	quiescence := []string{"quiescence_value"}
	positions, counted := schemas.Positions(1, nil, false), reporttest.PositionsTable()
	in := []*datasets.Dir{
		0: dir(schemas.Games, "g", ""),
		1: dir(schemas.Games, "other", ""),
		2: dir(positions, "p", "", manifest.Input{Name: "games/v1", Key: "g"}),
		3: dir(schemas.Labels(positions, quiescence, nil, quiescence[0]), "l", quiescence[0], manifest.Input{Name: "positions/v1", Key: "p"}),
		4: dir(schemas.Labels(positions, quiescence, nil, quiescence[0]), "again", quiescence[0], manifest.Input{Name: "positions/v1", Key: "p"}),
		5: dir(schemas.Choices(positions, quiescence), "c", quiescence[0], manifest.Input{Name: "positions/v1", Key: "p"}),
		6: dir(schemas.Choices(positions, quiescence), "elsewhere", quiescence[0], manifest.Input{Name: "positions/v1", Key: "x"}),
		7: dir(counted, "q", "", manifest.Input{Name: "games/v1", Key: "unknown"}),
		8: dir(counted, "two", "", manifest.Input{Name: "games/v1", Key: "g"}, manifest.Input{Name: "games/v1", Key: "other"}),
	}
	is := func(what string, got [][]int, want ...[]int) {
		t.Helper()
		if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%s are %v, want %v", what, got, want)
		}
	}
	is("trees", ofPositions(in), []int{3, 5, 0}, []int{7}, []int{8})
	is("databases", databases(in), []int{0, 1, 7, 8})
	is("labels", together("labels")(in), []int{3, 4})
	is("labels one by one", ofEach("labels")(in), []int{3}, []int{4})
	in[4].Manifest.Meta = map[string]string{"game": "othello"}
	is("labels of two games", together("labels")(in), []int{3}, []int{4})
	for i, want := range []bool{0: true, 2: true, 3: false} {
		if i != 1 && isInput(in, in[i]) != want {
			t.Errorf("dataset %d was the input of another: %v", i, !want)
		}
	}
}

var example = &reporttest.Example{
	Name: "all",
	Make: func(t *testing.T, workers int, out page.Output) error {
		in := append(reporttest.TwoFits(t), reporttest.Learned(t, "given"), reporttest.WriteChoices(t, t.TempDir(), reporttest.CommittedChoices(t)))
		return All(context.Background(), AllParams{Sources: []string{"mlm", "ls", "model", "choices"}, Workers: workers}, in, out)
	},
}

func TestAllExample(t *testing.T) {
	slow.Test(t, "draws every report")
	example.Check(t)
}

// TestAllPapers: the tables and figures of all reports compile in the classes of papers, one file each,
// with no label twice.
func TestAllPapers(t *testing.T) {
	files := example.Files(t)
	tables := map[string][]byte{}
	for name, text := range files {
		if base, is := strings.CutSuffix(name, ".tex"); is && files[base+".md"] == nil { // not that of all tables
			tables[name] = text
		} else if strings.HasSuffix(name, ".pdf") {
			tables[name] = text
		}
	}
	if len(tables) < 10 {
		t.Fatalf("%d tables", len(tables))
	}
	for _, class := range latextest.Papers() {
		t.Run(class.Name, func(t *testing.T) {
			if _, where, found := strings.Cut(latextest.Compile(t, class, tables), "multiply defined"); found {
				t.Errorf("a label is there twice: %.100s", where)
			}
		})
	}
}
