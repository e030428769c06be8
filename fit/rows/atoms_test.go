package rows

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/internal/panels"
)

// TestManyAtoms: more pairs of slot and count than 16 bits hold, far from each other.
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
	// Of no weight: first and last slots of a block with many atoms, so that gaps are wide.
	for i := range terms - 1 {
		b.Add(&Row{Game: -1, Features: []Count{{0, 1}, {uint32(i), 3}, {terms - 1, 2}}[min(i, 1):]})
	}
	r := b.Finish()
	if !slices.Contains(r.Blocks[len(r.Blocks)-1].gaps, panels.Wide) {
		t.Fatal("no gap is wide")
	}
	all := r.All()
	for i, x := range all[len(all)-terms+2:] {
		if want := []Count{{uint32(i + 1), 3}, {terms - 1, 2}}; !slices.Equal(x.Features, want) {
			t.Fatalf("row %d: %v, want %v", i, x.Features, want)
		}
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
	if last := sizes[terms-2]; last.Positions != 3 || last.Games != 2 || last.high != 3 || last.low != -41 {
		t.Errorf("%+v", last)
	}
}
