package fit

import (
	"context"
	"fmt"

	"kifu/schemas"
)

// settings are the choices of one fit that do not concern the rows.
type settings struct {
	method   string  // MLM, LS, Ordered, Value, Choice or Pairs
	l2       float64 // ridge on w_0·(weight - present weight), beside the mean loss
	l1       float64 // lasso on the same
	scale    float64 // w_0 when it is fixed, 0 when it is fitted
	minGames int     // a weight from fewer games is left as it is
	workers  int
	without  string   // a group that is left at its weights
	levels   []string // that have a scale each, by number; nil: one for all
	// dense is the number of parameters up to which a Hessian is made, and with it
	// standard errors; 0 stands for denseLimit.
	dense int
}

func (s settings) loss() loss {
	switch s.method {
	case LS:
		return squares{}
	case Ordered:
		return ordered{}
	case Value:
		return linear{}
	case Choice:
		return choice{}
	case Pairs:
		return paired{}
	}
	return logistic{}
}

// startLoss is the convex loss that a fit begins with.
func (s settings) startLoss() loss {
	if s.method == LS {
		return logistic{}
	}
	return s.loss()
}

// estimate is a fitted model. It is in terms of theta: the score of a row is
// z = θ_0·e + Σ θ_j x_j, so that the fitted weight is the present one plus θ_j/θ_0.
// θ_0 = w_0 lies behind the parameters, and the draw width behind it.
type estimate struct {
	d        *design
	settings settings
	supports []support // of each parameter, of e(p) last
	status   []string  // of each parameter
	ridge    []float64 // on each parameter of theta
	theta    []float64
	present  []float64 // theta that suits e(p) as it is; nil when there is none
	// levels are those of the settings; factors and presentFactors what the scores of
	// theta and of present are to be multiplied with in each.
	levels                  []level
	factors, presentFactors []float64
	u                       *unknowns
	unit                    float64 // of the objective's square root: gradient norms are measured by it

	weights         []float64 // fitted
	errors          standardErrors
	minimum         minimum
	meanLoss        float64
	start           string
	notes           []schemas.FitNote
	tests           []schemas.FitTest // of groups
	pairsOf         []schemas.FitPair // the most correlated weights
	games, rows     int
	gradientLargest float64 // |∂ mean objective/∂θ_j|, the largest
}

// standardErrors are those of the weights, of w_0 and of the draw width, and the ends of
// their intervals by the robust ones; NaN where there is none.
type standardErrors struct {
	model, robust []float64
	low, high     []float64
	z             []float64 // the weights' tests of being zero
}

const (
	denseLimit = 3000 // parameters above which no Hessian is made
	rankLimit  = 1e-8 // share of a column that the others must leave unexplained
	apartLimit = 1e-6 // information left in a direction, against the start's
	roundLimit = 12   // iterations before the Hessian is made anew
	rounds     = 16   // of them
	slowLimit  = 2000 // iterations without a Hessian
	weakLimit  = 1e-5 // eigenvalue of the scaled information under which a note is due
	weakScale  = 4.0  // standard errors of w_0 from zero under which a note is due
	fewGames   = 30   // under which robust errors are doubtful
)

func newEstimate(r *rows, s settings) *estimate {
	e := &estimate{d: r.d, settings: s, games: r.games, rows: r.n, unit: 1}
	if e.settings.dense == 0 {
		e.settings.dense = denseLimit
	}
	e.status = make([]string, r.d.size())
	e.theta = make([]float64, r.d.size())
	e.ridge = make([]float64, r.d.scale())
	for j := range e.ridge {
		e.ridge[j] = s.l2
	}
	return e
}

// solve fits the weights of r's design.
func solve(ctx context.Context, r *rows, s settings) (*estimate, error) {
	e, err := solveOne(ctx, r, s)
	if err == nil && len(s.levels) > 0 {
		err = e.byLevel(ctx, r)
	}
	return e, err
}

