package fit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/eval"
)

// reference is a fit by somebody else's solver: the weights and w_0, their errors.
type reference struct {
	Weights   []float64
	SE        []*float64 // nil where there is none
	SERobust  []*float64 `json:"se_robust"`
	Z         []float64  // of the weights being zero, in log-odds
	Objective float64
	Target    float64 `json:"target_scale"`
}

// referenceRows reads testdata/reference.csv: a is a term with two stages, b one
// without, c an added feature. The deeper value is y for method Value, else the target.
func referenceRows(t *testing.T, method string, draws bool, builtin ...string) *rows {
	t.Helper()
	f, err := os.Open("testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	d := newDesign(m, []int{0, 1}, builtin, []string{"c"})
	d.drawn = method == Ordered
	b := newBuilder(d)
	b.blend = true
	for _, line := range lines[1:] {
		var v [8]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if v[6] == 0.5 && !draws {
			continue
		}
		x := &row{game: int64(v[0]), phase: int(v[1]), value: v[5], y: v[6], target: v[7], weight: 1, dense: []float64{v[4]}}
		if method == Value {
			x.y = x.target
		}
		for slot := range 2 {
			if v[2+slot] != 0 {
				x.features = append(x.features, count{uint16(slot), int16(v[2+slot])})
			}
		}
		if len(builtin) > 0 {
			x.features = append(x.features, count{2, 1})
		}
		b.add(x)
	}
	return b.finish()
}

// TestReference holds fits to the solutions and standard errors of statsmodels and
// scipy (testdata/reference.py), to 1e-6 of the value.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]settings{
		"mlm":               {method: MLM},
		"mlm_half":          {method: MLM},
		"mlm_l2":            {method: MLM, l2: 0.01},
		"mlm_scale":         {method: MLM, scale: 0.005},
		"ls":                {method: LS},
		"ordered":           {method: Ordered},
		"ordered_intercept": {method: Ordered},
		"value":             {method: Value},
		"mlm_blend":         {method: MLM},
		"ls_blend":          {method: LS},
		"mlm_game":          {method: MLM},
		"mlm_l1":            {method: MLM, l1: 0.02},
		"mlm_bound":         {method: MLM},
	} {
		t.Run(name, func(t *testing.T) {
			var want reference
			if err := json.Unmarshal(all[name], &want); err != nil {
				t.Fatal(err)
			}
			s.workers = 2
			var builtin []string
			if name == "ordered_intercept" {
				builtin = []string{interceptName}
			}
			blend := strings.HasSuffix(name, "_blend")
			r := referenceRows(t, s.method, name == "mlm_half" || name == "mlm_game" || blend || s.method == Ordered || s.method == Value, builtin...)
			if blend {
				scale, err := r.blend(0.3, 0, 2)
				if err != nil || math.Abs(scale-want.Target) > 1e-7*want.Target {
					t.Fatalf("target scale %v, want %v: %v", scale, want.Target, err)
				}
			}
			if name == "mlm_game" {
				r = unevenGames(r)
				r.byGame()
			}
			if name == "mlm_bound" {
				zero, five, fifteen := 0.0, 5.0, 15.0
				if err := r.d.constrain(Params{Bounds: []Bound{{Of: "c", Low: &five, High: &fifteen}}}); err != nil {
					t.Fatal(err)
				}
				r.d.params[1].low = zero
			}
			e, err := solve(context.Background(), r, s)
			if err != nil {
				t.Fatal(err)
			}
			if len(builtin) > 0 { // it comes before c here
				for _, x := range [][]float64{e.weights, e.errors.model, e.errors.robust, e.errors.z} {
					x[3], x[4] = x[4], x[3]
				}
			}
			check := func(what string, got, want []float64) {
				if len(got) < len(want) {
					t.Fatalf("%d of %s, want %d", len(got), what, len(want))
				}
				for i, w := range want {
					if !(math.Abs(got[i]-w) <= 1e-6*math.Abs(w)) && !(math.IsNaN(w) && math.IsNaN(got[i])) {
						t.Errorf("%s of %s: %.10g, want %.10g", what, e.d.name(i), got[i], w)
					}
				}
			}
			check("weight", append(slices.Clone(e.weights), e.theta[r.d.scale():]...), want.Weights)
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
			check("se", e.errors.model, some(want.SE))
			check("robust se", e.errors.robust, some(want.SERobust))
			check("z", e.errors.z, want.Z[:min(len(want.Z), r.d.scale())])
			if math.Abs(e.meanLoss-want.Objective) > 1e-9*max(1, want.Objective) {
				t.Errorf("objective %.12f, want %.12f", e.meanLoss, want.Objective)
			}
			if e.minimum.status != converged {
				t.Error(e.minimum.status)
			}
		})
	}
}

// unevenGames leaves 3 to 18 positions of each game of the reference.
func unevenGames(r *rows) *rows {
	b := newBuilder(r.d)
	phaseOf := r.d.phases()
	for _, block := range r.blocks {
		from := 0
		for _, run := range block.games {
			for i := from; i < min(run.end, from+3+int(run.id)%16); i++ {
				x := &row{}
				r.load(block, i, x)
				x.game, x.phase = run.id, phaseOf[block.class[i]]
				b.add(x)
			}
			from = run.end
		}
	}
	return b.finish()
}
