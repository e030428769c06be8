package solve

import (
	"context"
	"math"
	"testing"

	"kifu/eval"
	"kifu/fit/constraints"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/schemas"
)

// problem is the part of a fit that is not of the data.
type problem struct {
	constraints.Set
	l1, l2, scale float64
}

// fitted solves s with the terms free, under the structure of p.
func fitted(t *testing.T, s *fittest.Simulation, free []int, p problem, method string) (*Estimate, *rows.Store) {
	t.Helper()
	r := s.Rows(free)
	if r.Design.Drawn = method == losses.Ordered; r.Design.Drawn {
		for _, b := range r.Blocks {
			for i := range b.Y {
				if (i+int(b.Value[i]))%4 == 0 {
					b.Y[i] = 0.5
				}
			}
		}
	}
	if err := p.Set.Apply(r.Design); err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), r, Settings{Method: method, L1: p.l1, L2: p.l2, Scale: p.scale, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return e, r
}

// TestTies: a tied weight is that of the sum of the columns, whatever the present
// weights, and one weight in all stages is that of a term without stages.
func TestTies(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.LS, losses.Ordered} {
		s := fittest.Small()
		s.Present.Terms[4].Weights = []float64{7, -3}
		s.Present.Terms[5].Weights = []float64{2, 11}
		e, r := fitted(t, s, []int{3, 4, 5}, problem{Set: constraints.Set{Tie: [][]string{{"t3", "t4", "-t5"}}}}, method)
		for stage := range 2 {
			a, b, c := e.Weights[stage], e.Weights[2+stage], e.Weights[4+stage]
			if math.Abs(a-b) > 1e-9 || math.Abs(a+c) > 1e-9 || math.Abs(e.se.robust[stage]-e.se.robust[4+stage]) > 1e-9 {
				t.Errorf("%s: tied weights %v, %v, %v", method, a, b, c)
			}
		}
		// Nothing is gained by moving them together.
		grad := make([]float64, r.Design.Size())
		r.Pass(e.settings.Loss(), e.theta, 1, grad)
		if g := (grad[0] + grad[2] - grad[4]) / r.Weight; math.Abs(g) > 1e-7 {
			t.Errorf("%s: gradient %v", method, g)
		}

		s = fittest.Small()
		s.Present.Terms[3].Weights = []float64{5, 5}
		tapered, _ := fitted(t, s, []int{3}, problem{Set: constraints.Set{Untapered: []string{"g1"}}}, method)
		s.Present.Terms[3].Weights = []float64{5}
		single, _ := fitted(t, s, []int{3}, problem{}, method)
		if got, want := tapered.Weights[1], single.Weights[0]; math.Abs(got-want) > 1e-7 || math.Abs(tapered.se.robust[0]-single.se.robust[0]) > 1e-7 || got == 5 {
			t.Errorf("%s: untapered %v ± %v, without stages %v ± %v", method, got, tapered.se.robust[0], want, single.se.robust[0])
		}
	}
}

// TestBounds: no step that the bounds allow lowers the loss, and those weights have no
// error that are at a bound.
func TestBounds(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		method string
		p      problem
	}{{losses.MLM, problem{}}, {losses.LS, problem{}}, {losses.Ordered, problem{}}, {losses.MLM, problem{scale: 0.01}}, {losses.MLM, problem{l2: 0.01}}} {
		s := fittest.Small()
		free := []int{3, 4, 5, 6}
		plain, _ := fitted(t, s, free, c.p, c.method)
		low, high := plain.Weights[0]+5, plain.Weights[3]-4
		c.p.Bounds = []constraints.Bound{{Of: "t3", Low: &low}, {Of: "t4", Low: number(high - 30), High: &high}, {Of: "t5", Low: number(-1e3), High: number(1e3)}, {Of: "t6", Low: number(1.5), High: number(1.5)}}
		e, r := fitted(t, s, free, c.p, c.method)
		if e.Minimum.Status != minimise.Converged {
			t.Errorf("%s: %s", c.method, e.Minimum.Status)
		}
		fn := func(weights []float64, w0 float64) float64 {
			theta := append([]float64(nil), e.theta...)
			theta[r.Design.Scale()] = w0
			f := 0.0
			for j, w := range weights {
				theta[j] = (w - r.Design.Params[j].Initial) * w0
				f += c.p.l2 / 2 * theta[j] * theta[j]
			}
			return f + r.Pass(e.settings.Loss(), theta, 2, make([]float64, r.Design.Size()))/r.Weight
		}
		best := fn(e.Weights, e.theta[r.Design.Scale()])
		atBound := 0
		for j, p := range r.Design.Params {
			w := e.Weights[j]
			if w < p.Low-1e-9 || w > p.High+1e-9 {
				t.Errorf("%s: %s is %v, bounds %v to %v", c.method, p, w, p.Low, p.High)
			}
			if low, high := e.se.low, e.se.high; low != nil && (low[j] < p.Low || high[j] > p.High) {
				t.Errorf("%s: the interval of %s, %v to %v, leaves its bounds %v to %v", c.method, p, low[j], high[j], p.Low, p.High)
			}
			if e.Status[j] == schemas.StatusBound {
				atBound++
				if !math.IsNaN(e.se.robust[j]) || math.Min(math.Abs(w-p.Low), math.Abs(w-p.High)) > 1e-9 {
					t.Errorf("%s: %s is %v ± %v at its bound, %v to %v", c.method, p, w, e.se.robust[j], p.Low, p.High)
				}
			}
			for _, by := range []float64{-0.1, 0.1} {
				moved := append([]float64(nil), e.Weights...)
				if moved[j] += by; moved[j] < p.Low || moved[j] > p.High {
					continue
				}
				if f := fn(moved, e.theta[r.Design.Scale()]); f < best-1e-12 {
					t.Errorf("%s: %s at %v is better than at %v", c.method, p, moved[j], w)
				}
			}
		}
		if atBound < 4 {
			t.Errorf("%s: %d weights at a bound", c.method, atBound)
		}
	}
}