// solveOne is solve with one scale for all rows.
func solveOne(ctx context.Context, r *rows, s settings) (*estimate, error) {
	e := newEstimate(r, s)
	if err := e.outcomes(r); err != nil {
		return nil, err
	}
	e.supports = r.supports(s.workers)
	if err := e.scaleStart(ctx, r); err != nil {
		return nil, err
	}
	e.priors(r)
	active := e.choose(r)
	e.u = e.free(active)
	if err := e.allFree(r); err != nil {
		return nil, err
	}
	if s.l1 > 0 || r.d.bounded() {
		return e, e.solveBoxed(ctx, r, active)
	}
	begin, err := e.information(r)
	if err != nil {
		return nil, err
	}
	near := begin
	if s.method == LS {
		// The valley that LS ends in depends on the start; MLM has one minimum.
		if err := e.descend(ctx, r, logistic{}, begin, roughly); err != nil {
			return nil, err
		}
		e.start = fmt.Sprintf("the MLM solution: w_0 %.6g, mean log-loss %.8f", e.theta[r.d.scale()], e.minimum.f)
		if begin != nil {
			if near, err = e.metric(r, squares{}); err != nil {
				near = begin // the weights run away; finish says why
			}
		}
	} else {
		e.start = fmt.Sprintf("the present weights with their best w_0 %.6g", e.theta[r.d.scale()])
	}
	if err := e.descend(ctx, r, s.loss(), near, tolerance); err != nil {
		return nil, err
	}
	return e, e.finish(ctx, r, begin)
}

// solveBoxed is the rest of solve with a lasso or bounds.
func (e *estimate) solveBoxed(ctx context.Context, r *rows, active []int) error {
	if limit := e.settings.dense; len(e.u.columns) > limit {
		return fmt.Errorf("%d weights: --l1 and --bound are for up to %d", len(e.u.columns), limit)
	}
	if e.settings.l1 == 0 {
		if _, err := e.information(r); err != nil {
			return err
		}
	}
	present := append([]float64(nil), e.theta...)
	e.start = fmt.Sprintf("the present weights with their best w_0 %.6g", e.theta[r.d.scale()])
	if err := e.descendBoxed(ctx, r, active); err != nil {
		return err
	}
	fitted := e.theta
	e.theta = present
	begin, err := e.information(r)
	e.theta = fitted
	if err != nil {
		return err
	}
	return e.finish(ctx, r, begin)
}

// free makes the unknowns: the active parameters with those that are tied to them, w_0
// if it is one of them, and the draw width. A weight with a bound is measured from it,
// and tied weights from each other: what they differ by moves with w_0.
func (e *estimate) free(active []int) *unknowns {
	k := e.d.scale()
	base := make([]float64, e.d.size())
	var columns [][]entry
	scale := []entry{{k, 1}}
	for j, p := range e.d.params {
		leader := e.d.params[p.leader]
		from := p.sign * leader.initial
		switch {
		case !e.fits(p.leader):
			continue
		case leader.side != 0:
			from = p.sign * leader.bound()
		}
		if from != p.initial {
			scale = append(scale, entry{j, from - p.initial})
		}
	}
	for _, j := range active {
		if j == k {
			columns = append(columns, scale)
			continue
		}
		column := []entry{{j, 1}}
		for m, p := range e.d.params {
			if p.leader == j && m != j {
				column = append(column, entry{m, p.sign})
			}
		}
		columns = append(columns, column)
	}
	if s := e.settings.scale; s != 0 {
		for _, x := range scale {
			base[x.at] = s * x.share
		}
	}
	if e.d.drawn {
		columns = append(columns, []entry{{e.d.width(), 1}})
	}
	return newUnknowns(e.d, base, columns)
}

// fits says that parameter j was chosen to be fitted, wherever it ends.
func (e *estimate) fits(j int) bool {
	s := e.status[j]
	return s == StatusFitted || s == StatusBound || s == StatusKept
}

