package rows_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"kifu/fit/rows"
	"kifu/kit/fittest"
)

// Gradient and Hessian are derivatives of the loss.
func TestDecisionDerivatives(t *testing.T) {
	for _, method := range []string{rows.Choice, rows.Pairs} {
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
		h := r.Hessian(theta, l, rows.Positive, 2)
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
		// Along the value alone.
		scale := r.Design.Scale()
		clear(theta[:scale])
		r.Pass(l, theta, 2, grad)
		_, d, dd := r.Along(l, rows.ValueColumn, theta[scale], 2)
		if second := r.Hessian(theta, l, rows.Positive, 2).At(scale, scale); math.Abs(d-grad[scale]) > 1e-9*math.Abs(d) || math.Abs(dd-second) > 1e-9*second {
			t.Errorf("%s: along the value %v and %v, want %v and %v", method, d, dd, grad[scale], second)
		}
	}
}
