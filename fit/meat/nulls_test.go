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
	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// TestNulls: the sums of all hypotheses are those of a pass for each, with any number of workers and of clusters at once.
func TestNulls(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	club := fittest.Club{Games: fittest.Schedule(150), Terms: 3, Effect: 1}
	small := fittest.Small()
	small.PerGame = 24 // all phases
	staged, ordered := small.Rows(fittest.Between(2, small.Terms)), fittest.ReferenceRows(t, losses.Ordered, true)
	players := dyads.ByID{}
	for _, id := range staged.IDs() {
		players[id] = dyads.Pair{A: int32(random.IntN(9)), B: int32(random.IntN(40))}
	}
	staged.Players = players
	for name, x := range map[string]struct {
		r      *rows.Store
		method string
	}{
		"club": {club.Play(random), losses.MLM}, "stages": {staged, losses.LS}, "draws": {ordered, losses.Ordered}, "decisions": {fittest.ReferenceChoices(t, losses.Choice), losses.Choice},
	} {
		r, l, un := x.r, losses.Of(x.method), meat.Moved(x.r)
		n := r.Design.Size()
		var nulls []meat.Null
		for i := range 20 {
			null := meat.Null{Theta: make([]float64, n), Lines: mat.NewDense(1+i%3, n, nil)}
			for j := range null.Theta {
				null.Theta[j] = 0.01 * random.NormFloat64()
				for a := range 1 + i%3 {
					null.Lines.Set(a, j, random.NormFloat64())
				}
			}
			if r.Design.Drawn {
				null.Theta[r.Design.Width()] = 0.5
			}
			nulls = append(nulls, null)
		}
		c := r.Clusters()
		all := meat.Nulls(r, l, un, nulls, c, 2)
		again := [][]meat.NullSums{meat.Nulls(r, l, un, nulls, c, 1)[:16], meat.SomeNulls(r, l, un, nulls[:16], c, 2, 3)}
		for i, null := range nulls {
			k, _ := null.Lines.Dims()
			sum := make([]float64, k)
			byGame, byPlayer := meat.Of(r, l, null.Theta, un, 2).Times(null.Lines, 2).Adding(sum, func(int) int { return 0 }, 2).Meats(k, c, nil, nil, nil, 2)
			if got := all[i]; !floats.EqualApprox(got.Sum, sum, 1e-9*floats.Norm(sum, 2)) || !near(got.ByGame, byGame) || !near(got.ByPlayer, byPlayer) {
				t.Errorf("%s, hypothesis %d: %v, want %v, %v and %v", name, i, got, sum, byGame, byPlayer)
			}
			for _, other := range again {
				if i < len(other) && (!floats.EqualApprox(other[i].Sum, sum, 1e-9*floats.Norm(sum, 2)) || !near(other[i].ByPlayer, byPlayer)) {
					t.Errorf("%s, hypothesis %d: %v with other workers or clusters, want %v and %v", name, i, other[i], sum, byPlayer)
				}
			}
		}
	}
}

// near reports whether two matrices are equal but for rounding; both may be nil.
func near(a, b *mat.SymDense) bool {
	if a == nil || b == nil {
		return a == b
	}
	return mat.EqualApprox(a, b, 1e-9*math.Max(mat.Norm(b, 2), 1e-300))
}
