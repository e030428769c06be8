package scale

import (
	"math"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
)

// TestAlong: along the value alone, the derivatives of a loss of decisions are its gradient and Hessian by w_0.
func TestAlong(t *testing.T) {
	for _, method := range []string{losses.Choice, losses.Pairs} {
		r := fittest.ReferenceChoices(t, method)
		r.WeighDecisions(true)
		l, k := r.Design.Decided, r.Design.Scale()
		theta, grad := make([]float64, r.Design.Size()), make([]float64, r.Design.Size())
		theta[k] = 0.008
		r.Pass(l, theta, 2, grad)
		_, d, dd := along(r, l, Values, theta[k], 2)
		if second := r.Hessian(theta, l, losses.Positive, 2).At(k, k); math.Abs(d-grad[k]) > 1e-9*math.Abs(d) || math.Abs(dd-second) > 1e-9*second {
			t.Errorf("%s: along the value %v and %v, want %v and %v", method, d, dd, grad[k], second)
		}
	}
}
