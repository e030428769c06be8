package fit

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
)

// TestInference holds the tests of groups and a correlation to statsmodels and scipy
// (testdata/reference.py).
func TestInference(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Tests struct {
			Ratio, Wald, Correlation float64
			RatioP                   float64 `json:"ratio_p"`
			WaldP                    float64 `json:"wald_p"`
		}
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	r := referenceRows(t, MLM, false)
	e, err := solve(context.Background(), r, settings{method: MLM, workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.ratios(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if len(e.tests) != 2 || e.tests[0].Group != "g" || e.tests[0].Weights != 3 || e.tests[1].Weights != 1 {
		t.Fatalf("%+v", e.tests)
	}
	g := e.tests[0]
	for what, x := range map[string][2]float64{"ratio": {*g.Ratio, want.Tests.Ratio}, "its chance": {*g.RatioP, want.Tests.RatioP},
		"wald": {*g.Wald, want.Tests.Wald}, "chance of that": {*g.WaldP, want.Tests.WaldP}} {
		if math.Abs(x[0]-x[1]) > 1e-6*x[1] {
			t.Errorf("%s: %v, want %v", what, x[0], x[1])
		}
	}
	// One weight against its robust error.
	if z := e.weights[3] / e.errors.robust[3]; math.Abs(*e.tests[1].Wald-z*z) > 0.2*z*z {
		t.Errorf("wald of one weight %v, z² %v", *e.tests[1].Wald, z*z)
	}
	found := false
	for i, p := range e.pairsOf {
		if i > 0 && math.Abs(p.Correlation) > math.Abs(e.pairsOf[i-1].Correlation) {
			t.Errorf("%+v is not in its place", p)
		}
		if p.A == "a (opening)" && p.B == "a (endgame)" {
			found = true
			if math.Abs(p.Correlation-want.Tests.Correlation) > 1e-6 {
				t.Errorf("correlation %v, want %v", p.Correlation, want.Tests.Correlation)
			}
		}
	}
	if !found || len(e.pairsOf) != mostPairs { // 5 unknowns make 10 pairs
		t.Errorf("%+v", e.pairsOf)
	}
}

// TestLearningCurve: every part of the games is in the next, and the last is all.
func TestLearningCurve(t *testing.T) {
	s := small()
	s.games = 900
	s.zero([]int{3, 4, 5})
	dir, err := fitTo(t, Params{Method: MLM, Draws: DrawsHalf, Free: []string{"g1"}, Holdout: 0.3, LearningCurve: true, Seed: 2}, 2, s.labels(t, "", func(*datasets.Batch) {}), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
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
			t.Errorf("%+v behind %+v", p, before)
		}
	}
	if first := r.Curve[0].Held; first.LogLoss < last.Held.LogLoss {
		t.Errorf("a sixteenth of the games foretells the rest better: %v, %v", first.LogLoss, last.Held.LogLoss)
	}
}

// TestCheck: all that hinders a fit is told at once.
func TestCheck(t *testing.T) {
	s := small()
	s.present.Terms[2].Weights, s.present.Terms[3].Weights = []float64{0}, []float64{0}
	kinds := func(p Params, change func(b *datasets.Batch)) string {
		t.Helper()
		p.Method, p.Draws = MLM, DrawsExclude
		copied := func(_ context.Context, dir *datasets.Dir, features []Feature) ([][]float64, error) {
			out := make([][]float64, len(features))
			for i := range features {
				for row := range int(dir.Rows()) {
					out[i] = append(out[i], []float64{float64(row % 7), 2 * float64(row%7), 0, 1}[i])
				}
			}
			return out, nil
		}
		got, err := check(context.Background(), p, Means{Workers: 2}, Sources{Labels: s.labels(t, "", change)}, copied)
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
	same := func(*datasets.Batch) {}
	four := []Feature{{Name: "x", SQL: "x"}, {Name: "twice", SQL: "2*x"}, {Name: "none", SQL: "0"}, {Name: "one", SQL: "1"}}
	if got := kinds(Params{Add: four}, same); got != "collinear | never fires constant" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Add: four, Free: []string{"all"}}, same); got != "all free collinear | never fires constant" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Free: []string{"t2"}}, same); got != "|" {
		t.Errorf("%s", got)
	}
	if got := kinds(Params{Free: []string{"t2"}}, func(b *datasets.Batch) { b.Col("result").Valid = make([]bool, b.Rows) }); !slices.Contains(strings.Fields(got), "position") {
		t.Errorf("%s", got)
	}
}
