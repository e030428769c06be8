package learn

import (
	"context"
	"fmt"
	"math"

	"kifu/eval"
	"kifu/games"

	"gonum.org/v1/gonum/mat"
)

// The solvers of the systems of figure 9, and the words of Params.Fit.
const (
	Given      = "given"      // no solver: the weights given
	LP         = "lp"         // see separate
	Likelihood = "likelihood" // see logit
	Both       = "both"
)

// Strategy is the best strategy found at one depth by one solver, with the choice that
// makes the moves fitted to most probable.
type Strategy struct {
	Depth  int    `json:"depth"`
	Solver string `json:"solver"`
	// Systems is how many systems were solved at the depth; Solved is the depth of the one
	// that gave the weights, less than Depth when none of this depth's did better, and 0 for
	// weights that were given.
	Systems int `json:"systems"`
	Solved  int `json:"solved"`
	// Constraints are those of the last system and Violated how many the weights that
	// solve it violate or just meet.
	Constraints int `json:"constraints"`
	Violated    int `json:"violated"`

	Temperature float64 `json:"temperature"` // in the evaluator's unit
	Lapse       float64 `json:"lapse"`
	Train       Score   `json:"train"`
	Held        Score   `json:"held_out"`
	// Behind is by how much less of the moves held out is foretold than by the strategy
	// chosen, and BehindSE the standard error of that difference, by games.
	Behind   float64  `json:"behind"`
	BehindSE *float64 `json:"behind_se"`
	Weights  []Weight `json:"weights"`

	found *solution
	hits  []float64 // of the decisions held out
}

// Weight is one weight of a strategy.
type Weight struct {
	Group string  `json:"group"`
	Term  string  `json:"term"`
	Stage string  `json:"stage,omitempty"` // empty: all of them
	Value float64 `json:"weight"`
	// SE is its standard error, by games, with the dominant positions and the length of
	// all weights taken as given; null for the linear programme, which has none.
	SE    *float64 `json:"se"`
	Given float64  `json:"given"` // the weight of --eval, or the default one
}

// Model is the strategy chosen.
type Model struct {
	Depth       int     `json:"depth"`
	Solver      string  `json:"solver"`
	Temperature float64 `json:"temperature"`
	Lapse       float64 `json:"lapse"`
	Held        *Score  `json:"held_out"` // it was chosen by this: a little too good
	Test        *Score  `json:"test"`     // of games that had no part in it; null without
	eval        *eval.Model
}

// solution are weights with their origin.
type solution struct {
	weights             []float64
	cov                 *mat.SymDense // nil without
	depth               int
	constraints, misses int
}

