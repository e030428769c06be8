package solve

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kifu/eval"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// TestPlanted: the weights that the games were made with lie in the intervals.
func TestPlanted(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.LS} {
		s := &fittest.Simulation{Terms: 30, PerRow: 8, Games: 1500, PerGame: 20, Scale: 0.01, Tapered: true, Seed: 4}
		s.Models()
		free := fittest.Between(1, s.Terms)
		s.Zero(free)
		e, err := Fit(context.Background(), s.Rows(free), Settings{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		inside, wider := 0, 0
		for j, p := range e.Design.Params {
			truth := s.Planted.Terms[p.Index].Weights[p.At]
			if math.Abs(e.Weights[j]-truth) < dyads.Normal95*e.se.robust[j] {
				inside++
			}
			if math.Abs(e.Weights[j]-truth) > 5*e.se.robust[j] {
				t.Errorf("%s: %s is %.2f ± %.2f, planted %.2f", method, p, e.Weights[j], e.se.robust[j], truth)
			}
			if e.se.robust[j] > e.se.model[j] {
				wider++
			}
		}
		n := len(e.Weights)
		// 95 % of 58 are 55; fewer than 50 would come once in a thousand times.
		if inside < 50 {
			t.Errorf("%s: %d of %d planted weights are in their intervals", method, inside, n)
		}
		if wider < n*9/10 {
			t.Errorf("%s: the robust errors are the larger ones for %d of %d weights only", method, wider, n)
		}
	}
}

// TestWorkers: results do not depend on the number of workers, to the bit.
func TestWorkers(t *testing.T) {
	s := &fittest.Simulation{Terms: 24, PerRow: 6, Games: 700, PerGame: 20, Scale: 0.01, Tapered: true, Seed: 5}
	s.Models()
	free := fittest.Between(1, s.Terms)
	s.Zero(free)
	for _, method := range []string{losses.MLM, losses.LS} {
		want := ""
		for _, workers := range []int{1, 2, 3, 8} {
			e, err := Fit(context.Background(), s.Rows(free), Settings{Method: method, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%x %x %x %x %x %+v", e.theta, e.se.model, e.se.robust, e.MeanLoss, e.Minimum.Norm, e.Supports)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: %d workers: %.200s, one worker: %.200s", method, workers, got, want)
			}
		}
	}
}

// TestGuides: Hessians of some rows guide the steps to the same minimum, with the same errors. Where the rows that are left out
// tell of a weight alone, all rows guide.
func TestGuides(t *testing.T) {
	s := &fittest.Simulation{Terms: 6, PerRow: 3, Games: 300, PerGame: 100, Scale: 0.01, Seed: 5}
	s.Models()
	free := fittest.Between(1, s.Terms)
	s.Zero(free)
	for _, method := range []string{losses.MLM, losses.LS} {
		r := s.Rows(free)
		want, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Fit(context.Background(), r, Settings{Method: method, Workers: 2, many: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got.Minimum.Status != minimise.Converged || got.Minimum.Norm == want.Minimum.Norm {
			t.Errorf("%s: %s, gradient norms %v and %v", method, got.Minimum.Status, got.Minimum.Norm, want.Minimum.Norm)
		}
		for j, w := range want.Weights {
			if math.Abs(got.Weights[j]-w) > 1e-6*want.se.model[j] || math.Abs(got.se.robust[j]/want.se.robust[j]-1) > 1e-7 {
				t.Errorf("%s: %s is %v ± %v, want %v ± %v", method, want.Design.Name(j), got.Weights[j], got.se.robust[j], w, want.se.robust[j])
			}
		}
	}
	r := s.Rows(nil)
	e := newEstimate(r, Settings{Method: losses.MLM, many: 1})
	if _, err := e.prepare(context.Background(), r); err != nil || e.guides(r) != r {
		t.Errorf("some rows guide a fit of the scale alone, %v", err)
	}
	for _, rare := range []bool{false, true} {
		n := 0
		d := rows.NewDesign(s.Present, free, []string{rows.InterceptName}, nil)
		b := rows.NewBuilder(d)
		s.Play(func(game int, features []eval.Feature, phase int, won bool) {
			x := &rows.Row{Game: int64(game), Weight: 1, Value: s.Present.Score(features, phase)}
			for _, f := range features {
				if f.Term > 0 {
					x.Features = append(x.Features, rows.Count{Slot: f.Term - 1, N: f.Count})
				}
			}
			if !rare || n%guiding == 3 {
				x.Features = append(x.Features, rows.Count{Slot: uint32(len(free)), N: 1})
			}
			if won {
				x.Y = 1
			}
			n++
			b.Add(x)
		})
		r := b.Finish()
		e := newEstimate(r, Settings{Method: losses.MLM, Workers: 2, many: 1})
		if _, err := e.prepare(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		if _, some, err := e.begin(r); err != nil || (some == r) != rare {
			t.Errorf("a weight of other rows alone %v: %d of %d rows, %v", rare, some.N, r.N, err)
		}
	}
}

// TestLarge: without a Hessian the solution is the same, and there are no errors.
func TestLarge(t *testing.T) {
	s := &fittest.Simulation{Terms: 24, PerRow: 6, Games: 700, PerGame: 20, Scale: 0.01, Tapered: true, Seed: 6}
	s.Models()
	free := fittest.Between(1, s.Terms)
	s.Zero(free)
	for _, method := range []string{losses.MLM, losses.LS} {
		want, err := Fit(context.Background(), s.Rows(free), Settings{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Fit(context.Background(), s.Rows(free), Settings{Method: method, Workers: 2, dense: 10})
		if err != nil {
			t.Fatal(err)
		}
		if got.se.robust != nil || len(got.Notes) == 0 || got.Notes[0].Kind != "large" || got.Minimum.Status != minimise.Converged {
			t.Errorf("%s: notes %+v, %s", method, got.Notes, got.Minimum.Status)
		}
		for j, w := range want.Weights {
			if math.Abs(got.Weights[j]-w) > 1e-4*want.se.model[j] {
				t.Errorf("%s: %s is %v, with a Hessian %v", method, want.Design.Name(j), got.Weights[j], w)
			}
		}
	}
}

// TestWeights: a row of weight three is three rows, but for the residual variance.
func TestWeights(t *testing.T) {
	s := fittest.Small()
	plain, heavy := rows.NewBuilder(rows.NewDesign(s.Present, fittest.Between(1, s.Terms), nil, nil)), rows.NewBuilder(rows.NewDesign(s.Present, fittest.Between(1, s.Terms), nil, nil))
	i := 0
	s.Play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &rows.Row{Game: int64(game), Phase: phase, Weight: 1, Value: s.Present.Score(features, phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.Features = append(x.Features, rows.Count{Slot: f.Term - 1, N: f.Count})
			}
		}
		if won {
			x.Y = 1
		}
		i++
		for range i % 4 {
			plain.Add(x)
		}
		if x.Weight = float64(i % 4); x.Weight > 0 {
			heavy.Add(x)
		}
	})
	want, err := Fit(context.Background(), plain.Finish(), Settings{Method: losses.MLM, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Fit(context.Background(), heavy.Finish(), Settings{Method: losses.MLM, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for j := range want.theta {
		for _, x := range [][2]float64{{got.theta[j], want.theta[j]}, {got.se.model[j], want.se.model[j]}, {got.se.robust[j], want.se.robust[j]}} {
			if math.Abs(x[0]-x[1]) > 1e-7*(1+math.Abs(x[1])) {
				t.Errorf("%s: %v, want %v", want.Design.Name(j), x[0], x[1])
			}
		}
	}
}

// TestScale: with nothing free, w_0 is that which suits the values as they are.
func TestScale(t *testing.T) {
	s := fittest.Small()
	for _, method := range []string{losses.MLM, losses.LS} {
		e, err := Fit(context.Background(), s.Rows(nil), Settings{Method: method, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if w0 := e.theta[0]; math.Abs(e.Present[0]-w0) > 1e-8*w0 || math.Abs(w0-s.Scale) > 4*e.se.robust[0] {
			t.Errorf("%s: %v on the values alone, %v ± %v as a fit, planted %v", method, e.Present[0], w0, e.se.robust[0], s.Scale)
		}
	}
}

// TestAsItIs: where w_0 is fixed too nothing moves, and the loss is that of the values; so it is of
// the last group that a likelihood ratio leaves out.
func TestAsItIs(t *testing.T) {
	r := fittest.Small().Rows(nil)
	for _, method := range []string{losses.MLM, losses.LS, losses.TD} {
		s := Settings{Method: method, Scale: 0.7, Workers: 2}
		e, err := Fit(context.Background(), r, s)
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, r.Design.Size())
		theta[0] = 0.7
		want := r.Pass(s.Loss(), theta, 2, make([]float64, len(theta))) / r.Weight
		if math.Abs(e.MeanLoss-want) > 1e-12 || e.theta[0] != 0.7 || len(e.Tests) > 0 {
			t.Errorf("%s: %v with %v, want %v", method, e.MeanLoss, e.theta, want)
		}
	}
	free := fittest.Small().Rows([]int{0})
	e, err := Fit(context.Background(), free, Settings{Method: losses.MLM, Scale: 0.7, Workers: 2})
	if err == nil {
		err = e.Ratios(context.Background(), free)
	}
	if err != nil || len(e.Tests) != 1 || !(float64(*e.Tests[0].Ratio) > 0) {
		t.Errorf("%v, tests %+v", err, e.Tests)
	}
}

func sameWords(a, b string) bool {
	have := map[string]bool{}
	for _, w := range strings.Fields(a) {
		have[w] = true
	}
	for _, w := range strings.Fields(b) {
		if !have[w] {
			return false
		}
		delete(have, w)
	}
	return len(have) == 0
}
