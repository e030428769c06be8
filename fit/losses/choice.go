package losses

import "math"

// Choices: the rows of a design are the positions after each move that could be played,
// z their scores, and a decision is the rows of one position. The mover, whose sign s is
// +1 for the first player and -1 for the second, played the first of them:
//
//	choice: maximise Π exp(s·z_0) / Σ_i exp(s·z_i), the conditional logit (McFadden 1974)
//	pairs:  maximise Π_i≠0 g(s·(z_0 - z_i)), each move not played compared with the one
//	        played (comparison training: Tesauro 1989; van der Werf et al. 2002)
//
// w_0 is the inverse of the temperature of a noisy choice. Both estimate the same w and w_0 if moves
// are played with the chances of the conditional logit: given that one of two moves is played, its
// chance is g(s·(z_0 - z_i)). The pairs of a decision are not independent, so that only their robust
// errors mean much.
//
// A term that is equal after all moves of a decision has no part in it. The rows of a decision
// are together in a block, the move played first; y distinguishes them:
const (
	PlayedRow = 2 // |y| of the row that begins a decision; its sign is s
	OtherRow  = 1 // |y| of the others
)

// Decisions is a loss of whole decisions, a function of all their scores.
type Decisions interface {
	Loss
	// Of returns the loss of a decision and overwrites d with its derivatives by z.
	Of(z []float64, sign float64, d []float64) float64
	// Curve overwrites c with weights such that the second derivative by z along v is
	// Σ c_i·u_i², u being v less the entry of the move played; less (Σ c_i·u_i)² if it is
	// centred.
	Curve(z []float64, sign float64, c []float64) (centred bool)
	// Size is how much a decision of n rows counts in the mean.
	Size(n int) float64
}

// DecisionEnd returns the row after the last one of the decision that begins at from.
func DecisionEnd(y []float32, from int) int {
	to := from + 1
	for to < len(y) && y[to] != PlayedRow && y[to] != -PlayedRow {
		to++
	}
	return to
}

// sumDecisions is Loss.Sum for decisions.
func sumDecisions[L Decisions](l L, z []float64, y, w []float32, d []float64) (f float64) {
	for from, to := 0, 0; from < len(z); from = to {
		to = DecisionEnd(y, from)
		g := l.Of(z[from:to], float64(y[from])/PlayedRow, d[from:to])
		if w != nil {
			weight := float64(w[from])
			g *= weight
			for i := from; i < to; i++ {
				d[i] *= weight
			}
		}
		f += g
	}
	return f
}

// smooth is what both losses of decisions have.
type smooth struct{}

// At returns the curvature along the difference of two equally good moves, a bound for the scaling of pairs.
// The other derivatives depend on all rows of the decision.
func (smooth) At(float64, float64, float64) Local { return Local{Exact: 0.25, Positive: 0.25} }

// Convex is true: a log-sum of exponentials less a linear term, or logistic in differences of scores.
func (smooth) Convex() bool { return true }

// ChoiceLogit is -ln P(the move played), in nats: the loss of method choice. internal/clogit has the
// same for few features in memory, which stages other than fit use.
type ChoiceLogit struct{ smooth }

// Of returns the loss of one decision and writes its derivatives to d.
func (ChoiceLogit) Of(z []float64, sign float64, d []float64) float64 {
	best := math.Inf(-1)
	for _, zi := range z {
		best = max(best, sign*zi)
	}
	sum := 0.0
	for i, zi := range z {
		d[i] = expMinus(best - sign*zi)
		sum += d[i]
	}
	for i := range d {
		d[i] *= sign / sum
	}
	d[0] -= sign
	return math.Log(sum) + best - sign*z[0]
}

func (l ChoiceLogit) Curve(z []float64, sign float64, c []float64) (centred bool) {
	l.Of(z, sign, c)
	c[0] += sign
	for i := range c {
		c[i] *= sign
	}
	return true
}

func (ChoiceLogit) Size(int) float64 { return 1 }

// Sum implements Loss, over whole decisions.
func (l ChoiceLogit) Sum(z []float64, y, w []float32, _ float64, d []float64) (f, dt float64) {
	return sumDecisions(l, z, y, w, d), 0
}

// pairedLogit is the sum of -ln g(s·(z_0 - z_i)) over the moves not played, in nats: the
// loss of method pairs.
type pairedLogit struct{ smooth }

// Of returns the loss of one decision and writes its derivatives to d.
func (pairedLogit) Of(z []float64, sign float64, d []float64) (f float64) {
	d[0] = 0
	for i := 1; i < len(z); i++ {
		at := Logistic{}.At(sign*(z[0]-z[i]), 1, 0)
		f += at.F
		d[i] = -sign * at.D
		d[0] += sign * at.D
	}
	return f
}

func (pairedLogit) Curve(z []float64, sign float64, c []float64) (centred bool) {
	c[0] = 0
	for i := 1; i < len(z); i++ {
		c[i] = Logistic{}.At(sign*(z[0]-z[i]), 1, 0).Exact
	}
	return false
}

func (pairedLogit) Size(n int) float64 { return float64(n - 1) }

// Sum implements Loss, over whole decisions.
func (l pairedLogit) Sum(z []float64, y, w []float32, _ float64, d []float64) (f, dt float64) {
	return sumDecisions(l, z, y, w, d), 0
}
