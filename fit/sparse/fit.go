package sparse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/internal/progress"
)

// Tie draws the weights from A to A+N-1 to those from B to B+N-1, each to its like: phases
// next to each other that share.
type Tie struct {
	A, B, N  int
	Strength float64 // in rows
}

// Settings are the choices of a fit.
type Settings struct {
	Loss       losses.Loss // Logistic, Linear or Squares
	Ridge      float64     // in rows with a target of 0
	Ties       []Tie
	Least      int       // a weight that occurs less often stays at its start
	Start      []float64 // nil: 0
	Tolerance  float64   // of Estimate.Norm; 0 means Tolerance
	Iterations int       // of conjugate gradients, in all; 0 means Iterations
	Workers    int
}

// The limits where the settings name none.
const (
	Tolerance  = 1e-7
	Iterations = 2000
)

// Estimate is a fit.
type Estimate struct {
	Weights []float64
	Loss    float64 // mean of the rows, without ridge and ties
	// Norm is sqrt(gᵀD⁻¹g/W)/sqrt(F), g the gradient of the sum, D the diagonal of its curvature, W
	// the sum of the rows' weights and F the mean loss of an even score. It depends on no unit.
	Norm       float64
	Newton     int // steps
	Iterations int // of conjugate gradients
	Passes     int // walks over all rows
	Fitted     int // weights that were moved
	Status     string

	n *newton
}

// The statuses of an estimate.
const (
	converged = "converged: the gradient norm is below the tolerance"
	stalled   = "stopped at the precision of the sums: no step lowers the objective any more"
	exhausted = "stopped at the limit of iterations"
)

// errEmpty is the error of a fit without rows.
var errEmpty = errors.New("there is no row to fit")

// Fit finds the weights.
func Fit(ctx context.Context, s *Store, set Settings) (*Estimate, error) {
	if s.Rows == 0 || s.Sum == 0 {
		return nil, errEmpty
	}
	if set.Start != nil && len(set.Start) != s.Weights {
		return nil, fmt.Errorf("%d weights to start from: there are %d", len(set.Start), s.Weights)
	}
	for _, t := range set.Ties {
		if t.A < 0 || t.B < 0 || t.N < 0 || max(t.A, t.B)+t.N > s.Weights {
			return nil, fmt.Errorf("a tie of %d weights from %d and from %d: there are %d", t.N, t.A, t.B, s.Weights)
		}
	}
	set.Tolerance = cmp.Or(set.Tolerance, Tolerance)
	set.Iterations = cmp.Or(set.Iterations, Iterations)
	n := newNewton(s, set)
	n.bar, n.begun = progress.Phase(ctx, "fit: solve"), time.Now()
	defer n.bar.Done()
	return n.estimate, n.run(ctx)
}

// newton is the state of a fit.
type newton struct {
	*passes
	set      Settings
	estimate *Estimate
	curve0   float64 // c of the package's comment
	even     float64 // loss of an even score
	held     []bool  // weights that stay unchanged
	bar      *progress.Bar
	begun    time.Time
	first    float64 // norm at the start

	grad, diag, dir, residual, search, product []float64 // one per weight
}

func newNewton(s *Store, set Settings) *newton {
	n := &newton{passes: newPasses(s, set.Loss, set.Workers), set: set, curve0: set.Loss.At(0, 0.5, 0).Positive}
	n.estimate = &Estimate{Weights: make([]float64, s.Weights), Status: exhausted, n: n}
	copy(n.estimate.Weights, set.Start)
	for _, v := range []*[]float64{&n.grad, &n.diag, &n.dir, &n.residual, &n.search, &n.product} {
		*v = make([]float64, s.Weights)
	}
	n.held = make([]bool, s.Weights)
	for j, count := range s.counts {
		n.held[j] = count == 0 && len(n.set.Ties) == 0 || int(count) < set.Least
		if !n.held[j] {
			n.estimate.Fitted++
		}
	}
	clear(n.z)
	n.even = n.passes.curve()
	return n
}

