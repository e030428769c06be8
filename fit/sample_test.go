package fit

import (
	"context"
	"reflect"
	"testing"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/fittest"
	"kifu/fit/method"
)

// TestFolds: every game is predicted once, by a fit that has not seen it.
func TestFolds(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3, 4, 5})
	p := Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"g1"}, Folds: 4, Seed: 5}
	labels := s.Labels(t, "", func(*columns.Batch) {})
	dir, err := fitTo(t, p, 2, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fitted.Read(dir)
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

	if p.Folds = 2000; p.Validate() == nil {
		t.Error("2000 folds")
	}
}

// TestSamples: caps a game, conditions on games, and games to test on.
func TestSamples(t *testing.T) {
	s := fittest.Small()
	labels, other := s.Labels(t, "", func(*columns.Batch) {}), (*datasets.Dir)(nil)
	s.Seed = 8
	other = s.Labels(t, "", func(*columns.Batch) {})
	games := func(_ context.Context, dir *datasets.Dir, features []computed.Feature) ([][]float64, error) {
		out := make([][]float64, 2)
		for id := range 300 {
			out[0], out[1] = append(out[0], float64(id)), append(out[1], float64(id%2))
		}
		return out, nil
	}
	base := Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"t3"}, Seed: 1}
	four := method.MLM{Minimised: method.Minimised{MaxPerGame: 4}}
	var want [][]float32
	for _, workers := range []int{1, 3} {
		p := base
		p.Method, p.GamesWhere = four, "odd"
		in, err := read(context.Background(), chosen(t, p), Means{Workers: workers}, Sources{Labels: labels, Test: other, Games: gamesDir(t, 300)}, inParts(games))
		if err != nil {
			t.Fatal(err)
		}
		if in.train.rows.N != 4*150 || in.train.rows.Games != 150 || in.held.rows.N != 4*300 || in.counts.Rejected[overCap] != 16*450 || in.counts.Rejected[bygame.Unwanted] != 20*150 {
			t.Errorf("%d positions of %d games, %d to test on; %v", in.train.rows.N, in.train.rows.Games, in.held.rows.N, in.counts.Rejected)
		}
		if r := in.train.results; r.Sum() != 600 || r.Draws != 4*30 {
			t.Errorf("%+v", r)
		}
		var values [][]float32
		for _, b := range in.train.rows.Blocks {
			values = append(values, b.Value)
		}
		if want == nil {
			want = values
		}
		if !reflect.DeepEqual(values, want) {
			t.Errorf("another choice with %d workers", workers)
		}
	}
	p := base
	p.Method, p.Seed = four, 2
	in, err := read(context.Background(), chosen(t, p), Means{Workers: 2}, Sources{Labels: labels}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(in.train.rows.Blocks[0].Value[:40], want[0][:40]) {
		t.Error("the same choice with another seed")
	}
	s.Present.Terms[0].Weights[0]++
	if _, err := read(context.Background(), chosen(t, base), Means{Workers: 2}, Sources{Labels: labels, Test: s.Labels(t, "", func(*columns.Batch) {})}, nil); err == nil {
		t.Error("labels of another evaluator are tested on")
	}
}
