package meat_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/meat"
)

// TestLeverage: the leverage of a game is vᵀA_g v / vᵀA v with A_g the Hessian of a store
// that has no other game, for losses of rows, with a draw width, and of decisions.
func TestLeverage(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.LS, losses.Ordered, losses.Choice, losses.Pairs} {
		r, theta := fittest.ReferenceRows(t, method, method == losses.Ordered), []float64{0.1, -0.2, 0.05, 0.3, 0.004, 0.4}
		if losses.DecisionsOf(method) != nil {
			r = fittest.ReferenceChoices(t, method)
		}
		theta = theta[:r.Design.Size()]
		l, un := losses.Of(method), meat.Moved(r)
		whole := r.Hessian(theta, l, losses.Positive, 1)
		for j := range theta { // a ridge, so that it has an inverse
			whole.SetSym(j, j, whole.At(j, j)*1.1)
		}
		var inverse mat.SymDense
		var chol mat.Cholesky
		if !chol.Factorize(whole) || chol.InverseTo(&inverse) != nil {
			t.Fatal("no inverse")
		}
		seen, above := 0, 0
		for id, got := range meat.Leverages(r, l, theta, un, &inverse) {
			one := r.Subset(func(game int64) bool { return game == id })
			u := mat.NewVecDense(len(theta), nil)
			one.Pass(l, theta, 1, u.RawVector().Data)
			v, av := mat.NewVecDense(len(theta), nil), mat.NewVecDense(len(theta), nil)
			v.MulVec(&inverse, u)
			av.MulVec(one.Hessian(theta, l, losses.Exact, 1), v)
			want := meat.Leverage(mat.Dot(v, av) / mat.Dot(u, v))
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%s, game %d: %v, want %v", method, id, got, want)
			}
			seen++
			if got > 1e-3 {
				above++
			}
		}
		if seen < 20 || above < seen/4 {
			t.Errorf("%s: %d games, %d with a leverage", method, seen, above)
		}
	}
}
