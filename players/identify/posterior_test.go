package identify_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/kit/slow"
	"kifu/players/identify"
	"kifu/players/identify/identifysim"
)

// normal returns sets of n numbers around the mean of one of the candidates, with standard
// deviation 1 and correlation ρ, as evidence of a candidate that takes them for independent.
// With m their mean, which is sufficient and has the variance (1+ρ(n-1))/n, Bayes' rule gives
//
//	ln P(k) = const - n (m - μ_k)² / (2 (1 + ρ(n-1))),
//
// which is the sum of the candidates' log-likelihoods divided by 1+ρ(n-1): an oracle for τ = 1.
func normal(rng *rand.Rand, means []float64, n, sets int, rho, times float64) (all []identify.Batch) {
	for range sets {
		b := identify.Batch{Player: rng.IntN(len(means)), N: n}
		b.Sum[identify.Models] = make([]float64, len(means))
		shared := math.Sqrt(rho) * rng.NormFloat64()
		for range n {
			x := means[b.Player] + shared + math.Sqrt(1-rho)*rng.NormFloat64()
			for k, m := range means {
				b.Sum[identify.Models][k] -= times * (x - m) * (x - m) / 2
			}
		}
		all = append(all, b)
	}
	return all
}

func TestTemperEqualsBayes(t *testing.T) {
	slow.Test(t, "30,000 sets of games")
	means := []float64{-1, -0.5, 0, 0.5, 1}
	for _, want := range []struct{ rho, times float64 }{{0, 1}, {0.1, 1}, {0.1, 3}, {0.4, 1}} {
		rng := rand.New(rand.NewPCG(11, 6))
		var sets []identify.Batch
		for _, n := range []int{1, 5, 20} {
			sets = append(sets, normal(rng, means, n, 2500, want.rho, want.times)...)
		}
		got := identify.FitTemper(sets, identify.Models)
		tau, rho := got.Tau[identify.Models]*want.times, got.Rho[identify.Models]
		if math.Abs(tau-1) > 0.08 || math.Abs(rho-want.rho) > 0.04 || got.Tau[identify.Tree] != 0 {
			t.Errorf("ρ %v, counted %v times: τ %v times too great, ρ %v", want.rho, want.times, tau, rho)
		}
	}
}

func TestPosteriorOfOneBatch(t *testing.T) {
	b := identify.Batch{N: 3}
	b.Sum[identify.Tree] = []float64{-800, -802}
	b.Sum[identify.Models] = []float64{-50, -47}
	temper := identify.Temper{Tau: [2]float64{0.5, 0.25}, Rho: [2]float64{0.5, 0.1}}
	odds := math.Exp(2*0.5/2 - 3*0.25/1.2) // by hand
	p := temper.Posterior(&b)
	if math.Abs(p[0]/p[1]-odds) > 1e-12 || math.Abs(p[0]+p[1]-1) > 1e-12 {
		t.Errorf("%v, want odds %v", p, odds)
	}
}

// TestCalibrated: planted players whose moves are counted three times and about whom the
// models are wrong. What the posterior claims is true within its error, where the product of
// likelihoods claims far too much; bench/simulation/identify has the whole table.
func TestCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	w := identifysim.Planted{Players: 12, Decisions: 8, Spread: 0.3, Repeat: 3, Habit: 0.4}.New(rng)
	a := identify.Assess(context.Background(), w.Games(rng, 120), w.Games(rng, 120), w.Players, []int{1, 5, 20}, 30, 7, 2)
	tempered, raw := 0, 0
	for _, x := range a.Trials {
		if x.Evidence != "both" {
			continue
		}
		switch {
		case x.Tempered && math.Abs(x.Over) > 3**x.OverSE:
			t.Errorf("%d games: claims %.3f, right %.3f ± %.3f", x.Games, x.Confidence, x.Accuracy, *x.AccuracySE)
		case x.Tempered:
			tempered++
		case x.Over > 3**x.OverSE:
			raw++
		}
		if x.Tempered && x.Games == 20 && x.Accuracy < 0.5 {
			t.Errorf("of 20 games %.3f are named right", x.Accuracy)
		}
	}
	if tempered != 3 || raw != 3 {
		t.Errorf("%d tempered posteriors are true, %d untempered ones claim too much: want 3 and 3", tempered, raw)
	}
	sets := 0
	for _, b := range a.Bins {
		if b.Evidence == "both" {
			sets += b.Sets
		}
		if b.Mean <= b.From || b.Mean > b.To {
			t.Errorf("bin %+v", b)
		}
	}
	if sets != 3*12*30 {
		t.Errorf("%d sets in bins", sets)
	}
}
