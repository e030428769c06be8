package panels

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCholesky compares factors, solutions and inverses with gonum's.
func TestCholesky(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var c Cholesky
	for _, n := range []int{1, 2, 31, 32, 33, 70, 200} {
		a := mat.NewSymDense(n, nil)
		a.SymOuterK(1, mat.NewDense(n, n+3, some(random, n, n+3, random.NormFloat64)))
		var want mat.Cholesky
		if !want.Factorize(a) || !c.Factorize(a) {
			t.Fatalf("%d lines are not positive", n)
		}
		var l mat.TriDense
		want.LTo(&l)
		for i := range n {
			for j := range i + 1 {
				if math.Abs(c.line(i)[j]-l.At(i, j)) > 1e-9*(1+math.Abs(l.At(i, j))) {
					t.Fatalf("%d lines: L %d, %d is %g, want %g", n, i, j, c.line(i)[j], l.At(i, j))
				}
			}
		}
		x := some(random, 1, n, random.NormFloat64)
		solution := mat.NewVecDense(n, nil)
		if err := want.SolveVecTo(solution, mat.NewVecDense(n, append([]float64{}, x...))); err != nil {
			t.Fatal(err)
		}
		c.Solve(x)
		for i, v := range x {
			if w := solution.AtVec(i); math.Abs(v-w) > 1e-7*(1+math.Abs(w)) {
				t.Errorf("%d lines: solution %d is %g, want %g", n, i, v, w)
			}
		}
		var inverse mat.SymDense
		if err := want.InverseTo(&inverse); err != nil {
			t.Fatal(err)
		}
		own := c.Inverse()
		for i := range n {
			for j := range n {
				if v, w := own.At(i, j), inverse.At(i, j); math.Abs(v-w) > 1e-7*(1+math.Abs(w)) {
					t.Fatalf("%d lines: inverse %d, %d is %g, want %g", n, i, j, v, w)
				}
			}
		}
		for _, v := range []float64{-1, 0, math.NaN()} {
			a.SetSym(n-1, n-1, v)
			if c.Factorize(a) {
				t.Errorf("%d lines with %g at the end are positive", n, v)
			}
		}
	}
}

func BenchmarkCholesky(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 1000
	a := mat.NewSymDense(n, nil)
	a.SymOuterK(1, mat.NewDense(n, n+3, some(random, n, n+3, random.NormFloat64)))
	var c Cholesky
	for b.Loop() {
		c.Factorize(a)
		c.Inverse()
	}
}
