package skill

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/internal/ordered"
	"kifu/internal/panels"
)

// Curve is how the quantities of a law depend on the rating: Weights has for each quantity those of the features, of which the
// first is 1 and the second the rating in hundreds, counted from Centre.
type Curve struct {
	Centre  float64     `json:"centre"`
	Weights [][]float64 `json:"weights"`
	// Covariance of the weights, in order of the quantities, by player.
	Covariance []float64 `json:"covariance"`
	Low        float64   `json:"low"`
	High       float64   `json:"high"`
	// ratings that the curve was fitted to
}

// hundred is the unit of ratings within a curve.
const hundred = 100

// rated appends the features of a rating.
func (c *Curve) rated(x []float64, rating float64) []float64 {
	return append(x, 1, (rating-c.Centre)/hundred)
}

// quantities returns the values of the quantities for features.
func (c *Curve) quantities(x []float64) (q [most]float64) {
	for a, w := range c.Weights {
		for k, v := range x {
			q[a] += w[k] * v
		}
	}
	return q
}

// fitted is the penalised likelihood of a curve; a logit.Model.
type fitted struct {
	*Curve
	moves   *Moves
	law     law
	turns   []int // that the curve is fitted to
	workers int
	width   int       // features
	here    curveSums // at the weights
}

// ridge keeps a weight without support at 0: its share of a standard deviation is far below any error. fixed holds a weight at 0.
const ridge, fixed = 1e-6, 1e15

// ridgeOf returns the ridge of a weight. The consistency, the second quantity of choices, is the same at all ratings: if it
// depended on them a few large losses would decide of a performance, and z would be skewed (docs/performances.md).
func ridgeOf(quantity, feature int) float64 {
	if quantity > 0 && feature > 0 {
		return fixed
	}
	return ridge
}

// turnsAPiece is how many turns a worker sums at once.
const turnsAPiece = 256

func (f *fitted) parameters() int { return f.law.quantities() * f.width }

// Set implements logit.Model.
func (f *fitted) Set(theta []float64) float64 {
	for a := range f.Weights {
		copy(f.Weights[a], theta[a*f.width:])
	}
	f.here = f.sum()
	for i, t := range theta {
		ridge := ridgeOf(i/f.width, i%f.width)
		f.here.log -= ridge * t * t / 2
		f.here.gradient[i] -= ridge * t
		f.here.information[i*(len(theta)+1)] += ridge
	}
	return f.here.log
}

// Step implements logit.Model, with the expected information in place of the Hessian (Fisher's scoring).
func (f *fitted) Step(step []float64) (float64, error) {
	return logit.Solve(new(panels.Cholesky), step, f.here.gradient, mat.NewSymDense(len(step), f.here.information))
}

func add(to, x []float64) {
	for i, v := range x {
		to[i] += v
	}
}

// curveSums are the sums of some turns.
type curveSums struct {
	log                   float64
	gradient, information []float64 // of the information the upper triangle
}

func (f *fitted) newSums() curveSums {
	n := f.parameters()
	return curveSums{gradient: make([]float64, n), information: make([]float64, n*n)}
}

// sum sums up all turns in pieces, in order.
func (f *fitted) sum() curveSums {
	total, all := f.newSums(), lists.N(max(1, f.workers), func(int) curveSums { return f.newSums() })
	ordered.Merge(len(all), (len(f.turns)+turnsAPiece-1)/turnsAPiece, func(w, piece int) {
		s := &all[w]
		s.log = 0
		clear(s.gradient)
		clear(s.information)
		for _, t := range f.turns[piece*turnsAPiece : min(len(f.turns), (piece+1)*turnsAPiece)] {
			f.add(s, f.moves.Turns[t])
		}
	}, func(w, _ int) {
		total.log += all[w].log
		add(total.gradient, all[w].gradient)
		add(total.information, all[w].information)
	})
	return total
}

