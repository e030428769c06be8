package identify

import (
	"math"

	"kifu/internal/lists"

	"gonum.org/v1/gonum/optimize"
)

// Kinds of evidence.
const (
	Tree   = iota // frequencies of moves in the player's other games
	Models        // its strategy
	kinds
)

// Batch is some games of one player: N of them, with the sums of their evidence for each
// candidate, in nats, by kind.
type Batch struct {
	Player int // index of the candidate that is right
	N      int
	Sum    [kinds][]float64
}

// Temper turns sums of log-likelihoods into a posterior of equal priors:
//
//	ln P(k | n games) = const + Σ_kind τ / (1 + ρ (n-1)) · Σ_games ln L_k
//
// The likelihood is raised to the power τ, which is below 1 because moves of one game depend on each other
// and no candidate is true (a tempered, or power, posterior: Grünwald 2012; Holmes and Walker 2017). Games of
// one player depend on each other as well: a model's errors about a player recur in all games. If the errors
// of two games have the correlation ρ, n games are worth n / (1 + ρ (n-1)) independent ones: the design
// effect of clusters (Kish, Survey Sampling, 1965, section 5.4).
type Temper struct {
	Tau [kinds]float64 `json:"tau"` // 0: the kind is not used
	Rho [kinds]float64 `json:"rho"`
}

// untempered takes the sums of some kinds of evidence unchanged.
func untempered(use []int) (t Temper) {
	for _, kind := range use {
		t.Tau[kind] = 1
	}
	return t
}

// Posterior returns the probabilities of the candidates.
func (t *Temper) Posterior(b *Batch) []float64 {
	var p []float64
	for kind, sums := range b.Sum {
		if t.Tau[kind] == 0 {
			continue
		}
		if p == nil {
			p = make([]float64, len(sums))
		}
		scale := t.Tau[kind] / (1 + t.Rho[kind]*float64(b.N-1))
		for k, s := range sums {
			p[k] += scale * s
		}
	}
	most := math.Inf(-1)
	for _, x := range p {
		most = max(most, x)
	}
	sum := 0.0
	for k, x := range p {
		p[k] = math.Exp(x - most)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// loss is the mean of -ln P(the right one).
func (t *Temper) loss(batches []Batch) (sum float64) {
	for i := range batches {
		sum -= math.Log(max(t.Posterior(&batches[i])[batches[i].Player], 1e-300))
	}
	return sum / float64(len(batches))
}

// Bounds of τ and ρ in a fit.
const (
	leastTau, mostTau = 1e-4, 1e2
	leastRho, mostRho = 1e-6, 1.0
)

// FitTemper returns the τ and ρ of the given kinds that make the right candidates of the batches most
// probable. A normal prior of ln τ around 0, with the weight of
// one batch, keeps τ finite if the right candidate always has the greatest sum. Without batches of several
// games ρ is 0.
func FitTemper(batches []Batch, use ...int) Temper {
	starts := lists.Of([]float64{0.03, 0.5}, func(tau float64) Temper {
		return Temper{Tau: [kinds]float64{tau, tau}, Rho: [kinds]float64{0.03, 0.03}}
	})
	return fitFrom(starts, batches, use, 400)
}

// fitFrom is the best fit from some starts (Nelder and Mead's method, over logarithms), in so many evaluations for each kind.
func fitFrom(starts []Temper, batches []Batch, use []int, evaluations int) Temper {
	several := false
	for _, b := range batches {
		several = several || b.N > 1
	}
	at := func(x []float64) (t Temper) {
		for i, kind := range use {
			t.Tau[kind] = min(max(math.Exp(x[2*i]), leastTau), mostTau)
			if several {
				t.Rho[kind] = min(max(math.Exp(x[2*i+1]), leastRho), mostRho)
			}
		}
		return t
	}
	best, least := Temper{}, math.Inf(1)
	for _, from := range starts {
		var start []float64
		for _, kind := range use {
			start = append(start, math.Log(from.Tau[kind]), math.Log(max(from.Rho[kind], leastRho)))
		}
		r, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 {
			t, prior := at(x), 0.0
			for i := range use {
				prior += x[2*i] * x[2*i] / 2
			}
			return t.loss(batches) + prior/float64(len(batches))
		}}, start, &optimize.Settings{FuncEvaluations: evaluations * len(use), Concurrent: 0}, &optimize.NelderMead{})
		if r != nil && (err == nil || r.F < least) && r.F < least {
			best, least = at(r.X), r.F
		}
	}
	return best
}
