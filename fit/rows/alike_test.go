package rows_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/rows"
)

// TestByValue: loss, gradient, Hessian and scale of rows counted by kind are those of the rows one by one;
// values that hardly come again are not counted.
func TestByValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	store := func(value func() float64) *rows.Store {
		b := rows.NewBuilder(rows.NewDesign(&eval.Model{Stages: []string{"all"}, Knots: []int{0}}, nil, nil, nil))
		for i := range int64(4000) {
			b.Add(&rows.Row{Game: i / 40, Value: value(), Y: float64(rng.IntN(2)), Weight: float64(1 + rng.IntN(2))})
		}
		return b.Finish()
	}
	if r := store(rng.NormFloat64); r.ByValue(2) != r {
		t.Error("values that hardly come again are counted")
	}
	r := store(func() float64 { return float64(rng.IntN(41) - 20) })
	if n := len(r.ByValue(2).Blocks[0].Y); n != 164 {
		t.Fatalf("%d kinds, want 164", n)
	}
	const w0 = 0.03
	for _, l := range []losses.Loss{losses.Logistic{}, losses.Squares{}} {
		f, d, h, e := 0.0, 0.0, 0.0, 0.0
		for _, b := range r.Blocks {
			for i, v := range b.Value {
				at, x, w := l.At(w0*float64(v), float64(b.Y[i]), 0), float64(v), b.WeightOf(i)
				f, d, h, e = f+w*at.F, d+w*at.D*x, h+w*at.Positive*x*x, e+w*at.Exact*x*x
			}
		}
		grad := []float64{0}
		curve := 0.0
		meat.Of(r, l, []float64{w0}, r.Moved(), 2)(meat.Wanted{}, func(int) {}, func(_ int, g meat.Games) {
			for i := range g.Len() {
				curve += g.Along(i, []float64{2}) / 4
			}
		}, func(int) {})
		for name, x := range map[string][2]float64{
			"loss": {r.Pass(l, []float64{w0}, 2, grad), f}, "gradient": {grad[0], d}, "curvature of games": {curve, e},
			"Hessian": {r.Hessian([]float64{w0}, l, losses.Positive, 2).At(0, 0), h},
		} {
			if math.Abs(x[0]-x[1]) > 1e-9*math.Abs(x[1]) {
				t.Errorf("%T, %s: %v, want %v", l, name, x[0], x[1])
			}
		}
	}
}
