package solve

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"kifu/fit/constraints"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/fit/scale"
)

// TestReference holds fits to the solutions and standard errors of statsmodels and
// scipy (testdata/reference.py), to 1e-6 of the value.
func TestReference(t *testing.T) {
	all := fittest.Solutions(t, "reference.json")
	for name, s := range map[string]Settings{
		"mlm":               {Method: losses.MLM},
		"mlm_half":          {Method: losses.MLM},
		"mlm_l2":            {Method: losses.MLM, L2: 0.01},
		"mlm_scale":         {Method: losses.MLM, Scale: 0.005},
		"ls":                {Method: losses.LS},
		"ordered":           {Method: losses.Ordered},
		"ordered_intercept": {Method: losses.Ordered},
		"value":             {Method: losses.Value},
		"mlm_blend":         {Method: losses.MLM},
		"ls_blend":          {Method: losses.LS},
		"mlm_game":          {Method: losses.MLM},
		"mlm_l1":            {Method: losses.MLM, L1: 0.02},
		"mlm_bound":         {Method: losses.MLM},
	} {
		t.Run(name, func(t *testing.T) {
			var want fittest.Solution
			if err := json.Unmarshal(all[name], &want); err != nil {
				t.Fatal(err)
			}
			s.Workers, s.plain = 2, true
			var builtin []string
			if name == "ordered_intercept" {
				builtin = []string{rows.InterceptName}
			}
			blended := strings.HasSuffix(name, "_blend")
			draws := name == "mlm_half" || name == "mlm_game" || blended || s.Method == losses.Ordered || s.Method == losses.Value
			r := fittest.ReferenceRows(t, s.Method, draws, builtin...)
			if blended {
				factor, ok := scale.Of(r, losses.Logistic{}, rows.Targets, 2)
				if !ok || math.Abs(factor-want.Target) > 1e-7*want.Target {
					t.Fatalf("target scale %v, want %v", factor, want.Target)
				}
				r.Blend(0.3, factor)
			}
			if name == "mlm_game" {
				r = fittest.UnevenRows(t, s.Method)
				r.ByGame()
			}
			if name == "mlm_bound" {
				zero, five, fifteen := 0.0, 5.0, 15.0
				if err := (constraints.Set{Bounds: []constraints.Bound{{Of: "c", Low: &five, High: &fifteen}}}).Apply(r.Design); err != nil {
					t.Fatal(err)
				}
				r.Design.Params[1].Low = zero
			}
			e, err := Fit(context.Background(), r, s)
			if err != nil {
				t.Fatal(err)
			}
			if len(builtin) > 0 { // it comes before c here
				for _, x := range [][]float64{e.Weights, e.se.model, e.se.robust, e.se.z} {
					x[3], x[4] = x[4], x[3]
				}
			}
			check := func(what string, got, want []float64) {
				if len(got) < len(want) {
					t.Fatalf("%d of %s, want %d", len(got), what, len(want))
				}
				for i, w := range want {
					if !(math.Abs(got[i]-w) <= 1e-6*math.Abs(w)) && !(math.IsNaN(w) && math.IsNaN(got[i])) {
						t.Errorf("%s of %s: %.10g, want %.10g", what, e.Design.Name(i), got[i], w)
					}
				}
			}
			check("weight", append(slices.Clone(e.Weights), e.theta[r.Design.Scale():]...), want.Weights)
			some := func(x []*float64) (out []float64) {
				for _, p := range x {
					if p == nil {
						out = append(out, math.NaN())
					} else {
						out = append(out, *p)
					}
				}
				return out
			}
			if s.L1 == 0 { // a lasso has no errors
				check("se", e.se.model, some(want.SE))
				check("robust se", e.se.robust, some(want.SERobust))
				check("z", e.se.z, want.Z[:min(len(want.Z), r.Design.Scale())])
			}
			if math.Abs(e.MeanLoss-want.Objective) > 1e-9*max(1, want.Objective) {
				t.Errorf("objective %.12f, want %.12f", e.MeanLoss, want.Objective)
			}
			if e.Minimum.Status != minimise.Converged {
				t.Error(e.Minimum.Status)
			}
		})
	}
}
