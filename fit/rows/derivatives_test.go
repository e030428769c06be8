package rows_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/rows"
	"kifu/fit/solve"
)

// TestGradient compares the gradient and the Hessian with central differences.
func TestGradient(t *testing.T) {
	for _, method := range []string{losses.MLM, losses.LS, losses.Ordered, losses.Value} {
		testGradient(t, fittest.ReferenceRows(t, method, true), solve.Settings{Method: method}.Loss())
	}
}

// TestHessian: the sums by slots and stage mixes are the sums over rows of the design.
func TestHessian(t *testing.T) {
	s := fittest.Small()
	s.PerGame = 24 // all phases
	r := s.Rows(fittest.Between(2, s.Terms))
	k := r.Design.Scale() + 1
	theta := make([]float64, k)
	for j := range theta {
		theta[j] = 0.01 * float64(j%5-2)
	}
	theta[k-1] = 0.003
	want := make([]float64, k*k)
	r.EachScore(theta, func(b *rows.Block, z []float64) {
		for i, zi := range z {
			at, x := r.Columns(b, i)
			c := losses.Squares{}.At(zi, float64(b.Y[i]), 0).Exact
			for p := range at {
				for q := range at {
					want[at[p]*k+at[q]] += c * x[p] * x[q]
				}
			}
		}
	})
	h := r.Hessian(theta, losses.Squares{}, losses.Exact, 2)
	for i := range k {
		for j := range k {
			if math.Abs(h.At(i, j)-want[i*k+j]) > 1e-9*math.Sqrt(math.Abs(want[i*k+i]*want[j*k+j])) {
				t.Fatalf("%s, %s: %v, want %v", r.Design.Name(i), r.Design.Name(j), h.At(i, j), want[i*k+j])
			}
		}
	}
}

func testGradient(t *testing.T, r *rows.Store, l losses.Loss) {
	for i, b := range r.Blocks { // uneven weights, so that they count
		b.Weight = make([]float32, b.Rows())
		for j := range b.Weight {
			b.Weight[j] = float32(1 + (i+j)%3)
		}
	}
	theta := []float64{0.1, -0.2, 0.05, 0.3, 0.004, 0.4}[:r.Design.Size()]
	k := len(theta)
	step := []float64{1e-4, 1e-4, 1e-4, 1e-4, 1e-6, 1e-4}
	at := func(i int, by float64, grad []float64) float64 {
		x := append([]float64(nil), theta...)
		x[i] += by
		return r.Pass(l, x, 2, grad)
	}
	grad, up, down := make([]float64, k), make([]float64, k), make([]float64, k)
	r.Pass(l, theta, 2, grad)
	h := r.Hessian(theta, l, losses.Exact, 2)
	for i := range theta {
		f := (at(i, step[i], up) - at(i, -step[i], down)) / (2 * step[i])
		if math.Abs(f-grad[i]) > 1e-6*(1+math.Abs(f)) {
			t.Errorf("%T: gradient %d is %v, by differences %v", l, i, grad[i], f)
		}
		for j := range theta {
			d := (up[j] - down[j]) / (2 * step[i])
			if got := h.At(i, j); math.Abs(d-got) > 1e-5*(math.Abs(d)+math.Sqrt(h.At(i, i)*h.At(j, j))) {
				t.Errorf("%T: second derivative %d %d is %v, by differences %v", l, i, j, got, d)
			}
		}
	}
}

// TestStop: what is asked for after Stop has no rows in it.
func TestStop(t *testing.T) {
	s := fittest.Small()
	r := s.Rows(fittest.Between(2, s.Terms))
	theta := make([]float64, r.Design.Size())
	theta[r.Design.Scale()] = 0.003
	scores := func() (n int) {
		pass := meat.Of(r, losses.Logistic{}, theta, rows.NewUnknowns(r.Design, theta, [][]rows.Entry{{{At: 0, Share: 1}}, {{At: 1, Share: 1}}}), 2)
		pass(meat.Wanted{}, func(int) {}, func(_ int, g meat.Games) { n += g.Len() }, func(int) {})
		return n
	}
	largest := func() float64 { return mat.Norm(r.Hessian(theta, losses.Logistic{}, losses.Positive, 2), 2) }
	if scores() == 0 || largest() == 0 {
		t.Fatal("no rows")
	}
	stop := make(chan struct{})
	close(stop)
	r.Stop = stop
	if n, h := scores(), largest(); n != 0 || h != 0 {
		t.Errorf("%d games, a Hessian of size %v", n, h)
	}
}
