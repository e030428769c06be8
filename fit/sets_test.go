package fit

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/fitted"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/schemas"
)

// phases is a computed.Reader of the labels of s: conditions over leaf_phase alone.
func phases(s *fittest.Simulation, holds func(phase int) bool) computed.Reader {
	return inParts(func(_ context.Context, _ *datasets.Dir, features []computed.Feature) ([][]float64, error) {
		var out []float64
		s.Play(func(_ int, _ []eval.Feature, phase int, _ bool) {
			out = append(out, map[bool]float64{true: 1}[holds(phase)])
		})
		return [][]float64{out}, nil
	})
}

// TestSetsAreFits: a set is the fit to the positions of its phases and its neighbours',
// with one weight a term, to the last digits.
func TestSetsAreFits(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3, 4})
	labels := s.Labels(t, "t3,t4", func(*columns.Batch) {})
	for name, m := range map[string]method.Minimised{losses.MLM: {}, losses.LS: {Weight: method.ByGame}, losses.Ordered: {L2: 1e-4}} {
		sets := method.Sets{Phases: []int{0, 6, 9, 15}, Neighbours: 1}
		p := Params{Method: by(t, name, method.Choices{Minimised: m, Sets: sets}), Draws: DrawsExclude, Holdout: 0.3, Seed: 1}
		dir, err := fitTo(t, p, 2, labels, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := fitted.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Sets.Sets) != 4 {
			t.Fatalf("%d sets", len(r.Sets.Sets))
		}
		whole := p
		whole.Method = by(t, name, method.Choices{Minimised: m})
		if dir, err = fitTo(t, whole, 2, labels, nil); err != nil {
			t.Fatal(err)
		}
		same, err := fitted.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Sets.OneSet.LogLoss-same.Held.Fitted.LogLoss) > 1e-12 || r.Weights[0].Fitted != same.Weights[0].Fitted {
			t.Errorf("one set: log-loss %v, by itself %v", r.Sets.OneSet.LogLoss, same.Held.Fitted.LogLoss)
		}
		low, high := []int{0, 0, 6, 9}, []int{8, 14, 99, 99}
		for i, set := range r.Sets.Sets {
			alone := whole
			alone.Where, alone.Untapered = "leaf_phase within", []string{"t3", "t4"}
			dir, err := fitTo(t, alone, 1, labels, phases(s, func(phase int) bool { return phase >= low[i] && phase <= high[i] }))
			if err != nil {
				t.Fatal(set.Name, err)
			}
			want, err := fitted.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			near := func(what string, a, b float64) {
				if !(math.Abs(a-b) <= 1e-6*math.Abs(b)) {
					t.Errorf("%s, phases %s, %s: %.9g, alone %.9g", name, set.Name, what, a, b)
				}
			}
			near("w_0", set.Scale.Value, want.Scale.Value)
			near("w_0's error", *set.Scale.SERobust, *want.Scale.SERobust)
			near("objective", set.Objective, want.Solver.Objective)
			if set.Positions != want.Train.Positions || set.Games != want.Train.Games || set.Refused != "" {
				t.Errorf("%s: %+v, alone %+v", name, set, want.Train)
			}
			if name == losses.Ordered {
				near("draw width", set.DrawWidth.Value, want.DrawWidth.Value)
			}
			for term := range 2 {
				// After the four rows of the fit of all; alone, a row a stage.
				got, alone := r.Weights[4+2*i+term], want.Weights[2*term]
				if got.Term != alone.Term || got.Stage != "phase "+set.Name {
					t.Fatalf("%+v, alone %+v", got, alone)
				}
				near(got.Term, got.Fitted, alone.Fitted)
				near("error", *got.SERobust, *alone.SERobust)
				near("naive", *got.SE, *alone.SE)
				near("low", *got.CILow, *alone.CILow)
			}
		}
	}
}