// priors adds the ridges that stand for priors.
func (e *estimate) priors(r *rows) {
	for j, p := range e.d.params {
		if p.sd > 0 {
			sd := p.sd * e.theta[e.d.scale()]
			e.ridge[j] += 1 / (r.weight * sd * sd)
		}
	}
}

// held says that a penalty pulls at every weight, so that none can run away.
func (e *estimate) held() bool {
	if e.settings.l1 > 0 {
		return true
	}
	some := false
	for j, ridge := range e.ridge {
		if e.fits(j) && ridge == 0 {
			return false
		}
		some = some || e.fits(j)
	}
	return some
}

// scaleStart sets w_0, and with it the draw width, to what suits the present weights.
func (e *estimate) scaleStart(ctx context.Context, r *rows) error {
	k := r.d.scale()
	value := e.supports[k]
	l := e.settings.loss()
	if r.d.drawn {
		l = logistic{} // draws are half a win there
		e.theta[r.d.width()] = r.drawWidth()
	}
	s, ok := r.fitScale(l, valueColumn, e.settings.workers)
	ok = ok && value.positions > 0 && (e.settings.method == Value || !value.separated())
	switch {
	case e.settings.scale != 0 || ok:
	case value.positions == 0:
		return unidentified("no value", nil, "e(p) is 0 in every position, so that w_0 and the weights cannot be told apart: keep some term in e(p), or fix w_0 with --scale")
	default:
		return unidentified("separable", []string{"w_0"}, "e(p) alone tells %s: w_0 grows without end; more games are needed, or a fixed w_0 with --scale", e.words().all)
	}
	if ok {
		e.theta[k] = s
		if r.d.drawn {
			e.u = newUnknowns(r.d, make([]float64, r.d.size()), [][]entry{{{k, 1}}, {{r.d.width(), 1}}})
			m, err := e.metric(r, ordered{})
			if err == nil {
				err = e.descend(ctx, r, ordered{}, m, tolerance)
			}
			if err != nil {
				return err
			}
		}
		e.present = append([]float64(nil), e.theta...)
	}
	if e.settings.scale != 0 {
		e.theta[k] = e.settings.scale
	}
	return nil
}

// choose decides which parameters are fitted, and says why the others are not.
func (e *estimate) choose(r *rows) (active []int) {
	s := e.settings
	var constant, never, thin, apart []string
	for j, p := range r.d.params {
		if p.leader != j || p.group == s.without && s.without != "" {
			continue
		}
		x, name := e.supports[j], r.d.name(j)
		for m, q := range r.d.params {
			if q.leader == j && m != j {
				x.merge(e.supports[m], q.sign)
				name += " = " + r.d.name(m)
			}
		}
		switch {
		case x.positions == 0:
			e.status[j] = StatusNever
			never = append(never, name)
			continue
		case x.games < s.minGames:
			e.status[j] = StatusThin
			thin = append(thin, name)
			continue
		case x.separated() && e.ridge[j] == 0 && s.l1 == 0 && s.method != Value:
			e.status[j] = StatusSeparated
			apart = append(apart, name)
			continue
		case x.constant(r.n) && !r.d.params[j].wanted:
			constant = append(constant, name)
		}
		e.status[j] = StatusFitted
		active = append(active, j)
	}
	for j, p := range r.d.params {
		e.status[j] = e.status[p.leader]
	}
	words := e.words()
	e.note("never fires", never, words.never+": left at its weight")
	e.note("thin", thin, fmt.Sprintf("%s in fewer than %d games: left at its weight (--min-games)", words.thin, s.minGames))
	e.note("separable", apart, words.apart+": its best weight is infinite. Left at its weight; more games are needed, or --l2")
	e.note("constant", constant, "has the same value in every position: it says how much the first player is ahead whatever the position")
	e.status[r.d.scale()] = StatusFixed
	if s.scale == 0 {
		e.status[r.d.scale()] = StatusFitted
		active = append(active, r.d.scale())
	}
	if r.d.drawn {
		e.status[r.d.width()] = StatusFitted
	}
	return active
}
