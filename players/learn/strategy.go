package learn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/clogit"
	"kifu/players/learn/simplex"
	"kifu/schemas"
)

// The solvers of the systems of figure 9, and the words for Params.Fit.
const (
	Given      = "given"      // no solver: the weights given
	LP         = "lp"         // see separate
	Likelihood = "likelihood" // see logit
	Shrunk     = "shrunk"     // see shrink
	Both       = "both"       // LP and Likelihood
	Noisy      = "noisy"      // Likelihood and Shrunk: for players who err
	All        = "all"
)

// solvers returns the solvers for a word of Params.Fit.
func solvers(fit string) []string {
	switch fit {
	case "", Given:
		return nil
	case Both:
		return []string{LP, Likelihood}
	case Noisy:
		return []string{Likelihood, Shrunk}
	case All:
		return []string{LP, Likelihood, Shrunk}
	}
	return []string{fit}
}

// strategy is the best strategy found at one depth by one solver, as learn.json has it.
type strategy struct {
	schemas.LearnStrategy
	found *solution
	model *eval.Model
	hits  []float64 // of the decisions held out
	loss  []float64 // of the same
}

// solution holds weights with their origin.
type solution struct {
	weights []float64
	// influences returns how far each game moves the weights, with the dominant positions as given (clogit.Influences);
	// costly; nil without.
	influences          func() [][]float64
	se                  []float64 // of the weights, once errors was called
	depth               int
	constraints, misses int
}