// climb is FindSolution, repeated from the solution until the share of the moves held out
// that is foretold rises by less than epsilon; the best solution seen is kept.
func (l *learner[P]) climb(ctx context.Context, solver string, depth int, from *solution) (*Strategy, error) {
	const most = 12 // systems a depth
	title := fmt.Sprintf("depth %d, %s", depth, solver)
	p, err := l.search(ctx, from.weights, depth, title)
	if err != nil {
		return nil, err
	}
	s := &Strategy{Depth: depth, Solver: solver, found: from}
	best, score := p, l.score(p)
	for now, last := p, score; s.Systems < most; {
		next, err := l.solve(solver, now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		s.Systems++
		next.depth = depth
		s.Constraints, s.Violated = next.constraints, next.misses
		if now, err = l.search(ctx, next.weights, depth, title); err != nil {
			return nil, err
		}
		got := l.score(now)
		if got > score {
			s.found, best, score = next, now, got
		}
		if got < last+l.params.Epsilon {
			break
		}
		last = got
	}
	l.describe(s, best)
	return s, nil
}

// score is what progress is measured by.
func (l *learner[P]) score(p *pass) float64 {
	ds := l.ranked(p, held)
	mean, _ := meanByGame(ds, hitsOf(ds))
	return mean
}

// solve finds weights for the system of a pass, of such a length that the moves are worth
// as much more than the others, by the root mean square, as by the weights given.
func (l *learner[P]) solve(solver string, p *pass) (*solution, error) {
	decisions := l.alternatives(p, train)
	rows := constraints(decisions)
	n := len(l.columns.terms)
	if len(rows) == 0 {
		return &solution{weights: p.weights}, nil
	}
	found := &solution{constraints: len(rows)}
	best := math.Inf(-1)
	fit, foretold := fitters(solver, decisions, rows, l.alternatives(p, held), n)
	var logit *logit
	for _, pull := range pulls() {
		w, by, err := fit(pull)
		if err != nil {
			return nil, err
		}
		if got := foretold(w); got >= best {
			best, found.weights, logit = got, w, by
		}
	}
	if logit != nil {
		found.cov = logit.covariance(found.weights)
	}
	for _, r := range rows {
		if dot(r, found.weights) <= 0 {
			found.misses++
		}
	}
	length, want := spread(rows, found.weights), spread(rows, l.columns.reference())
	if length == 0 || want == 0 {
		return found, nil
	}
	found.lengthen(rows, want/length)
	return found, nil
}

// pulls are the strengths with which weights are drawn towards 0; the one that foretells
// most of the games held out, with the same dominant positions, is taken, of equals the
// least.
func pulls() []float64 { return []float64{30, 1, 1e-2, 1e-4} }

// fitters are the solver of a system, which begins each pull where it left the last one,
// and what it is after, on decisions that it does not see: the share of constraints that
// hold, or the log-likelihood.
func fitters(solver string, decisions []alternatives, rows [][]cell, unseen []alternatives, n int) (fit func(pull float64) ([]float64, *logit, error), foretold func(w []float64) float64) {
	if solver == LP {
		s, others := newSimplex(rows, n), constraints(unseen)
		fit = func(pull float64) ([]float64, *logit, error) {
			w, err := s.separate(pull)
			return w, nil, err
		}
		return fit, func(w []float64) (sum float64) {
			for _, r := range others {
				if dot(r, w) > 0 {
					sum++
				}
			}
			return sum
		}
	}
	likelihood, aside := newLogit(unseen, n, 0), make([]float64, n)
	last := make([]float64, n)
	fit = func(pull float64) (w []float64, l *logit, err error) {
		l = newLogit(decisions, n, pull)
		w, err = l.maximise(last)
		last = w
		return w, l, err
	}
	return fit, func(w []float64) float64 { return likelihood.at(w, aside, nil) }
}

// lengthen multiplies the weights, with what follows for their covariance if the length is
// that which factor makes of these weights: with r the root mean square of β·x over the
// rows, w = c β/r has the derivatives c/r (1 - β g'/r), g those of r.
func (s *solution) lengthen(rows [][]cell, factor float64) {
	n := len(s.weights)
	if s.cov != nil {
		r := spread(rows, s.weights)
		slope := make([]float64, n)
		for _, row := range rows {
			v := dot(row, s.weights)
			for _, c := range row {
				slope[c.column] += v * c.x / (r * float64(len(rows)))
			}
		}
		j := mat.NewDense(n, n, nil)
		for a := range n {
			for b := range n {
				v := -s.weights[a] * slope[b] / r
				if a == b {
					v++
				}
				j.Set(a, b, factor*v)
			}
		}
		var half, all mat.Dense
		half.Mul(j, s.cov)
		all.Mul(&half, j.T())
		for a := range n {
			for b := a; b < n; b++ {
				s.cov.SetSym(a, b, all.At(a, b))
			}
		}
	}
	for i := range s.weights {
		s.weights[i] *= factor
	}
	// Evaluators take no weight beyond a bound of their own; the order of moves by size
	// does not change when all are smaller.
	const bound = 10000
	longest := 0.0
	for _, w := range s.weights {
		longest = math.Max(longest, math.Abs(w))
	}
	if longest > bound {
		for i := range s.weights {
			s.weights[i] *= bound / longest
		}
		if s.cov != nil {
			s.cov.ScaleSym(bound*bound/(longest*longest), s.cov)
		}
	}
}

// describe fills in what the pass of the best weights says.
func (l *learner[P]) describe(s *Strategy, p *pass) {
	fitted, out := l.ranked(p, train), l.ranked(p, held)
	c := fitChoice(fitted).refine(fitted)
	s.Temperature, s.Lapse = c.temperature, c.lapse
	s.Train, s.Held, s.hits = scoreOf(fitted, c), scoreOf(out, c), hitsOf(out)
	s.Solved = s.found.depth
	given := l.columns.reference()
	for i, at := range l.columns.terms {
		t := &l.columns.model.Terms[at.term]
		w := Weight{Group: t.Group, Term: t.Name, Value: s.found.weights[i], Given: given[i]}
		if at.stage >= 0 {
			w.Stage = l.columns.model.Stages[at.stage]
		}
		if s.found.cov != nil {
			se := math.Sqrt(max(s.found.cov.At(i, i), 0))
			w.SE = &se
		}
		s.Weights = append(s.Weights, w)
	}
}

// learnStrategy is LearnStrategy of figure 9: for each depth and solver the best strategy,
// each beginning with the best weights of the depth before.
func learnStrategy[P games.Position[P]](ctx context.Context, g Game[P], p *Params, workers int, decisions []decision[P]) ([]*Strategy, *Model, error) {
	l, err := newLearner(g, p, workers, decisions)
	if err != nil {
		return nil, nil, err
	}
	solvers := []string{p.Fit}
	if p.Fit == Both {
		solvers = []string{LP, Likelihood}
	}
	from := map[string]*solution{}
	for _, solver := range solvers {
		from[solver] = &solution{weights: l.columns.start}
	}
	var all []*Strategy
	for depth := 1; depth <= p.MaxDepth; depth++ {
		for _, solver := range solvers {
			s, err := l.climb(ctx, solver, depth, from[solver])
			if err != nil {
				return nil, nil, err
			}
			from[solver] = s.found
			all = append(all, s)
		}
	}
	best := l.compare(all)
	m := &Model{Depth: best.Depth, Solver: best.Solver, Temperature: best.Temperature, Lapse: best.Lapse,
		Held: &best.Held, eval: l.columns.evaluator(best.found.weights)}
	return all, m, nil
}

// compare returns the strategy that foretells most of the moves held out, of equals the one
// with the least log-loss, and sets the others against it.
func (l *learner[P]) compare(all []*Strategy) *Strategy {
	best := all[0]
	for _, s := range all[1:] {
		if s.Held.Accuracy > best.Held.Accuracy || s.Held.Accuracy == best.Held.Accuracy && s.Held.LogLoss < best.Held.LogLoss {
			best = s
		}
	}
	ds := rank(l.decisions, held, func(int) []int32 { return nil })
	for _, s := range all {
		s.Behind, s.BehindSE = meanByGame(ds, minusEach(best.hits, s.hits))
	}
	return best
}
