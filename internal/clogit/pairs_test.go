package clogit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// paired are decisions of players among six moves with five features of 0 or 1. The first two together count more than their sum
// by much.
func paired(rng *rand.Rand, players int, much float64) *Data[float32] {
	d := New[float32](5)
	for g := range players {
		for range 20 {
			best, most := 0, math.Inf(-1)
			for m := range 6 {
				var has [5]float64
				v := -math.Log(-math.Log(rng.Float64()))
				for f := range has {
					has[f] = float64(rng.IntN(2))
					d.Add(f, has[f])
				}
				d.EndRow()
				if v += has[0] - has[2] + much*has[0]*has[1]; v > most {
					best, most = m, v
				}
			}
			d.End(int64(g), best)
		}
	}
	return d
}

// TestPairs: a pair that counts is found and explains decisions not seen; where none counts, none is learned.
func TestPairs(t *testing.T) {
	const much = -1.5
	d, other := paired(rand.New(rand.NewPCG(1, 1)), 500, much), paired(rand.New(rand.NewPCG(2, 1)), 500, much)
	f, err := d.Fit(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	none := func() error { return nil }
	p, err := d.LearnPairs(f.Beta, 3, 2, none)
	if err != nil || p == nil {
		t.Fatalf("no pairs (%v)", err)
	}
	for a := range uint16(5) {
		for b := range a {
			// the main effects are those without pairs, so that the others take what these lack
			if w := p.Weight(a, b); (a == 1 && b == 0) != (w < -0.7) {
				t.Errorf("pair %d, %d has weight %.2f", a, b, w)
			}
		}
	}
	without, with := other.Model(make([]float64, 5), 1).Set(f.Beta), other.With(p).Model(make([]float64, 5), 1).Set(f.Beta)
	if gain := (with - without) / float64(other.Len()); gain < 0.02 {
		t.Errorf("pairs explain others' decisions better by %.4f nats", gain)
	}
	if again, err := d.LearnPairs(f.Beta, 3, 3, none); err != nil || !slices.Equal(p, again) {
		t.Errorf("three workers learn other pairs (%v)", err)
	}
	flat := paired(rand.New(rand.NewPCG(3, 1)), 100, 0)
	if f, err = flat.Fit(1, 1); err != nil {
		t.Fatal(err)
	}
	if p, err := flat.LearnPairs(f.Beta, 3, 1, none); err != nil || p != nil {
		t.Errorf("pairs of decisions without any: %v (%v)", p, err)
	}
}

// TestPairSlopes: the gradient is that of differences of the likelihood, and the parts of a row add up.
func TestPairSlopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	d := plantedIn(rng, []float64{1, -0.5, 0.3}, 1, 20, 0)
	l := &pairLearner[float32]{Data: d, workers: 2, alone: make([]float64, len(d.cells))}
	l.scale()
	p, all := make(Pairs, 3), make([]int, d.Len())
	for i := range all {
		all[i] = i
	}
	for f := range p {
		for k := range p[f] {
			p[f][k] = 0.3 * rng.NormFloat64()
		}
	}
	l.slopes(p, all)
	got, v := slices.Clone(l.gradient), p[1][2]
	const h = 1e-5
	p[1][2] = v + h
	above := l.slopes(p, all)
	p[1][2] = v - h
	below := l.slopes(p, all)
	if want := (above - below) / (2 * h); math.Abs(got[1][2]-want) > 1e-5*(1+math.Abs(want)) {
		t.Errorf("slope %v, by differences %v", got[1][2], want)
	}
	columns, x := d.Row(0, 0)
	want, _ := pairsOf(p, columns, x)
	sum := 0.0
	for i := range columns {
		sum += p.Part(columns, x, i)
	}
	if math.Abs(sum-want) > 1e-12 {
		t.Errorf("parts of %v, pairs add %v", sum, want)
	}
	if twice, _ := pairsOf(p.Times(2), columns, x); math.Abs(twice-2*want) > 1e-12 || p.Times(-1) != nil {
		t.Errorf("twice %v is %v", want, twice)
	}
}
