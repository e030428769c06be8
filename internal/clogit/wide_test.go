package clogit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plantedIn are decisions of players whose weights depend on a context, and differ among players by spread.
func plantedIn(rng *rand.Rand, beta []float64, numbers, players int, spread float64) *Data[float32] {
	columns := len(beta) / numbers
	d := NewIn[float32](columns, numbers)
	for g := range players {
		own := make([]float64, columns)
		for f := range own {
			own[f] = spread * rng.NormFloat64()
		}
		for range 5 + rng.IntN(20) {
			z := []float64{1}
			for len(z) < numbers {
				z = append(z, float64(float32(rng.Float64())))
			}
			best, most := 0, math.Inf(-1)
			for m := range 6 {
				v := -math.Log(-math.Log(rng.Float64()))
				for f := range columns {
					x := float64(float32(rng.NormFloat64()))
					d.Add(f, x)
					w := own[f]
					for c := range numbers {
						w += beta[f*numbers+c] * z[c]
					}
					v += w * x
				}
				d.EndRow()
				if v > most {
					best, most = m, v
				}
			}
			d.EndIn(z, int64(g), best)
		}
	}
	return d
}

// TestSlopes: the gradient and the Hessian are those of differences of the value and the gradient.
func TestSlopes(t *testing.T) {
	beta := []float64{1, -0.5, 0.3, 2, 0, -1}
	d := plantedIn(rand.New(rand.NewPCG(1, 2)), beta, 3, 30, 0)
	ridge := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	m := d.Model(ridge, 2)
	slopes := func(beta []float64) (float64, []float64) {
		copy(m.beta, beta)
		value, gradient, _ := m.derivatives(1, false)
		return value, gradient
	}
	_, gradient := slopes(beta)
	_, hessian := m.Derivatives()
	const h = 1e-5
	for j := range beta {
		at := append([]float64{}, beta...)
		at[j] += h
		above, right := slopes(at)
		at[j] -= 2 * h
		below, left := slopes(at)
		if got := (above - below) / (2 * h); math.Abs(got-gradient[j]) > 1e-5*(1+math.Abs(gradient[j])) {
			t.Errorf("slope %d: %v, by differences %v", j, gradient[j], got)
		}
		for k := range beta {
			if got := -(right[k] - left[k]) / (2 * h); math.Abs(got-hessian.At(j, k)) > 1e-4*(1+math.Abs(got)) {
				t.Errorf("curvature %d, %d: %v, by differences %v", j, k, hessian.At(j, k), got)
			}
		}
	}
}

// TestWideIsNewton: L-BFGS and Newton's method end at one maximum, with the same errors, for any number of workers.
func TestWideIsNewton(t *testing.T) {
	beta := []float64{1, -0.5, 0.3, 2, 0, -1}
	d := plantedIn(rand.New(rand.NewPCG(3, 4)), beta, 2, 200, 0.3)
	ridge := make([]float64, len(beta))
	for j := range ridge {
		ridge[j] = 0.5
	}
	want, err := d.Fit(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	passes := 0
	var first *Fit
	for _, workers := range []int{1, 3} {
		got, err := d.FitWide(ridge, workers, func() error { passes++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		for j := range beta {
			if math.Abs(got.Beta[j]-want.Beta[j]) > 2e-2*want.SE[j] || math.Abs(got.SE[j]/want.SE[j]-1) > 1e-3 {
				t.Errorf("weight %d: %v ± %v, want %v ± %v", j, got.Beta[j], got.SE[j], want.Beta[j], want.SE[j])
			}
			if first != nil && got.Beta[j] != first.Beta[j] {
				t.Errorf("weight %d is %v by one worker, %v by three", j, first.Beta[j], got.Beta[j])
			}
		}
		first = got
	}
	if passes > 60 {
		t.Errorf("%d passes", passes)
	}
}

// TestContextsCover: intervals of ± 1.96 errors by player hold the weights in 95 of 100 samples, where players return and each
// has its own taste; errors as if decisions were independent would hold them in fewer.
func TestContextsCover(t *testing.T) {
	beta := []float64{0.8, -0.4, 0, 0.6}
	const runs, numbers = 400, 2
	much, err := plantedIn(rand.New(rand.NewPCG(12, 0)), beta, numbers, 10_000, 0.4).Fit(1e-6, 2)
	if err != nil {
		t.Fatal(err)
	}
	mixed, held, all := much.Beta, 0, 0 // the logit of a mixture has smaller weights than beta: those of much data
	for run := range runs {
		d := plantedIn(rand.New(rand.NewPCG(11, uint64(run))), beta, numbers, 60, 0.4)
		f, err := d.Fit(1e-6, 1)
		if err != nil {
			t.Fatal(err)
		}
		for j := range beta {
			all++
			if math.Abs(f.Beta[j]-mixed[j]) < 1.96*f.SE[j] {
				held++
			}
		}
	}
	share := float64(held) / float64(all)
	t.Logf("%.3f of %d intervals hold the weight", share, all)
	if share < 0.92 || share > 0.97 {
		t.Errorf("%.3f of the intervals hold the weight", share)
	}
}
