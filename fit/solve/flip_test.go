package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/meat"
)

// TestFlip: the statistic is the quadratic form that gonum computes. Scores that agree are rejected as often as 999 draws can,
// and those that cancel out are not.
func TestFlip(t *testing.T) {
	const games, k = 60, 7
	random := rand.New(rand.NewPCG(3, 8))
	own := mat.NewSymDense(k, nil)
	own.SymOuterK(1, mat.NewDense(k, k+2, normals(random, k*(k+2))))
	shift := normals(random, k)
	for _, c := range []struct {
		sign func(i int) float64
		p    func(p float64) bool
	}{
		{func(int) float64 { return 1 }, func(p float64) bool { return p == 0.001 }},
		{func(i int) float64 { return 1 - 2*float64(i&1) }, func(p float64) bool { return p > 0.05 }},
	} {
		at, scores, sum := make([]int, games), normals(random, games*k), mat.NewVecDense(k, nil)
		for i := range at {
			at[i] = i
			for j := range k {
				scores[i*k+j] = scores[i*k+j]/10 + c.sign(i)*shift[j]
				sum.SetVec(j, sum.AtVec(j)+scores[i*k+j])
			}
		}
		pass := meat.GameScores(func(_ meat.Wanted, start func(w int), visit func(w int, g meat.Games), merge func(w int)) {
			start(0)
			visit(0, meat.Games{At: at, N: k, U: append([]float64{}, scores...)})
			merge(0)
		})
		var chol mat.Cholesky
		solved := mat.NewVecDense(k, nil)
		if !chol.Factorize(own) || chol.SolveVecTo(solved, sum) != nil {
			t.Fatal("the metric is singular")
		}
		want := mat.Dot(sum, solved)
		e := &Estimate{settings: Settings{Workers: 1}}
		statistic, p := e.flipTest(pass, pass, own)
		if statistic == nil || math.Abs(*statistic-want) > 1e-9*want || !c.p(*p) {
			t.Errorf("statistic %v, p %v; want %v", statistic, p, want)
		}
	}
}

func normals(random *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	return x
}
