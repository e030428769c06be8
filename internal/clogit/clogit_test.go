package clogit

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/internal/logit"
)

// TestTwoMoves: of decisions between two moves the conditional logit is a logistic regression
// through the origin, which logit.Fit (held to Dobson's figures) has its own code for.
func TestTwoMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := New[float32](3)
	var rows []logit.Row
	for i := range 400 {
		x := []float64{float64(float32(rng.NormFloat64())), float64(float32(rng.NormFloat64())), 1}
		won := 0.0
		if rng.Float64() < logit.Probability(0.8*x[0]-1.5*x[1]+0.3) {
			won = 1
		}
		rows = append(rows, logit.Row{X: x, N: 1, Won: won})
		for j, v := range x {
			d.Add(j, v)
		}
		d.EndRow()
		d.EndRow() // the other move has no feature
		d.End(int64(i), int(1-won))
	}
	want, err := logit.Fit(rows, make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		got, err := d.Fit(0, workers)
		if err != nil {
			t.Fatal(err)
		}
		for j := range want {
			if math.Abs(got.Beta[j]-want[j]) > 1e-7 {
				t.Errorf("%d workers: β %v, want %v", workers, got.Beta, want)
			}
		}
	}
}

// planted are games of ten decisions among six moves by known weights.
func planted(rng *rand.Rand, beta []float64, games int) *Data[float32] {
	d := New[float32](len(beta))
	for g := range games {
		for range 10 {
			var value [6]float64
			for m := range value {
				for j, b := range beta {
					if rng.IntN(3) == 0 {
						x := rng.NormFloat64()
						d.Add(j, x)
						value[m] += b * float64(float32(x))
					}
				}
				value[m] -= math.Log(-math.Log(rng.Float64())) // Gumbel: the greatest is a logit's choice
				d.EndRow()
			}
			best := 0
			for m, v := range value {
				if v > value[best] {
					best = m
				}
			}
			d.End(int64(g), best)
		}
	}
	return d
}

// TestPlanted: weights come back within their errors, and errors are those of a spread over
// data sets; a game that is there twice as two groups changes nothing but the errors.
func TestPlanted(t *testing.T) {
	beta := []float64{1, -0.5, 0, 2}
	const sets = 60
	var z, se, squares [4]float64
	for i := range sets {
		f, err := planted(rand.New(rand.NewPCG(7, uint64(i))), beta, 60).Fit(1e-9, 1)
		if err != nil {
			t.Fatal(err)
		}
		for j, b := range f.Beta {
			z[j] += (b - beta[j]) / sets
			squares[j] += (b - beta[j]) * (b - beta[j]) / sets
			se[j] += f.SE[j] / sets
		}
	}
	for j := range beta {
		spread := math.Sqrt(squares[j])
		if math.Abs(z[j]) > 4*spread/math.Sqrt(sets) || spread/se[j] < 0.7 || spread/se[j] > 1.4 {
			t.Errorf("β%d: bias %.4f, spread %.4f, mean error %.4f", j, z[j], spread, se[j])
		}
	}
}

func TestAppend(t *testing.T) {
	a, b := planted(rand.New(rand.NewPCG(1, 1)), []float64{1, 2}, 5), planted(rand.New(rand.NewPCG(2, 1)), []float64{1, 2}, 5)
	beta := []float64{0.3, -0.7}
	want := 0.0
	for _, d := range []*Data[float32]{a, b} {
		for i := range d.Len() {
			log, _ := d.Chances(i, beta, nil)
			want += log
		}
	}
	a.Append(b)
	got := 0.0
	for i := range a.Len() {
		log, _ := a.Chances(i, beta, nil)
		got += log
	}
	if a.Len() != 100 || math.Abs(got-want) > 1e-12 {
		t.Errorf("%d decisions, %v, want %v", a.Len(), got, want)
	}
	if _, err := New[float32](1).Fit(0, 1); err == nil {
		t.Error("no decision is fitted to")
	}
}

// TestDisorder: features in any order, and one in two parts, are those of an orderly row.
func TestDisorder(t *testing.T) {
	orderly, disorderly := New[float64](3), New[float64](3)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 50 {
		for range 3 {
			x := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
			for j, v := range x {
				orderly.Add(j, v)
			}
			disorderly.Add(2, x[2]-1)
			disorderly.Add(0, x[0])
			disorderly.Add(2, 1)
			disorderly.Add(1, x[1])
			orderly.EndRow()
			disorderly.EndRow()
		}
		orderly.End(int64(i/2), i%3)
		disorderly.End(int64(i/2), i%3)
	}
	want, err := orderly.Fit(1e-3, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := disorderly.Fit(1e-3, 1)
	if err != nil {
		t.Fatal(err)
	}
	for j := range want.Beta {
		if math.Abs(got.Beta[j]-want.Beta[j]) > 1e-9 || math.Abs(got.SE[j]-want.SE[j]) > 1e-9 {
			t.Errorf("feature %d: %g ± %g, want %g ± %g", j, got.Beta[j], got.SE[j], want.Beta[j], want.SE[j])
		}
	}
}
