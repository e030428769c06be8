package fit

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"testing"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/splitmix"
)

// TestAgreement holds the order agreement to scikit-learn's ROC curve and scipy's
// Somers' D (testdata/reference.py), and to its definition.
func TestAgreement(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Agreement struct{ AUC, Somers float64 } }
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	var all, decided []point
	r := referenceRows(t, MLM, true)
	n := 0
	for _, b := range r.blocks {
		for i := range b.rows() {
			p := point{z: math.RoundToEven(float64(b.value[i]) / 50), y: float64(b.y[i]), w: 1}
			all = append(all, p)
			if p.w = float64(1 + n%3); p.y != 0.5 {
				decided = append(decided, p)
			}
			n++
		}
	}
	if got := agreement(decided); math.Abs(*got-want.Agreement.AUC) > 1e-12 {
		t.Errorf("wins and losses: %v, want %v", *got, want.Agreement.AUC)
	}
	if got := agreement(all); math.Abs(*got-want.Agreement.Somers) > 1e-12 {
		t.Errorf("with draws: %v, want %v", *got, want.Agreement.Somers)
	}
	some := all[:200]
	for i := range some {
		some[i].w = float64(1 + i%4)
	}
	right, pairs := 0.0, 0.0
	for _, a := range some {
		for _, b := range some {
			if a.y > b.y {
				pairs += a.w * b.w
				if a.z > b.z {
					right += a.w * b.w
				} else if a.z == b.z {
					right += a.w * b.w / 2
				}
			}
		}
	}
	if got := agreement(some); math.Abs(*got-right/pairs) > 1e-12 {
		t.Errorf("weighted: %v, want %v", *got, right/pairs)
	}
	if got := agreement([]point{{1, 1, 1, 0}, {2, 1, 1, 0}}); got != nil {
		t.Errorf("no pair: %v", *got)
	}
}

// TestSubset: a part of the games is as if the others had never been read.
func TestSubset(t *testing.T) {
	s := small()
	d := newDesign(s.present, between(1, s.terms), nil, []string{"x"})
	keep := func(id int64) bool { return id%3 != 1 }
	all, some := newBuilder(d), newBuilder(d)
	s.play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &row{game: int64(game), phase: phase, weight: float64(1 + game%2), value: s.present.Score(features, phase), dense: []float64{float64(phase % 5)}, stratum: uint8(phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.features = append(x.features, count{f.Term - 1, f.Count})
			}
		}
		if won {
			x.y = 1
		}
		all.add(x)
		if keep(x.game) {
			some.add(x)
		}
	})
	got, want := all.finish().subset(keep), some.finish()
	if got.n != want.n || got.games != want.games || got.weight != want.weight {
		t.Fatalf("%d rows of %d games, weight %v; want %d of %d, %v", got.n, got.games, got.weight, want.n, want.games, want.weight)
	}
	list := func(r *rows) (out []row) {
		for _, b := range r.blocks {
			for i := range b.rows() {
				x := row{}
				r.load(b, i, &x)
				out = append(out, x)
			}
		}
		return out
	}
	a, b := list(got), list(want)
	for i := range a {
		if !reflect.DeepEqual(a[i], b[i]) {
			t.Fatalf("row %d is %+v, want %+v", i, a[i], b[i])
		}
	}
}

// TestFolds: every game is foretold once, by a fit that has not seen it.
func TestFolds(t *testing.T) {
	s := small()
	s.zero([]int{3, 4, 5})
	p := Params{Method: MLM, Draws: DrawsHalf, Free: []string{"g1"}, Folds: 4, Seed: 5}
	labels := s.labels(t, "", func(*datasets.Batch) {})
	dir, err := fitTo(t, p, 2, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Folds
	if f == nil || len(f.Each) != 4 || !(f.Fitted.LogLoss > r.Train.Fitted.LogLoss && f.Fitted.LogLoss < f.Original.LogLoss && f.Original.LogLoss < f.Base.LogLoss) {
		t.Fatalf("%+v, train %+v", f, r.Train)
	}
	if *f.Fitted.Order < 0.6 || *f.Fitted.Order < *f.Original.Order {
		t.Errorf("order agreement %v, was %v", *f.Fitted.Order, *f.Original.Order)
	}
	phases := 0
	for _, b := range f.Bands {
		if b.By == "phase" {
			phases += b.Positions
		}
	}
	if phases != 0 { // the labels of the simulation have no ply
		t.Errorf("%d positions in bands of the phase", phases)
	}

	// The first fold by hand.
	in, err := read(context.Background(), p, Means{Workers: 2}, Sources{Labels: labels}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := func(id int64) bool { return splitmix.Hash(5^foldSalt, id)%4 == 0 }
	e, err := solve(context.Background(), in.train.rows.subset(func(id int64) bool { return !first(id) }), settings{method: MLM, minGames: 10, workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	held := in.train.rows.subset(first)
	if want := held.metrics(e.fitted(), 2); math.Abs(f.Each[0].LogLoss-want.LogLoss) > 1e-12 || held.games < 40 {
		t.Errorf("fold 1: %v, want %v of %d games", f.Each[0].LogLoss, want.LogLoss, held.games)
	}
	if p.Folds = 2000; p.Validate() == nil {
		t.Error("2000 folds")
	}
}

// TestSamples: caps a game, conditions on games, and games to test on.
func TestSamples(t *testing.T) {
	s := small()
	labels, other := s.labels(t, "", func(*datasets.Batch) {}), (*datasets.Dir)(nil)
	s.seed = 8
	other = s.labels(t, "", func(*datasets.Batch) {})
	games := func(_ context.Context, dir *datasets.Dir, features []Feature) ([][]float64, error) {
		out := make([][]float64, 2)
		for id := range 300 {
			out[0], out[1] = append(out[0], float64(id)), append(out[1], float64(id%2))
		}
		return out, nil
	}
	base := Params{Method: MLM, Draws: DrawsHalf, Free: []string{"t3"}, Seed: 1}
	var want [][]float32
	for _, workers := range []int{1, 3} {
		p := base
		p.MaxPerGame, p.GamesWhere = 4, "odd"
		in, err := read(context.Background(), p, Means{Workers: workers}, Sources{Labels: labels, Test: other, Games: gamesDir(t)}, games)
		if err != nil {
			t.Fatal(err)
		}
		if in.train.rows.n != 4*150 || in.train.rows.games != 150 || in.held.rows.n != 4*300 || in.counts.Rejected[overCap] != 16*450 || in.counts.Rejected[unwanted] != 20*150 {
			t.Errorf("%d positions of %d games, %d to test on; %v", in.train.rows.n, in.train.rows.games, in.held.rows.n, in.counts.Rejected)
		}
		if r := in.train.results; r.sum() != 600 || r.draws != 4*30 {
			t.Errorf("%+v", r)
		}
		var values [][]float32
		for _, b := range in.train.rows.blocks {
			values = append(values, b.value)
		}
		if want == nil {
			want = values
		}
		if !reflect.DeepEqual(values, want) {
			t.Errorf("another choice with %d workers", workers)
		}
	}
	p := base
	p.MaxPerGame, p.Seed = 4, 2
	in, err := read(context.Background(), p, Means{Workers: 2}, Sources{Labels: labels}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(in.train.rows.blocks[0].value[:40], want[0][:40]) {
		t.Error("the same choice with another seed")
	}
	s.present.Terms[0].Weights[0]++
	if _, err := read(context.Background(), base, Means{Workers: 2}, Sources{Labels: labels, Test: s.labels(t, "", func(*datasets.Batch) {})}, nil); err == nil {
		t.Error("labels of another evaluator are tested on")
	}
}