// run takes steps until one of the limits.
func (n *newton) run(ctx context.Context) error {
	e := n.estimate
	last, noisy := math.Inf(1), false // the norm before, and whether the step after it was within the noise
	for {
		n.scores(e.Weights)
		loss := n.passes.curve()
		objective := loss + n.penalty(e.Weights, 0)
		n.passes.transpose(n.passes.d, n.grad)
		n.addPenalty(e.Weights, n.grad)
		n.passes.diagonal(n.diag)
		n.addPenaltyDiagonal(n.diag)
		e.Passes += 3
		e.Loss = loss / n.Sum
		e.Norm = n.norm(n.grad) / math.Sqrt(n.even)
		switch {
		case e.Norm <= n.set.Tolerance:
			e.Status = converged
			return nil
		case noisy && e.Norm > last/2:
			e.Status = stalled
			return nil
		case e.Iterations >= n.set.Iterations:
			return nil
		}
		last = e.Norm
		n.first = cmp.Or(n.first, e.Norm)
		e.Newton++
		if err := n.direction(ctx); err != nil {
			return err
		}
		var moved bool
		noisy, moved = n.advance(objective)
		if !moved {
			e.Status = stalled
			return nil
		}
	}
}

// tell shows how far the fit is. left is the share of the norm that this step of Newton's has not removed yet.
func (n *newton) tell(left float64) {
	e := n.estimate
	norm := left * e.Norm
	n.bar.Note(fmt.Sprintf("iteration %d, loss %.8f, gradient norm %.1e of %.0e%s",
		e.Iterations, e.Loss, norm, n.set.Tolerance, minimise.TimeLeft(time.Since(n.begun), e.Iterations, n.set.Iterations, n.first, norm, n.set.Tolerance)))
}

// norm returns sqrt(gᵀD⁻¹g).
func (n *newton) norm(g []float64) float64 {
	sum := 0.0
	for j, v := range g {
		if !n.held[j] && n.diag[j] > 0 {
			sum += v * v / n.diag[j]
		}
	}
	return math.Sqrt(sum)
}

// advance moves the weights along dir as far as the objective falls enough (Armijo); n.step is the change of
// the scores. noisy means that the fall is too small for the precision of the sums.
func (n *newton) advance(objective float64) (noisy, moved bool) {
	e := n.estimate
	slope := 0.0
	for j, v := range n.dir {
		slope += v * n.grad[j]
	}
	noise := 1e-13 * math.Abs(objective)
	for t := 1.0; t > 1e-8; t /= 2 {
		if n.lossAt(t)+n.penalty(e.Weights, t) <= objective+1e-4*t*slope+noise {
			for j, v := range n.dir {
				e.Weights[j] += t * v
			}
			return -slope < noise, true
		}
	}
	return noisy, false
}

// penalty returns ridge and ties at theta + t·dir.
func (n *newton) penalty(theta []float64, t float64) float64 {
	sum := 0.0
	if n.set.Ridge > 0 {
		for j, v := range theta {
			v += t * n.dir[j]
			sum += n.set.Ridge * v * v
		}
	}
	for _, tie := range n.set.Ties {
		for k := range tie.N {
			a, b := tie.A+k, tie.B+k
			v := theta[a] + t*n.dir[a] - theta[b] - t*n.dir[b]
			sum += tie.Strength * v * v
		}
	}
	return n.curve0 / 2 * sum
}

// addPenalty adds the gradient of the penalty at v to g; the penalty is a square, so that this
// is its Hessian times v, too.
func (n *newton) addPenalty(v, g []float64) {
	if r := n.curve0 * n.set.Ridge; r > 0 {
		for j, x := range v {
			g[j] += r * x
		}
	}
	for _, tie := range n.set.Ties {
		c := n.curve0 * tie.Strength
		a, b, ga, gb := v[tie.A:][:tie.N], v[tie.B:][:tie.N], g[tie.A:][:tie.N], g[tie.B:][:tie.N]
		for k := range a {
			d := c * (a[k] - b[k])
			ga[k] += d
			gb[k] -= d
		}
	}
}

func (n *newton) addPenaltyDiagonal(g []float64) {
	for j := range g {
		g[j] += n.curve0 * n.set.Ridge
	}
	for _, tie := range n.set.Ties {
		for k := range tie.N {
			g[tie.A+k] += n.curve0 * tie.Strength
			g[tie.B+k] += n.curve0 * tie.Strength
		}
	}
}
