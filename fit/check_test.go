package fit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/fittest"
	"kifu/fit/method"
)

// TestLearningCurve: every part of the games is in the next, and the last is all.
func TestLearningCurve(t *testing.T) {
	s := fittest.Small()
	s.Games = 900
	s.Zero([]int{3, 4, 5})
	dir, err := fitTo(t, Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"g1"}, Holdout: 0.3, LearningCurve: true, Seed: 2}, 2, s.Labels(t, "", func(*columns.Batch) {}), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fitted.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Curve) != 5 {
		t.Fatalf("%+v", r.Curve)
	}
	last := r.Curve[4]
	if last.Games != r.Train.Games || last.Train.LogLoss != r.Train.Fitted.LogLoss || last.Held.LogLoss != r.Held.Fitted.LogLoss || *last.Held.Order != *r.Held.Fitted.Order {
		t.Errorf("%+v, the fit %+v, %+v", last, r.Train.Fitted, r.Held.Fitted)
	}
	for i, p := range r.Curve[1:] {
		if before := r.Curve[i]; p.Games < before.Games*3/2 || p.Held == nil {
			t.Errorf("%+v after %+v", p, before)
		}
	}
	if first := r.Curve[0].Held; first.LogLoss < last.Held.LogLoss {
		t.Errorf("a sixteenth of the games predicts the rest better: %v, %v", first.LogLoss, last.Held.LogLoss)
	}
}

// TestCheck: all that hinders a fit is told at once.
func TestCheck(t *testing.T) {
	s := fittest.Small()
	s.Present.Terms[2].Weights, s.Present.Terms[3].Weights = []float64{0}, []float64{0}
	kinds := func(p Params, change func(b *columns.Batch)) string {
		t.Helper()
		p.Method, p.Draws = method.MLM{}, DrawsExclude
		copied := func(_ context.Context, dir *datasets.Dir, features []computed.Feature) ([][]float64, error) {
			out := make([][]float64, len(features))
			for i := range features {
				for row := range int(dir.Rows()) {
					out[i] = append(out[i], []float64{float64(row % 7), 2 * float64(row%7), 0, 1}[i])
				}
			}
			return out, nil
		}
		got, err := check(context.Background(), p, Means{Workers: 2}, Sources{Labels: s.Labels(t, "", change)}, inParts(copied))
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, n := range got.Problems {
			all = append(all, n.Kind)
		}
		all = append(all, "|")
		for _, n := range got.Notes {
			all = append(all, n.Kind)
		}
		return strings.Join(all, " ")
	}
	same := func(*columns.Batch) {}
	four := []computed.Feature{{Name: "x", SQL: "x"}, {Name: "twice", SQL: "2*x"}, {Name: "none", SQL: "0"}, {Name: "one", SQL: "1"}}
	if got := kinds(Params{Add: four}, same); got != "collinear | never fires constant" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Add: four, Free: []string{"all"}}, same); got != "collinear | never fires constant scale held" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Free: []string{"t2"}}, same); got != "|" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Free: []string{"t2"}}, func(b *columns.Batch) { b.Col("result").Valid = make([]bool, b.Rows) }); !slices.Contains(strings.Fields(got), "position") {
		t.Errorf("%s", got)
	}
}