// add adds a turn.
func (f *fitted) add(s *curveSums, t Turn) {
	var x []float64
	var p point
	n := f.parameters()
	for i := t.first; i < t.end; i++ {
		x = f.law.features(f.rated(x[:0], t.Rating), i)
		f.law.at(&p, i, f.quantities(x))
		s.log += p.log
		for a := range f.Weights {
			for k, v := range x {
				row := a*f.width + k
				s.gradient[row] += p.score[a] * v
				for b := a; b < len(f.Weights); b++ {
					along := p.information[a][b] * v
					for l, to := range s.information[row*n+b*f.width:][:f.width] {
						s.information[row*n+b*f.width+l] = to + along*x[l]
					}
				}
			}
		}
	}
}

// leastPlayers is the smallest number of players to calibrate by, clearSlope how many standard errors the rating's weight is below 0.
const leastPlayers, clearSlope = 20, 4

// fit fits the curve to rated turns.
func fit(m *Moves, turns []int, workers int) (*Curve, error) {
	var players = map[int]bool{}
	var sum, n float64
	c := &Curve{Low: math.Inf(1), High: math.Inf(-1)}
	for _, t := range turns {
		turn := m.Turns[t]
		players[turn.Player] = true
		sum, n = sum+turn.Rating*float64(turn.Len()), n+float64(turn.Len())
		c.Low, c.High = min(c.Low, turn.Rating), max(c.High, turn.Rating)
	}
	if len(players) < leastPlayers || c.High-c.Low < hundred {
		return nil, fmt.Errorf("too few players with ratings and moves: %d; want at least 20, with ratings at least 100 points apart", len(players))
	}
	c.Centre = math.Round(sum / n)
	law := m.law()
	f := &fitted{Curve: c, moves: m, law: law, turns: turns, workers: workers, width: len(law.features(c.rated(nil, c.Centre), 0))}
	for range law.quantities() {
		c.Weights = append(c.Weights, make([]float64, f.width))
	}
	theta := make([]float64, f.parameters())
	theta[0] = -1 // losses of a third of a pawn
	if _, err := logit.Maximise(f, theta); err != nil {
		return nil, fmt.Errorf("fitting a curve of ratings to %d turns: %w", len(turns), err)
	}
	if err := f.covariance(); err != nil {
		return nil, err
	}
	// Without a clear slope the scale of ratings is noise: an interval would be anything, and z has the wrong sign.
	if slope, se := c.Weights[0][1], math.Sqrt(c.Covariance[f.parameters()+1]); slope > -clearSlope*se {
		return nil, fmt.Errorf("among %d players rated %.0f to %.0f, higher-rated ones do not clearly lose less per move", len(players), c.Low, c.High)
	}
	return c, nil
}

// covariance fills in the covariance of the weights: the inverse information on both sides of the scores' squares by player.
func (f *fitted) covariance() error {
	n := f.parameters()
	by := map[int][]float64{}
	var order []int
	s := f.newSums()
	for _, t := range f.turns {
		clear(s.gradient)
		turn := f.moves.Turns[t]
		f.add(&s, turn)
		if by[turn.Player] == nil {
			by[turn.Player] = make([]float64, n)
			order = append(order, turn.Player)
		}
		add(by[turn.Player], s.gradient)
	}
	meat := mat.NewSymDense(n, nil)
	for _, p := range order {
		meat.SymRankOne(meat, float64(len(order))/float64(len(order)-1), mat.NewVecDense(n, by[p]))
	}
	var factor mat.Cholesky
	inverse := mat.NewSymDense(n, nil)
	if !factor.Factorize(mat.NewSymDense(n, f.here.information)) {
		return errors.New("the moves do not depend on the ratings")
	}
	var condition mat.Condition
	if err := factor.InverseTo(inverse); err != nil && !errors.As(err, &condition) {
		return err
	}
	var half, all mat.Dense
	half.Mul(inverse, meat)
	all.Mul(&half, inverse)
	f.Covariance = all.RawMatrix().Data
	return nil
}
