package solve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/fit/constraints"
	"kifu/fit/fittest"
	"kifu/fit/forecast"
	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/schemas"
)

// mark gives every game's rows the level that of returns.
func mark(r *rows.Store, of func(game int64) uint8) *rows.Store {
	for _, b := range r.Blocks {
		b.Level = nil
		for _, run := range b.Games {
			for len(b.Level) < run.End {
				b.Level = append(b.Level, of(run.ID))
			}
		}
	}
	return r
}

// TestLevelsReference holds fits with a scale for each level, and their errors, to
// scipy's (testdata/reference.py), to 1e-6.
func TestLevelsReference(t *testing.T) {
	all := fittest.Solutions(t, "reference.json")
	for _, method := range []string{losses.MLM, losses.LS, losses.Value} {
		var want fittest.Solution
		if err := json.Unmarshal(all[method+"_levels"], &want); err != nil {
			t.Fatal(err)
		}
		r := mark(fittest.ReferenceRows(t, method, method == losses.Value), func(game int64) uint8 { return uint8(game % 3) })
		var results []string
		for _, workers := range []int{1, 3} {
			e, err := Fit(context.Background(), r, Settings{Method: method, Workers: workers, Levels: []string{"zero", "one", "two"}, plain: true})
			if err != nil {
				t.Fatal(method, err)
			}
			got, model, robust := slices.Clone(e.Weights), e.se.model[:4:4], e.se.robust[:4:4]
			for _, l := range e.levels {
				got, model, robust = append(got, l.scale), append(model, l.se), append(robust, l.robust)
			}
			for i := range want.Weights {
				for what, pair := range map[string][2]float64{"weight": {got[i], want.Weights[i]}, "se": {model[i], *want.SE[i]}, "robust": {robust[i], *want.SERobust[i]}} {
					if math.Abs(pair[0]-pair[1]) > 1e-6*math.Abs(pair[1]) {
						t.Errorf("%s, %s %d: %.9g, want %.9g", method, what, i, pair[0], pair[1])
					}
				}
			}
			if math.Abs(e.MeanLoss-want.Objective) > 1e-9*want.Objective || e.Minimum.Status != minimise.Converged {
				t.Errorf("%s: objective %v, want %v; %s", method, e.MeanLoss, want.Objective, e.Minimum.Status)
			}
			results = append(results, fmt.Sprint(got, model, robust))
		}
		if results[0] != results[1] {
			t.Errorf("%s: one worker %s, three %s", method, results[0], results[1])
		}
	}
}

// TestLevelsGradient: gradient and exact Hessian against central differences.
func TestLevelsGradient(t *testing.T) {
	for _, l := range []losses.Loss{losses.Logistic{}, losses.Squares{}, losses.Linear{}} {
		s := fittest.Small()
		s.Present.Terms[4].Weights = []float64{7, -3}
		r := mark(s.Rows([]int{3, 4, 5}), func(game int64) uint8 { return uint8(game % 4) })
		if err := (constraints.Set{Tie: [][]string{{"t3", "t4"}}}).Apply(r.Design); err != nil {
			t.Fatal(err)
		}
		e, err := Fit(context.Background(), r, Settings{Method: losses.MLM, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		m := newScaled(r, l, e.u, []float64{.01, .01, .01, .02}, []string{schemas.StatusFitted, schemas.StatusFitted, schemas.StatusFitted, schemas.StatusThin}, []float64{0, 1e-5, 0, 0, 1e-5, 0}, 2)
		x := []float64{4, -3, 2, 5, .01, .02, .005}
		if len(x) != m.size {
			t.Fatalf("%d unknowns", m.size)
		}
		grad, up, down := make([]float64, m.size), make([]float64, m.size), make([]float64, m.size)
		m.objective(x, grad)
		h := m.hessian(x, true)
		for i := range x {
			by := 1e-4 * math.Abs(x[i])
			at := slices.Clone(x)
			at[i] += by
			high := m.objective(at, up)
			at[i] -= 2 * by
			low := m.objective(at, down)
			if want := (high - low) / (2 * by); math.Abs(grad[i]-want) > 1e-6*(math.Abs(want)+1e-3) {
				t.Errorf("%T: derivative %d is %v, want %v", l, i, grad[i], want)
			}
			for j := range x {
				want := (up[j] - down[j]) / (2 * by)
				if got := h.At(i, j); math.Abs(got-want) > 1e-5*math.Sqrt(h.At(i, i)*h.At(j, j)) {
					t.Errorf("%T: second derivative %d, %d is %v, want %v", l, i, j, got, want)
				}
			}
		}
	}
}

// TestLevelsPlanted: sources whose values tell more or less of the winner come back with
// their scales, and with the weights that they share.
func TestLevelsPlanted(t *testing.T) {
	s := &fittest.Simulation{Terms: 10, PerRow: 5, Games: 20000, PerGame: 1, Scale: 0.01, Seed: 12}
	s.Models()
	s.Zero([]int{3, 4})
	r := s.Rows([]int{3, 4})
	factor := []float64{0.4, 1, 2}
	mark(r, func(game int64) uint8 { return uint8(game % 3) })
	// Results anew, by each level's own scale.
	theta := make([]float64, r.Design.Size())
	for j, p := range r.Design.Params {
		theta[j] = s.Planted.Terms[p.Index].Weights[p.At]
	}
	theta[r.Design.Scale()] = 1
	rng := rand.New(rand.NewPCG(5, 5))
	r.EachScore(theta, func(b *rows.Block, q []float64) {
		for i, l := range b.Level {
			b.Y[i] = 0
			if rng.Float64() < losses.Win(s.Scale*factor[l]*q[i]) {
				b.Y[i] = 1
			}
		}
	})
	for _, method := range []string{losses.MLM, losses.LS} {
		e, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2, Levels: []string{"blitz", "rapid", "classical"}})
		if err != nil {
			t.Fatal(err)
		}
		for l, v := range e.levels {
			if want := s.Scale * factor[l]; math.Abs(v.scale-want) > 3*v.robust || v.robust > want/8 {
				t.Errorf("%s: %s %v ± %v, planted %v", method, v.name, v.scale, v.robust, want)
			}
		}
		for j, w := range e.Weights {
			if want := theta[j]; math.Abs(w-want) > 3*e.se.robust[j] || e.se.robust[j] > 5 {
				t.Errorf("%s: weight %v ± %v, planted %v", method, w, e.se.robust[j], want)
			}
		}
		one, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		// The model is right: it predicts better than with one scale.
		if now, before := forecast.Measure(r, e.Fitted(), 1).LogLoss, forecast.Measure(r, one.Fitted(), 1).LogLoss; now > before-0.002 {
			t.Errorf("%s: log-loss %v, with one scale %v", method, now, before)
		}
		if was, now := forecast.Measure(r, e.Original(), 1).LogLoss, forecast.Measure(r, e.Fitted(), 1).LogLoss; was < now {
			t.Errorf("%s: log-loss %v before the fit, %v now", method, was, now)
		}
	}
}