// TestPrior: a prior is the ridge that its standard deviation stands for, at the w_0 of the fit.
func TestPrior(t *testing.T) {
	s := fittest.Small()
	s.Zero([]int{3, 4})
	e, r := fitted(t, s, []int{3, 4}, problem{Set: constraints.Set{Prior: []constraints.Prior{{SD: 3}, {Of: "t4", SD: 1e6}}}}, losses.MLM)
	want, _ := fitted(t, s, []int{3, 4}, problem{}, losses.MLM)
	w0, before := e.theta[r.Design.Scale()], e.Present[r.Design.Scale()]
	if l2 := 1 / (r.Weight * 9 * w0 * w0); math.Abs(e.ridge[0]-l2) > 2.1e-3*l2 || math.Abs(w0/before-1) < 0.01 {
		t.Errorf("ridge %v, want %v; w_0 %v, of the present weights %v", e.ridge[0], l2, w0, before)
	}
	if math.Abs(e.Weights[0]) >= math.Abs(want.Weights[0])-0.1 || math.Abs(e.Weights[2]-want.Weights[2]) > 1 {
		t.Errorf("%v with priors, %v without", e.Weights, want.Weights)
	}
}

// TestLasso: a strong one keeps every weight, and the scale is then that of the present
// weights. No errors or tests follow a choice by the lasso.
func TestLasso(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.LS, losses.Ordered} {
		s := fittest.Small()
		e, r := fitted(t, s, []int{3, 4}, problem{l1: 10}, method)
		for j := range r.Design.Params {
			if e.Status[j] != schemas.StatusKept || e.Weights[j] != r.Design.Params[j].Initial {
				t.Errorf("%s: %s %v, %s", method, r.Design.Params[j], e.Weights[j], e.Status[j])
			}
		}
		if k := r.Design.Scale(); math.Abs(e.theta[k]-e.Present[k]) > 1e-7*e.theta[k] {
			t.Errorf("%s: w_0 %v, of the present weights %v", method, e.theta[k], e.Present[k])
		}
		weak, _ := fitted(t, s, []int{3, 4}, problem{l1: 1e-4}, method)
		var w schemas.Weight
		if weak.Fill(&w, 0); w.SE != nil || w.SERobust != nil || w.CILow != nil || w.Z != nil || weak.Tests != nil || weak.Notes[len(weak.Notes)-1].Kind != "lasso" {
			t.Errorf("%s: errors after a lasso: %+v, %+v, %+v", method, w, weak.Tests, weak.Notes)
		}
	}
}

func TestTieChains(t *testing.T) {
	s := fittest.Small()
	number := func(x float64) *float64 { return &x }
	d := rows.NewDesign(&eval.Model{Stages: []string{"all"}, Knots: []int{0}, Terms: []eval.Term{{Name: "a", Weights: []float64{0}}, {Name: "b", Weights: []float64{0}}, {Name: "c", Weights: []float64{0}}}}, []int{0, 1, 2}, nil, nil)
	s.Present.Terms[4].Weights[1]++ // tied all the same
	if _, r := fitted(t, s, []int{3, 4}, problem{Set: constraints.Set{Untapered: []string{"g1"}, Bounds: []constraints.Bound{{Of: "g1", Low: number(0)}}}}, losses.MLM); r.Design.Params[3].Leader != 2 || r.Design.Params[2].Low != 0 {
		t.Errorf("%+v", r.Design.Params)
	}
	if err := (constraints.Set{Tie: [][]string{{"b", "-c"}, {"a", "-b"}}}).Apply(d); err != nil || d.Params[2].Leader != 0 || d.Params[2].Sign != 1 {
		t.Errorf("%+v, %v", d.Params, err)
	}
}
