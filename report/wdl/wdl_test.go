package wdl

import (
	"context"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/games/othello"
	"kifu/kit/reporttest"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
)

func params() Params {
	return Params{By: "ply // 4", Within: 2000, Holdout: 0.3, Seed: 1, Source: "labels"}
}

var example = &reporttest.Example{
	Name: "wdl",
	Page: reporttest.Numbers{},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := params()
		p.Workers = workers
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)}, out)
	},
}

func TestExample(t *testing.T) {
	example.Check(t)
	files := example.Files(t)
	for name, want := range map[string]string{"wdl.h": "kifu_wdl_as", "wdl.rs": "pub fn win_rate", "wdl.go.txt": "func WinRate", "wdl.toml": "pawn_value", "wdl-parameters.svg": "b, cubic", "wdl.txt": "held-out games"} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for want, change := range map[string]func(*Params){
		"no columns of pieces": func(p *Params) { p.By = byMaterial },
		"want a number":        func(p *Params) { p.By = "result" },
		"holdout 1":            func(p *Params) { p.Holdout = 1 },
		"the lower one first":  func(p *Params) { p.Least, p.Most = 5, 4 },
		"a cubic needs more":   func(p *Params) { p.By = "1" },
		"labels is 0 to 12":    func(p *Params) { p.Target = 100 },
	} {
		p := params()
		change(&p)
		if _, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{labels}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestNoDraws: games without draws have no model of draws, and the error names the report that they have.
func TestNoDraws(t *testing.T) {
	rows := slices.DeleteFunc(reporttest.CommittedLabels(t), func(l reporttest.Label) bool { return l.Result == "draw" })
	labels := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
	if _, err := run(context.Background(), reporttest.OpenDB(t), params(), []*datasets.Dir{labels}); err == nil || !strings.Contains(err.Error(), "drawn game") || !strings.Contains(err.Error(), "kifu report curve") {
		t.Errorf("error %v", err)
	}
}

// TestRare: a usual target has a twentieth of the positions on either side.
func TestRare(t *testing.T) {
	r := &report{}
	for m := range int32(100) {
		r.cells = append(r.cells, cell{m: m + 1, n: [results]int32{1}})
	}
	for target, want := range map[float64]bool{0: true, 4: true, 5: false, 50: false, 95: false, 96: true, 200: true} {
		if got := r.rare(target); got != want {
			t.Errorf("%v: %v", target, got)
		}
	}
}

// TestEnds: a model ends where positions end, however wide a range is given or usual. A usual target that few are beyond is their mean.
func TestEnds(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for want, change := range map[[3]float64]func(*Params){
		{0, 12, 6}: func(p *Params) { p.Least, p.Most, p.Target = -5, 500, 6 },
		{1, 25, 9}: func(p *Params) { p.By = byMove },
	} {
		p := params()
		change(&p)
		r, err := run(context.Background(), reporttest.OpenDB(t), p, []*datasets.Dir{labels})
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]float64{float64(r.Fit.Least), float64(r.Fit.Most), r.Fit.Target}; got != want {
			t.Errorf("%s: from, to and target %v, want %v", r.Params.By, got, want)
		}
	}
}

// TestMoveNumbers: values of a game that numbers every move mean by those numbers, twice as many as in chess.
func TestMoveNumbers(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	labels.Manifest.Meta["game"] = othello.Rules{}.Name()
	p := params()
	p.By, p.Least, p.Most = byMove, 1, 240
	r, err := run(board.With(t.Context(), []board.Game{board.Of(othello.Rules{})}), reporttest.OpenDB(t), p, []*datasets.Dir{labels})
	if err != nil {
		t.Fatal(err)
	}
	if got := [2]float64{float64(r.Fit.Least), float64(r.Fit.Most)}; got != [2]float64{1, 50} || !strings.Contains(r.SQL, "move_number(ply, false)") {
		t.Errorf("from and to %v in %s", got, r.SQL)
	}
}

// TestRowsAreTheQuery: the rows are those of the query that the page prints, and the bins their sums over what values mean by.
func TestRowsAreTheQuery(t *testing.T) {
	for _, by := range []string{params().By, byMove} {
		t.Run(by, func(t *testing.T) { rowsAreTheQuery(t, by) })
	}
}

func rowsAreTheQuery(t *testing.T, by string) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	db := reporttest.OpenDB(t)
	p := params()
	p.By = by
	r, err := run(context.Background(), db, p, []*datasets.Dir{labels})
	if err != nil {
		t.Fatal(err)
	}
	result, err := db.Query(context.Background(), r.SQL)
	if err != nil {
		t.Fatal(err)
	}
	rows, kept, err := sheet.Keep(result)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := kept.All()
	if got, err := r.Result.All(); err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(r.Result.Columns, kept.Columns) {
		t.Errorf("%v, %v: not as the query has it", got, err)
	}
	counts := map[float64][3]float64{}
	for _, f := range rows {
		n := counts[f.Number("value")]
		for i, name := range []string{"wins", "draws", "losses"} {
			n[i] += f.Number(name)
		}
		counts[f.Number("value")] = n
	}
	at := 0
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		n := counts[v]
		if sum := n[0] + n[1] + n[2]; sum >= shape.LeastDrawn {
			for i, share := range r.Bins[at].share {
				if r.Bins[at].positions != sum || math.Abs(share-n[i]/sum) > 1e-12 {
					t.Errorf("at %v: %v positions, shares %v; the query has %v", v, r.Bins[at].positions, r.Bins[at].share, n)
				}
			}
			at++
		}
	}
	if at == 0 || at != len(r.Bins) {
		t.Errorf("%d bins, the query has %d", len(r.Bins), at)
	}
}
