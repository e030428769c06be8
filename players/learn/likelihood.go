package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
)

// alternatives are the moves of one decision by the counts of their dominant positions, for
// the player.
type alternatives struct {
	game   int64
	chosen int
	rows   [][]cell
}

// likelihood is the likelihood of a conditional logit (McFadden, "Conditional Logit Analysis of
// Qualitative Choice Behavior", 1974): P(move i) = exp(β·x_i) / Σ_j exp(β·x_j). Temperature
// 1: weights w at temperature T are β = w/T.
//
// It is reduced by half a sum of squares of β, each times the mean square of its column
// within decisions and the pull: a pull of 1 is a prior of one unit of log-odds per
// standard deviation. It keeps the maximum finite when the moves can be predicted without
// error, and columns without support at 0.
type likelihood struct {
	decisions []alternatives
	ridge     []float64 // by column
}

func newLikelihood(decisions []alternatives, columns int, pull float64) *likelihood {
	l := &likelihood{decisions, make([]float64, columns)}
	mean, n := make([]float64, columns), 0
	for _, d := range decisions {
		clear(mean)
		n += len(d.rows)
		for _, r := range d.rows {
			for _, c := range r {
				mean[c.column] += c.x / float64(len(d.rows))
			}
		}
		for _, r := range d.rows {
			for _, c := range r {
				l.ridge[c.column] += c.x * c.x
			}
		}
		for j, x := range mean {
			l.ridge[j] -= x * x * float64(len(d.rows))
		}
	}
	for j := range l.ridge {
		l.ridge[j] = max(pull*l.ridge[j]/float64(max(n, 1)), unpulled)
	}
	return l
}

// unpulled keeps the curvature of a column above 0.
const unpulled = 1e-9

// at returns the logarithm of the likelihood less the penalty, with its gradient and,
// unless it is nil, minus its Hessian.
func (l *likelihood) at(beta, gradient []float64, hessian *mat.SymDense) float64 {
	sum := 0.0
	clear(gradient)
	if hessian != nil {
		hessian.Zero()
	}
	var p []float64
	mean := make([]float64, len(l.ridge))
	for i := range l.decisions {
		var log float64
		log, p = l.chances(&l.decisions[i], beta, p)
		sum += log
		l.score(&l.decisions[i], p, gradient)
		if hessian != nil {
			l.curvature(&l.decisions[i], p, mean, hessian)
		}
	}
	for j, r := range l.ridge {
		sum -= r * beta[j] * beta[j] / 2
		gradient[j] -= r * beta[j]
		if hessian != nil {
			hessian.SetSym(j, j, hessian.At(j, j)+r)
		}
	}
	return sum
}

// chances returns the probabilities of the moves of d, and the logarithm of that of the one
// played.
func (l *likelihood) chances(d *alternatives, beta, p []float64) (log float64, _ []float64) {
	p = p[:0]
	most := math.Inf(-1)
	for _, r := range d.rows {
		v := dot(r, beta)
		p, most = append(p, v), max(most, v)
	}
	log, sum := p[d.chosen]-most, 0.0
	for i, v := range p {
		p[i] = math.Exp(v - most)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return log - math.Log(sum), p
}

// score adds the gradient of one decision.
func (l *likelihood) score(d *alternatives, p, gradient []float64) {
	for i, r := range d.rows {
		weight := -p[i]
		if i == d.chosen {
			weight++
		}
		for _, c := range r {
			gradient[c.column] += weight * c.x
		}
	}
}

// curvature adds the covariance of the rows of d under p, to the upper triangle. mean is
// scratch.
func (l *likelihood) curvature(d *alternatives, p, mean []float64, hessian *mat.SymDense) {
	raw := hessian.RawSymmetric()
	clear(mean)
	for i, r := range d.rows {
		for _, c := range r {
			mean[c.column] += p[i] * c.x
		}
	}
	for i, r := range d.rows {
		for a, c := range r {
			line := raw.Data[int(c.column)*raw.Stride:]
			for _, e := range r[a:] {
				line[e.column] += p[i] * c.x * e.x
			}
		}
	}
	for a, m := range mean {
		if m == 0 {
			continue
		}
		line := raw.Data[a*raw.Stride:]
		for b, n := range mean[a:] {
			line[a+b] -= m * n
		}
	}
}

// maximise finds β from a starting point. The function is strictly concave.
func (l *likelihood) maximise(from []float64) ([]float64, error) {
	n := len(l.ridge)
	return logit.Maximise(&atPlace{likelihood: l, gradient: make([]float64, n), hessian: mat.NewSymDense(n, nil)}, from)
}

// atPlace is a likelihood at the β that Newton's method is at.
type atPlace struct {
	*likelihood
	beta, gradient []float64
	hessian        *mat.SymDense
}

func (p *atPlace) Set(beta []float64) float64 {
	p.beta = beta
	return p.at(beta, p.gradient, nil)
}

func (p *atPlace) Step(step []float64) (float64, error) {
	p.at(p.beta, p.gradient, p.hessian)
	return logit.Solve(step, p.gradient, p.hessian)
}

// covariance returns the covariance of β, robust against the dependence of decisions of one
// game: the inverse Hessian on both sides of the sum of squared scores by game (Huber
// 1967), times G/(G-1) for G games. It takes the dominant positions as given. nil for less
// than two games.
func (l *likelihood) covariance(beta []float64) *mat.SymDense {
	n := len(l.ridge)
	hessian := mat.NewSymDense(n, nil)
	l.at(beta, make([]float64, n), hessian)
	var cholesky mat.Cholesky
	if !cholesky.Factorize(hessian) {
		return nil
	}
	inverse := mat.NewSymDense(n, nil)
	if err := cholesky.InverseTo(inverse); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) {
			return nil
		}
	}
	meat, games := mat.NewSymDense(n, nil), 0
	scores := mat.NewVecDense(n, nil)
	var p []float64
	for i := 0; i < len(l.decisions); games++ {
		scores.Zero()
		for game := l.decisions[i].game; i < len(l.decisions) && l.decisions[i].game == game; i++ {
			_, p = l.chances(&l.decisions[i], beta, p)
			l.score(&l.decisions[i], p, scores.RawVector().Data)
		}
		meat.SymRankOne(meat, 1, scores)
	}
	if games < 2 {
		return nil
	}
	var half, all mat.Dense
	half.Mul(inverse, meat)
	all.Mul(&half, inverse)
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, (all.At(i, j)+all.At(j, i))/2*float64(games)/float64(games-1))
		}
	}
	return cov
}
