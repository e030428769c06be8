package split

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/curve"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/report/split/conditions"
	"kifu/report/split/search"
	"kifu/schemas"
)

var common = search.Params{Source: "labels", Holdout: 0.3, FDR: 0.05, Level: 0.05, Top: 10, MinCount: 300}

// TestSplitNames: a condition that was given is shown by its name, and noted as SQL.
func TestSplitNames(t *testing.T) {
	p := common
	p.Conditions = []query.Named{{Name: "unsafe king", SQL: "king_safety between 20 and 70"}}
	p.Columns = []string{"ply"}
	files := filesInMemory{}
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.Planted(3, 6000), nil)
	if err := Make(context.Background(), p, []*datasets.Dir{d}, page.Alone(files)); err != nil {
		t.Fatal(err)
	}
	if text := string(files["summary.txt"]); !strings.Contains(text, "unsafe king") || strings.Contains(text, "between") {
		t.Errorf("printed is\n%s", text)
	}
	if page := string(files["index.html"]); !strings.Contains(page, "unsafe king is king_safety between 20 and 70") {
		t.Errorf("page is\n%s", page)
	}
	if csv := string(files["split.csv"]); !strings.Contains(csv, "1,false,unsafe king,king_safety between 20 and 70,") {
		t.Errorf("split.csv is\n%s", csv)
	}
}

// TestSplitCurvesByPlayer: the intervals of the curves are those of the report of curves, which knows the players.
func TestSplitCurvesByPlayer(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.Planted(3, 3000), nil)
	var players []map[string]string
	for game := range 3000 {
		players = append(players, map[string]string{"game_id": fmt.Sprint(game), "first_player": fmt.Sprint("P", game%40), "second_player": fmt.Sprint("Q", game/40%40)})
	}
	in := []*datasets.Dir{d, reporttest.WriteTable(t, schemas.Games, players, manifest.Counts{})}
	p := common
	p.Columns = []string{"king_safety"}
	files := filesInMemory{}
	if err := Make(context.Background(), p, in, page.Alone(files)); err != nil {
		t.Fatal(err)
	}
	c, err := curve.Run(context.Background(), reporttest.OpenDB(t), curve.Params{Sources: []string{"labels"}, Clusters: sheet.Clusters{Names: []int{1}}}, in)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range c.Curves[0].Bins {
		if math.Abs(b.V) > 100 { // the picture ends where the curves have few positions
			continue
		}
		if line := fmt.Sprintf(",total,%v,%v,%v,%v\n", b.V, b.P, b.Low, b.High); !strings.Contains(string(files["split-plot.csv"]), line) {
			t.Errorf("no line %q in\n%s", line, files["split-plot.csv"])
			break
		}
	}
	if !strings.Contains(string(files["split.svg"]), "by game or player") {
		t.Error("the picture does not say that players count")
	}
}

// TestSplitWorkers: every file of the report is the same for any number of workers, of
// labels whose row groups cut games.
func TestSplitWorkers(t *testing.T) {
	d := reporttest.WriteRowGroups(t, t.TempDir(), reporttest.Planted(5, 1500), nil, 601)
	p := common
	p.MinCount = 200
	p.Conditions = []query.Named{{Name: "safe", SQL: "king_safety >= 30"}}
	var want filesInMemory
	for _, workers := range []int{1, 2, 5} {
		p.Workers = workers
		got := filesInMemory{}
		if err := Make(context.Background(), p, []*datasets.Dir{d}, page.Alone(got)); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if len(got) < 8 || len(got) != len(want) {
			t.Fatalf("%d files with %d workers, %d with one", len(got), workers, len(want))
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s is another with %d workers", name, workers)
			}
		}
	}
	if part, err := d.OpenPart(0); err != nil || part.RowGroups() < 15 {
		t.Errorf("%d row groups: %v", part.RowGroups(), err)
	} else {
		part.Close()
	}
}

// filesInMemory is the output of a report.
type filesInMemory map[string][]byte

func (f filesInMemory) AddFile(name string, data []byte) error { f[name] = data; return nil }

func (filesInMemory) AddCounts(manifest.Counts) {}

func (filesInMemory) Key() string { return "" }

func (filesInMemory) SetMeta(_, _ string) {}

// TestConfirmedAreShown: picture and tables have what is confirmed, the candidates are folded
// away, and the sentence on top counts the games that the tables count.
func TestConfirmedAreShown(t *testing.T) {
	s := &report{Curves: &curve.Report{}, Result: &search.Result{Params: search.Params{FDR: 0.05, Level: 0.05}, Unit: "centipawns", Bin: 25, Tried: 30, Tested: 20, Shifted: 9, Sloped: 2}}
	s.Sides = [2]search.SideCount{{Positions: 2000, Games: 70}, {Positions: 1000, Games: 30}}
	for i, confirmed := range []bool{true, true, false, false} {
		k := &search.Split{Condition: conditions.Condition{Name: fmt.Sprint("column", i)}, Confirmed: confirmed, Positions: 2500, Games: 95}
		s.Splits = append(s.Splits, k)
	}
	s.Splits[2].Mirror = &search.Split{Condition: conditions.Condition{Name: "mirror"}, Confirmed: true}
	names := func(rows [][]string) (all []string) {
		for _, row := range rows {
			all = append(all, row[0]+" "+row[1])
		}
		return all
	}
	if got, want := fmt.Sprint(names(s.found().Rows)), "[1 column0 2 column1 3 column2 3b mirror]"; got != want {
		t.Errorf("shown are %s, want %s", got, want)
	}
	c := s.candidates()
	if got, want := fmt.Sprint(names(c.Rows)), "[4 column3]"; got != want || !c.Long {
		t.Errorf("candidates are %s, want %s, folded: %v", got, want, c.Long)
	}
	if text := s.summary(); strings.Contains(text, "column3") {
		t.Errorf("a candidate is printed:\n%s", text)
	}
	for _, want := range []string{"3,000 positions of 100 games", "9 shift the total curve", "5\u00a0% of searches would", "the other 30 games", "3 splits are shown (b: the same with colours exchanged, ?: not confirmed)", "1 candidate is not confirmed"} {
		if !strings.Contains(s.lead(), want) {
			t.Errorf("%q lacks %q", s.lead(), want)
		}
	}
}

var example = &reporttest.Example{
	Name: "split",
	Page: reporttest.Numbers{Column: "positions", Where: "", Is: "", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := common
		p.Workers = workers
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.Planted(3, 3000), nil)}, out)
	},
}

func TestSplitExample(t *testing.T) {
	example.Check(t)
}
