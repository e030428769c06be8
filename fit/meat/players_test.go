package meat_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/internal/dyads"
)

// TestPlayersMeat: the covariance is the sum of u_g u_hᵀ over all pairs of games that share a
// player, each cluster's sum divided by one less its leverage by the Hessian of its games,
// whatever the number of workers and of sums at once.
func TestPlayersMeat(t *testing.T) {
	c := fittest.Club{Games: fittest.Schedule(150), Terms: 3, Effect: 1}
	r := c.Play(rand.New(rand.NewPCG(1, 1)))
	l, un, theta := losses.Of(losses.MLM), meat.Moved(r), []float64{0.1, -0.1, 0.05, 0.005}
	n := len(theta)
	whole := r.Hessian(theta, l, losses.Positive, 1)
	var inverse mat.SymDense
	var chol mat.Cholesky
	if !chol.Factorize(whole) || chol.InverseTo(&inverse) != nil {
		t.Fatal("no inverse")
	}
	clusters, pass := r.Clusters(), meat.Of(r, l, theta, un, 2)
	for _, inv := range []*mat.SymDense{nil, &inverse} {
		want := mat.NewSymDense(n, nil)
		of := map[dyads.Pair]func(int64) bool{}
		for _, g := range c.Games {
			for _, p := range []int32{g.A, g.B} {
				of[dyads.Pair{A: p, B: p}] = func(id int64) bool { return c.Games[id].A == p || c.Games[id].B == p }
			}
			of[dyads.Pair{A: max(g.A, g.B), B: min(g.A, g.B)}] = func(id int64) bool {
				h := c.Games[id]
				return h == g || h == dyads.Pair{A: g.B, B: g.A}
			}
		}
		for key, keep := range of {
			sign := -1.0
			if key.A == key.B {
				sign = 1
			}
			one, u := r.Subset(keep), mat.NewVecDense(n, nil)
			one.Pass(l, theta, 1, u.RawVector().Data)
			if inv != nil {
				v, av := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
				v.MulVec(inv, u)
				av.MulVec(one.Hessian(theta, l, losses.Exact, 1), v)
				u.ScaleVec(1/(1-mat.Dot(v, av)/mat.Dot(u, v)), u)
			}
			want.SymRankOne(want, sign, u)
		}
		got := pass.PlayersMeat(n, clusters, inv, 2, 1000)
		for _, other := range []*mat.SymDense{meat.Of(r, l, theta, un, 1).PlayersMeat(n, clusters, inv, 1, 1000), pass.PlayersMeat(n, clusters, inv, 2, 7)} {
			for i := range n {
				for j := range n {
					if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-9*math.Sqrt(want.At(i, i)*want.At(j, j)) {
						t.Fatalf("entry %d, %d: %v, want %v", i, j, got.At(i, j), want.At(i, j))
					}
					if d := got.At(i, j) - other.At(i, j); math.Abs(d) > 1e-12*math.Abs(want.At(i, i)) {
						t.Fatalf("entry %d, %d is off by %v with other workers or sums", i, j, d)
					}
				}
			}
		}
		if !mat.Equal(got, meat.Of(r, l, theta, un, 1).PlayersMeat(n, clusters, inv, 1, 1000)) {
			t.Error("not the same with one worker")
		}
	}
	// However many walks the clusters take, scores are added once.
	sum, want := make([]float64, n), make([]float64, n)
	r.Pass(l, theta, 1, want)
	pass.Adding(sum, func(int) int { return 0 }, 2).PlayersMeat(n, clusters, &inverse, 2, 7)
	if !floats.EqualApprox(sum, want, 1e-9) {
		t.Errorf("the sum of the scores is %v, want %v", sum, want)
	}
	if clusters.Players < 20 {
		t.Errorf("%d players", clusters.Players)
	}
}