// TestLevelsHeld: a level that says too little has the scale of all, and is named; one
// level alone is the plain fit.
func TestLevelsHeld(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3})
	of := func(game int64) uint8 {
		switch {
		case game < 3:
			return 0
		case game < 40:
			return 1
		}
		return 2
	}
	r := mark(s.Rows([]int{3}), of)
	for _, b := range r.Blocks {
		for i, l := range b.Level {
			if l == 1 {
				b.Y[i] = 1
			}
		}
	}
	e, err := Fit(context.Background(), r, Settings{Method: losses.MLM, Workers: 1, MinGames: 5, Levels: []string{"few", "won", "most", "never"}})
	if err != nil {
		t.Fatal(err)
	}
	pooled := e.theta[r.Design.Scale()]
	for l, status := range []string{schemas.StatusThin, schemas.StatusOneSided, schemas.StatusFitted, schemas.StatusThin} {
		v := e.levels[l]
		if held := v.scale == pooled && math.IsNaN(v.robust); v.status != status || held != (l != 2) {
			t.Errorf("%+v, want %s", v, status)
		}
	}
	if told := fmt.Sprint(e.Notes); !strings.Contains(told, "few: fewer than 5 games") || !strings.Contains(told, "won: one side wins all") || strings.Contains(told, "never: ") {
		t.Error(told)
	}
	if n := len(e.Scales()); n != 3 {
		t.Errorf("%d levels are told of", n)
	}

	r = mark(s.Rows([]int{3}), func(int64) uint8 { return 0 })
	for _, p := range []Settings{{Method: losses.MLM}, {Method: losses.LS}, {Method: losses.MLM, L2: 1e-3}} {
		plain, err := Fit(context.Background(), r, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Levels = []string{"all"}
		e, err := Fit(context.Background(), r, p)
		if err != nil {
			t.Fatal(err)
		}
		want := plain.Weights[0]
		if k := r.Design.Scale(); p.L2 == 0 && (math.Abs(e.Weights[0]-want) > 1e-6*math.Abs(want) || math.Abs(e.levels[0].robust-plain.se.robust[k]) > 1e-6*plain.se.robust[k] || math.Abs(e.se.robust[0]-plain.se.robust[0]) > 1e-6*plain.se.robust[0]) {
			t.Errorf("%+v: %v ± %v, w_0 %v ± %v, want %v ± %v, %v ± %v", p, e.Weights[0], e.se.robust[0], e.levels[0].scale, e.levels[0].robust, want, plain.se.robust[0], plain.theta[k], plain.se.robust[k])
		}
		// The ridge is measured by another w_0, of the present weights.
		if math.Abs(e.Weights[0]-want) > 0.05*math.Abs(want) {
			t.Errorf("%+v: %v, want about %v", p, e.Weights[0], want)
		}
	}
}