// TestSetsPlanted: weights that depend on the phase come back, set by set, predict the
// games held out better than one weight, and end in the evaluator's stages.
func TestSetsPlanted(t *testing.T) {
	s := &fittest.Simulation{Terms: 8, PerRow: 5, Games: 3000, PerGame: 12, Scale: 0.01, Tapered: true, Seed: 4}
	s.Models()
	s.Planted.Terms[3].Weights = []float64{60, -40}
	s.Present = s.Planted.Clone()
	s.Zero([]int{3})
	labels := s.Labels(t, "t3", func(*columns.Batch) {})
	p := Params{Method: method.MLM{Sets: method.Sets{Phases: []int{5}}}, Draws: DrawsExclude, Holdout: 0.3, Seed: 2, Untapered: []string{"t3"}}
	dir, err := fitTo(t, p, 2, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fitted.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(r.Sets.Sets); got != 5 {
		t.Fatalf("%d sets", got)
	}
	for i, set := range r.Sets.Sets {
		w := r.Weights[2+i]
		// Phases come in steps of two: 24, 22, … 2.
		sum, n := 0.0, 0.0
		for phase := 24; phase > 0; phase -= 2 {
			if phase >= set.First && phase <= set.Last {
				sum += 60*float64(phase)/24 - 40*(1-float64(phase)/24)
				n++
			}
		}
		if want := sum / n; math.Abs(w.Fitted-want) > 3**w.SERobust || *w.SERobust > 9 {
			t.Errorf("phases %s: %v ± %v, planted %v", set.Name, w.Fitted, *w.SERobust, want)
		}
		if math.Abs(set.Scale.Value-s.Scale) > 3**set.Scale.SERobust {
			t.Errorf("phases %s: w_0 %v ± %v", set.Name, set.Scale.Value, *set.Scale.SERobust)
		}
	}
	if r.Sets.Held.LogLoss > r.Sets.OneSet.LogLoss-0.002 || r.Sets.Held.Order == nil {
		t.Errorf("log-loss %v by sets, %v by one", r.Sets.Held.LogLoss, r.Sets.OneSet.LogLoss)
	}
	text, err := dir.ReadFile("weights.toml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	// The knots are 24 and 0.
	sets := []float64{r.Weights[2+4].Fitted, r.Weights[2].Fitted}
	if got := m.Terms[3].Weights; math.Abs(got[0]-sets[0]) > 0.006 || math.Abs(got[1]-sets[1]) > 0.006 || !slices.Equal(m.Terms[2].Weights, s.Present.Terms[2].Weights) {
		t.Errorf("weights.toml has %v, the sets %v", got, sets)
	}
}

// TestSetRefused: a set without a position of its own to fit to says so, keeps the
// present weights, and leaves its positions to the fit of all.
func TestSetRefused(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3})
	labels := s.Labels(t, "t3", func(b *columns.Batch) {
		for i := range b.Rows {
			if b.Col("leaf_phase").Int32[i] > 21 && string(b.Col("result").Value(i)) == "second" {
				b.Col("result").Valid[i] = false
			}
		}
	})
	p := Params{Method: method.MLM{Sets: method.Sets{Phases: []int{0, 22}}}, Draws: DrawsExclude, Holdout: 0.3, Seed: 1}
	dir, err := fitTo(t, p, 1, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := fitted.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	last, w := r.Sets.Sets[1], r.Weights[len(r.Weights)-1]
	if !strings.Contains(last.Refused, "the second player wins none") || last.Scale != nil || w.Status != schemas.StatusRefused || w.Fitted != w.Initial || *last.Held != *last.OneSet && last.Held.LogLoss != last.OneSet.LogLoss {
		t.Errorf("%+v, %+v", last, w)
	}
}

func TestParsePhases(t *testing.T) {
	for text, want := range map[string][]int{"4": {4}, "0, 10,20": {0, 10, 20}, "x": nil, "1,": nil} {
		if got, err := ParsePhases(text); !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	wide, starts := stretches{4}, stretches{0, 10, 14}
	for phase, want := range map[int][2]uint8{0: {0, 0}, 3: {0, 0}, 4: {1, 0}, 13: {3, 1}, 14: {3, 2}, 64: {16, 2}} {
		if a, b := wide.set(phase), starts.set(phase); a != want[0] || b != want[1] {
			t.Errorf("phase %d: sets %d, %d, want %v", phase, a, b, want)
		}
	}
	for text, s := range map[string]stretches{"0-3": wide, "0-9": starts, "0": {1}} {
		if got := setName(s.bounds(0)); got != text {
			t.Errorf("%v: %s, want %s", s, got, text)
		}
	}
	if got := setName(stretches{7, 9}.bounds(1)); got != "9-" {
		t.Error(got)
	}
	set := method.Sets{Phases: []int{4}}
	by := method.Scales{ScaleBy: "x"}
	for want, p := range map[string]Params{
		"have to ascend":       {Method: method.MLM{Sets: method.Sets{Phases: []int{4, 4}}}},
		"width of a set":       {Method: method.MLM{Sets: method.Sets{Phases: []int{0}}}},
		"are of one set":       {Method: method.MLM{Sets: set}, Folds: 3},
		"needs --phases":       {Method: method.MLM{Sets: method.Sets{Neighbours: 1}}},
		"not negative":         {Method: method.MLM{Sets: method.Sets{Phases: []int{4}, Neighbours: -1}}},
		"a scale of its own":   {Method: method.MLM{Sets: set, Scales: by}},
		"the other holds one":  {Method: method.MLM{Scales: by, Held: method.Held{Scale: 1}}},
		"take --l2 or --prior": {Method: method.MLM{Scales: by, Minimised: method.Minimised{L1: 1}}},
		"want a limit above 0": {Method: method.MLM{Positions: method.Positions{WithoutBlunders: -1}}},
	} {
		p.Draws = DrawsExclude
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}
