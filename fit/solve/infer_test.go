package solve

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
)

// TestInference holds the tests of groups and a correlation to statsmodels and scipy
// (testdata/reference.py).
func TestInference(t *testing.T) {
	var want struct {
		Ratio, Wald, Correlation float64
		RatioP                   float64 `json:"ratio_p"`
		WaldP                    float64 `json:"wald_p"`
	}
	if err := json.Unmarshal(fittest.Solutions(t, "reference.json")["tests"], &want); err != nil {
		t.Fatal(err)
	}
	r := fittest.ReferenceRows(t, losses.MLM, false)
	e, err := Fit(context.Background(), r, Settings{Method: losses.MLM, Workers: 2, plain: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Ratios(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if len(e.Tests) != 2 || e.Tests[0].Group != "g" || e.Tests[0].Weights != 3 || e.Tests[1].Weights != 1 {
		t.Fatalf("%+v", e.Tests)
	}
	g := e.Tests[0]
	for what, x := range map[string][2]float64{"ratio": {*g.Ratio, want.Ratio}, "its chance": {*g.RatioP, want.RatioP},
		"wald": {*g.Wald, want.Wald}, "chance of that": {*g.WaldP, want.WaldP}} {
		if math.Abs(x[0]-x[1]) > 1e-6*x[1] {
			t.Errorf("%s: %v, want %v", what, x[0], x[1])
		}
	}
	// One weight against its robust error.
	if z := e.Weights[3] / e.se.robust[3]; math.Abs(*e.Tests[1].Wald-z*z) > 0.2*z*z {
		t.Errorf("wald of one weight %v, z² %v", *e.Tests[1].Wald, z*z)
	}
	found := false
	for i, p := range e.Correlated {
		if i > 0 && math.Abs(p.Correlation) > math.Abs(e.Correlated[i-1].Correlation) {
			t.Errorf("%+v is not in its place", p)
		}
		if p.A == "a (opening)" && p.B == "a (endgame)" {
			found = true
			if math.Abs(p.Correlation-want.Correlation) > 1e-6 {
				t.Errorf("correlation %v, want %v", p.Correlation, want.Correlation)
			}
		}
	}
	if !found || len(e.Correlated) != mostPairs { // 5 unknowns make 10 pairs
		t.Errorf("%+v", e.Correlated)
	}
}