// climb performs FindSolution, repeated from its solution until the gain in held-out
// accuracy is below epsilon; the best solution seen is kept.
func (l *learner[P]) climb(ctx context.Context, solver string, depth int, quiet bool, from *solution) (*strategy, error) {
	const most = 12 // systems per depth
	title := fmt.Sprintf("depth %d, %s", depth, solver)
	if quiet {
		title = fmt.Sprintf("depth %d with quiescence, %s", depth, solver)
	}
	l.work.begin(depth, quiet, solver, len(l.distinct))
	defer l.work.end()
	c := l.unknownsOf(solver)
	p, err := l.search(ctx, c, from.weights, depth, quiet, title)
	if err != nil {
		return nil, err
	}
	s := &strategy{LearnStrategy: schemas.LearnStrategy{Depth: depth, Quiescence: quiet, Solver: solver}, found: from}
	best, score := p, l.score(solver, p)
	for now, last := p, score; s.Systems < most; {
		next, err := l.solution(solver, now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		s.Systems++
		l.work.solved(solver)
		next.depth = depth
		s.Constraints, s.Violated = next.constraints, next.misses
		if now, err = l.search(ctx, c, next.weights, depth, quiet, title); err != nil {
			return nil, err
		}
		got := l.score(solver, now)
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

// score measures progress: the share of held-out moves predicted, as in figure 9, or, for
// the weights of fallible players, the mean logarithm of their probabilities.
func (l *learner[P]) score(solver string, p *pass) float64 {
	ds := l.ranked(p, held)
	if solver == Shrunk {
		return -scoreOf(ds, fitChoice(l.ranked(p, train))).LogLoss
	}
	mean, _ := meanByGame(ds, hitsOf(ds))
	return mean
}

// solution solves the system of a pass.
func (l *learner[P]) solution(solver string, p *pass) (*solution, error) {
	if solver == Shrunk {
		return l.shrink(p)
	}
	return l.solve(solver, p)
}

// solve finds weights for the system of a pass, scaled so that the root mean square of the
// moves' advantages equals that by the given weights.
func (l *learner[P]) solve(solver string, p *pass) (*solution, error) {
	decisions := l.alternatives(p, train)
	rows := constraints(decisions)
	n := len(l.columns.terms)
	if len(rows) == 0 {
		return &solution{weights: p.weights}, nil
	}
	found := &solution{constraints: len(rows)}
	best := math.Inf(-1)
	fit, predicted := fitters(solver, decisions, rows, l.alternatives(p, held), n)
	var chosen *clogit.Model[float64]
	for _, pull := range pulls() {
		w, by, err := fit(pull)
		if err != nil {
			return nil, err
		}
		if got := predicted(w); got >= best {
			best, found.weights, chosen = got, w, by
		}
	}
	if chosen != nil {
		beta := slices.Clone(found.weights)
		found.influences = func() [][]float64 { return chosen.Influences(beta) }
	}
	for _, r := range rows {
		if simplex.Dot(r, found.weights) <= 0 {
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

// pulls returns the strengths of shrinkage towards 0. The one that predicts held-out games best, with the
// same dominant positions, is chosen; among equals the least.
func pulls() []float64 { return []float64{30, 1, 1e-2, 1e-4} }

// fitters returns the solver of a system, which starts each pull at the previous solution,
// and its objective on unseen decisions: the share of satisfied constraints, or the
// log-likelihood.
func fitters(solver string, decisions []alternatives, rows [][]simplex.Cell, unseen []alternatives, n int) (fit func(pull float64) ([]float64, *clogit.Model[float64], error), predicted func(w []float64) float64) {
	if solver == LP {
		s, others := simplex.New(rows, n), constraints(unseen)
		fit = func(pull float64) ([]float64, *clogit.Model[float64], error) {
			w, err := s.Separate(pull)
			return w, nil, err
		}
		return fit, func(w []float64) (sum float64) {
			for _, r := range others {
				if simplex.Dot(r, w) > 0 {
					sum++
				}
			}
			return sum
		}
	}
	seen, others := oddsOf(decisions, n), oddsOf(unseen, n).pulled(0, n)
	last := make([]float64, n)
	fit = func(pull float64) (w []float64, m *clogit.Model[float64], err error) {
		m = seen.pulled(pull, n)
		w, err = m.Maximise(last)
		last = w
		return w, m, err
	}
	return fit, others.Set
}

// errors returns the standard errors of the weights by game; nil without.
func (s *solution) errors() []float64 {
	if s.se == nil && s.influences != nil {
		for _, of := range s.influences() {
			if s.se == nil {
				s.se = make([]float64, len(of))
			}
			for i, x := range of {
				s.se[i] = math.Hypot(s.se[i], x)
			}
		}
		s.influences = nil // and the memory that they are made in
	}
	return s.se
}

// lengthen multiplies the weights by factor and transforms the influences accordingly. With r the root mean
// square of β·x over the rows and g its derivatives, w = c β/r has the derivatives c/r (1 - β g'/r).
func (s *solution) lengthen(rows [][]simplex.Cell, factor float64) {
	if before := s.influences; before != nil {
		beta := slices.Clone(s.weights)
		s.influences = func() [][]float64 { return lengthened(before(), rows, beta, factor) }
	}
	for i := range s.weights {
		s.weights[i] *= factor
	}
	// The order of moves by size is unchanged when all are smaller.
	most := 0.0
	for _, w := range s.weights {
		most = math.Max(most, math.Abs(w))
	}
	if most > longest {
		for i := range s.weights {
			s.weights[i] *= longest / most
		}
		if before := s.influences; before != nil {
			s.influences = func() [][]float64 {
				all := before()
				for _, of := range all {
					floats.Scale(longest/most, of)
				}
				return all
			}
		}
	}
}

// lengthened changes influences on beta into those on the weights that lengthen makes of it.
func lengthened(all [][]float64, rows [][]simplex.Cell, beta []float64, factor float64) [][]float64 {
	n, r := len(beta), spread(rows, beta)
	slope := make([]float64, n)
	for _, row := range rows {
		v := simplex.Dot(row, beta)
		for _, c := range row {
			slope[c.Column] += v * c.X / (r * float64(len(rows)))
		}
	}
	for _, of := range all {
		floats.AddScaled(of, -floats.Dot(slope, of)/r, beta)
		floats.Scale(factor, of)
	}
	return all
}

// longest bounds weights, since evaluators accept none beyond a bound of their own.
const longest = 10000

// describe fills in the results of the pass of the best weights.
func (l *learner[P]) describe(s *strategy, p *pass) {
	fitted, out := l.ranked(p, train), l.ranked(p, held)
	c := fitChoice(fitted).refine(fitted)
	s.Temperature, s.Lapse = c.temperature, c.lapse
	s.Train, s.Held, s.hits, s.loss = scoreOf(fitted, c), scoreOf(out, c), hitsOf(out), lossesOf(out, c)
	s.Solved = s.found.depth
	of := l.unknownsOf(s.Solver)
	s.model = of.evaluator(s.found.weights)
	values, given := of.absolute(s.found.weights), of.reference()
	se := s.found.errors()
	for i, at := range of.terms {
		t := &of.model.Terms[at.term]
		w := schemas.LearnWeight{Group: t.Group, Term: t.Name, Value: values[i], Given: given[i]}
		if at.stage >= 0 {
			w.Stage = of.model.Stages[at.stage]
		}
		if se != nil {
			w.SE = &se[i]
		}
		s.Weights = append(s.Weights, w)
	}
}

// given returns the strategy of a depth with the given weights.
func (l *learner[P]) given(depth int, quiet bool) *strategy {
	values := func(i int) []int32 { return l.decisions[i].by(depth, quiet) }
	fitted, out := rank(l.decisions, train, values), rank(l.decisions, held, values)
	c := fitChoice(fitted).refine(fitted)
	return &strategy{
		LearnStrategy: schemas.LearnStrategy{
			Depth: depth, Quiescence: quiet, Solver: Given, Temperature: c.temperature, Lapse: c.lapse,
			Train: scoreOf(fitted, c), Held: scoreOf(out, c),
		},
		hits: hitsOf(out), loss: lossesOf(out, c), model: l.params.Eval.Round(),
	}
}

// leaves lists the candidates: without quiescence, and with it.
func (p *Params) leaves() []bool {
	if p.Quiescence {
		return []bool{false, true}
	}
	return []bool{false}
}

// learnStrategy implements LearnStrategy of figure 9. It finds the best strategy for each solver and depth,
// with quiescence and without, starting from the best weights of the previous depth. The chosen strategy is
// one of these or has the given weights.
func learnStrategy[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P], w *work, k *kept) (learned []*strategy, chosen *strategy, err error) {
	untested := slices.DeleteFunc(slices.Clone(decisions), func(d decision[P]) bool { return d.part == test })
	l, err := newLearner(g, p, workers, untested)
	if err != nil {
		return nil, nil, err
	}
	l.work = w
	var all []*strategy
	for _, quiet := range p.leaves() {
		from := map[string]*solution{}
		for _, solver := range solvers(p.Fit) {
			from[solver] = &solution{weights: l.unknownsOf(solver).start}
		}
		for depth := 1; depth <= p.MaxDepth; depth++ {
			all = append(all, l.given(depth, quiet))
			for _, solver := range solvers(p.Fit) {
				s, err := l.learned(ctx, k, climbed{depth, quiet, solver}, from[solver])
				if err != nil {
					return nil, nil, err
				}
				from[solver] = s.found
				learned, all = append(learned, s), append(all, s)
			}
		}
	}
	return learned, l.choose(all), nil
}

// learned returns the strategy of a climb: the kept one, or one that is learned now.
func (l *learner[P]) learned(ctx context.Context, k *kept, of climbed, from *solution) (*strategy, error) {
	if c, learned := k.Kept(of); learned {
		l.work.begin(of.Depth, of.Quiet, of.Solver, len(l.distinct))
		l.work.end()
		return c.strategy(l.unknownsOf(of.Solver)), nil
	}
	s, err := l.climb(ctx, of.Solver, of.Depth, of.Quiet, from)
	if err != nil {
		return nil, err
	}
	return s, k.Keep(of, keep(s))
}

// choose returns the strategy with the least log-loss among those nearly as accurate as the best on
// held-out games, within a standard error of the difference. It compares the others with it.
// Accuracy separates strategies less well than the probabilities of the moves do, but is the
// paper's criterion.
func (l *learner[P]) choose(all []*strategy) *strategy {
	ds := rank(l.decisions, held, func(int) []int32 { return nil })
	against := func(best *strategy) {
		for _, s := range all {
			s.Behind, s.BehindSE = meanByGame(ds, minusEach(best.hits, s.hits))
			loss, se := meanByGame(ds, minusEach(s.loss, best.loss))
			s.LossBehind, s.LossBehindSE = &loss, se
		}
	}
	best := all[0]
	for _, s := range all[1:] {
		if s.Held.Accuracy > best.Held.Accuracy {
			best = s
		}
	}
	against(best)
	for _, s := range all {
		if level := s.Behind == 0 || s.BehindSE != nil && s.Behind <= *s.BehindSE; level && s.Held.LogLoss < best.Held.LogLoss {
			best = s
		}
	}
	against(best)
	return best
}
