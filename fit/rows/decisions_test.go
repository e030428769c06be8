package rows_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/internal/clogit"
)

// TestChoiceLogit: loss and derivatives of a choice are those of internal/clogit.
func TestChoiceLogit(t *testing.T) {
	for _, z := range [][]float64{{0.3}, {1, -2, 0.5, 1}, {-40, 3, 2}, {800, 0, -800}} {
		for _, sign := range []float64{1, -1} {
			moves, beta := clogit.New[float64](len(z)), make([]float64, len(z))
			for i := range z { // a move is a feature of its own, with its score as the weight
				moves.Add(i, 1)
				moves.EndRow()
				beta[i] = sign * z[i]
			}
			moves.End(1, 0)
			log, chances := moves.Chances(0, beta, nil)
			d := make([]float64, len(z))
			if got := (losses.ChoiceLogit{}).Of(z, sign, d); math.Abs(got+log) > 1e-12*max(1, -log) {
				t.Errorf("%v, %v: loss %v, want %v", z, sign, got, -log)
			}
			for i, p := range chances {
				if i == 0 {
					p--
				}
				if math.Abs(d[i]-sign*p) > 1e-12 {
					t.Errorf("%v, %v: derivative %d %v, want %v", z, sign, i, d[i], sign*p)
				}
			}
		}
	}
}

// Gradient and Hessian are derivatives of the loss.
func TestDecisionDerivatives(t *testing.T) {
	for _, method := range []string{losses.Choice, losses.Pairs} {
		r := fittest.ReferenceChoices(t, method)
		r.WeighDecisions(true)
		l := r.Design.Decided
		theta := []float64{0.2, -0.3, 0.1, 0.15, 0.008}
		grad := make([]float64, len(theta))
		f := func(x []float64) float64 { return r.Pass(l, x, 2, make([]float64, len(x))) }
		r.Pass(l, theta, 2, grad)
		for j, want := range fd.Gradient(nil, f, theta, &fd.Settings{Formula: fd.Central}) {
			if math.Abs(grad[j]-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s: gradient by %s %v, by differences %v", method, r.Design.Name(j), grad[j], want)
			}
		}
		h := r.Hessian(theta, l, losses.Positive, 2)
		for j := range theta {
			up, down, step := slices.Clone(theta), slices.Clone(theta), 1e-5*math.Abs(theta[j])
			up[j], down[j] = up[j]+step, down[j]-step
			a, b := make([]float64, len(theta)), make([]float64, len(theta))
			r.Pass(l, up, 2, a)
			r.Pass(l, down, 2, b)
			for i := range theta {
				if want := (a[i] - b[i]) / (2 * step); math.Abs(h.At(i, j)-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s: second derivative by %s and %s %v, by differences %v", method, r.Design.Name(i), r.Design.Name(j), h.At(i, j), want)
				}
			}
		}
	}
}
