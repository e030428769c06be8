package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
)

// TestManyAtoms: more pairs of slot and count than 16 bits hold.
func TestManyAtoms(t *testing.T) {
	const terms = 40_000
	m := &eval.Model{Stages: []string{"all"}, Knots: []int{0}}
	var free []int
	for i := range terms {
		free = append(free, i)
		m.Terms = append(m.Terms, eval.Term{Weights: []float64{0}})
	}
	b := NewBuilder(NewDesign(m, free, nil, nil))
	theta := make([]float64, terms+1)
	theta[terms] = 0.01
	rng := rand.New(rand.NewPCG(1, 1))
	want, grad := 0.0, make([]float64, terms+1)
	for i := range terms {
		theta[i] = rng.NormFloat64()
		n := int16(1 + i%2)
		for _, c := range []int16{n, -40 - n} {
			x := &Row{Game: int64(i / 10), Value: 3, Y: float64(i / 10 % 2), Weight: 1, Features: []Count{{uint32(i), c}}}
			b.Add(x)
			at := losses.Logistic{}.At(theta[i]*float64(c)+0.03, x.Y, 0)
			want += at.F
			grad[i] += at.D * float64(c)
		}
	}
	for range 2 * blockRows { // of no weight
		b.Add(&Row{Game: -1, Features: []Count{{0, 1}}})
	}
	b.Add(&Row{Game: -2, Features: []Count{{0, 1}}})
	r := b.Finish()
	if n := len(r.Blocks); r.Blocks[0].narrow == nil || r.Blocks[n-3].wide == nil || r.Blocks[n-1].narrow == nil {
		t.Fatal("the codes are not of the width that they need")
	}
	got := make([]float64, terms+1)
	if f := r.Pass(losses.Logistic{}, theta, 2, got); math.Abs(f-want) > 1e-9*want {
		t.Errorf("objective %v, want %v", f, want)
	}
	for i := range terms {
		if math.Abs(got[i]-grad[i]) > 1e-12 {
			t.Fatalf("gradient %d: %v, want %v", i, got[i], grad[i])
		}
	}
	sizes := r.Supports(2)
	if sizes[terms-1].Positions != 2 || sizes[terms-1].Games != 1 || sizes[terms-1].high != 2 || sizes[terms-1].low != -42 {
		t.Errorf("%+v", sizes[terms-1])
	}
}
