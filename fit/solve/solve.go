package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kifu/fit/losses"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/fit/scale"
	"kifu/internal/dyads"
	"kifu/internal/paired"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Settings are the choices of one fit that do not concern the rows.
type Settings struct {
	Method   string  // MLM, LS, Ordered, Value, Choice, Pairs, TD or LSTD
	L2       float64 // ridge on w_0·(weight - present weight), added to the mean loss
	L1       float64 // lasso on the same
	Scale    float64 // w_0 when it is fixed, 0 when it is fitted
	MinGames int     // a weight from fewer games is left unchanged
	Workers  int
	without  string   // a group that is left at its weights
	Levels   []string // that have a scale each, by number; nil: one for all
	Cluster  string   // one of dyads.Ways: what depends on each other
	NoGames  bool     // rows are positions of no known games
	Bare     bool     // no errors and tests
	Temporal Temporal // of TD and LSTD
	// dense is the number of parameters up to which a Hessian is made, and with it
	// standard errors; 0 means denseLimit.
	dense int
	// many is the number of rows from which on some make the Hessians that guide the steps; 0 means manyRows.
	many int
	// priorScale is the w_0 at which priors are measured; 0 means the present weights'. again is that a fit
	// that outgrows it is made again, so that it needs no errors.
	priorScale float64
	again      bool
	// plain asks for the
	// clustered sandwich of other programs, without corrections of scores and the ridge.
	plain bool
}

// Loss returns the loss of the method.
func (s Settings) Loss() losses.Loss { return losses.Of(s.Method) }

// startLoss is the convex loss that a fit begins with.
func (s Settings) startLoss() losses.Loss {
	if s.Method == losses.LS {
		return losses.Logistic{}
	}
	return s.Loss()
}

// Estimate is a fitted model. It is in terms of theta: the score of a row is z = θ_0·e + Σ θ_j x_j, so the
// fitted weight is the present one plus θ_j/θ_0. θ_0 = w_0 comes after the parameters, then the draw width.
type Estimate struct {
	Design   *rows.Design
	settings Settings
	Supports []rows.Support // of each parameter, of e(p) last
	Status   []string       // of each parameter
	ridge    []float64      // on each parameter of theta
	theta    []float64
	Present  []float64 // theta that suits the unchanged e(p), or nil
	// levels are the settings'; factors and presentFactors what the scores of
	// theta and of present are to be multiplied with in each.
	levels                  []level
	factors, presentFactors []float64
	u                       *rows.Unknowns
	Unit                    float64 // of the objective's square root: gradient norms are measured by it

	Weights         []float64 // fitted
	se              standardErrors
	Moved           []paired.Moved // of each weight, for differences to other fits; nil: not known
	Minimum         minimise.Minimum
	MeanLoss        float64
	Start           string
	Notes           []schemas.FitNote
	Tests           []schemas.FitTest // of groups
	Clusters        schemas.FitClusters
	clusters        *dyads.Clusters   // nil: games are independent
	Correlated      []schemas.FitPair // the most correlated weights
	games           int
	Temporal        *schemas.FitTemporal // of TD
	stretch         float64              // of LSTD: what the linear value was multiplied with
	GradientLargest float64              // |∂ mean objective/∂θ_j|, the largest
}

// standardErrors holds the standard errors of the weights, of w_0 and of the draw width, and the ends of
// their intervals by the robust ones; NaN without one.
type standardErrors struct {
	model, robust []float64
	low, high     []float64
	z             []float64 // the weights' tests of being zero
}

const (
	denseLimit = 3000 // parameters above which no Hessian is made
	rankLimit  = 1e-8 // share of a column that the others must leave unexplained
	apartLimit = 1e-6 // information left in a direction, against the start's
	slowLimit  = 2000 // iterations without a Hessian
	weakLimit  = 1e-5 // eigenvalue of the scaled information under which a note is due
	weakScale  = 4.0  // standard errors of w_0 from zero under which a note is due
	fewGames   = 30   // under which robust errors are doubtful
	perWeight  = 10   // games per weight under which a note is due
)

func newEstimate(r *rows.Store, s Settings) *Estimate {
	e := &Estimate{Design: r.Design, settings: s, games: r.Games, Unit: 1}
	e.settings.dense, e.settings.many = cmp.Or(e.settings.dense, denseLimit), cmp.Or(e.settings.many, manyRows)
	e.Status = make([]string, r.Design.Size())
	e.theta = make([]float64, r.Design.Size())
	e.ridge = make([]float64, r.Design.Scale())
	for j := range e.ridge {
		e.ridge[j] = s.L2
	}
	return e
}

// Fit fits the weights of r's design.
func Fit(ctx context.Context, r *rows.Store, s Settings) (*Estimate, error) {
	r.Stop = ctx.Done()
	var e *Estimate
	var err error
	for n := range mostRefits + 1 {
		s.again = n < mostRefits
		e, err = solveOne(ctx, r, s)
		if err != nil || !e.outgrown() {
			break
		}
		s.priorScale = e.theta[r.Design.Scale()]
	}
	if err == nil && len(s.Levels) > 0 {
		err = e.byLevel(ctx, r)
	}
	return e, cmp.Or(ctx.Err(), err) // after a stop, err may be about sums without all rows
}

// solveOne is solve with one scale for all rows.
func solveOne(ctx context.Context, r *rows.Store, s Settings) (*Estimate, error) {
	e := newEstimate(r, s)
	if err := e.outcomes(r); err != nil {
		return nil, err
	}
	active, err := e.prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(e.u.Columns) == 0 {
		return e, e.asItIs(ctx, r)
	}
	if s.L1 > 0 || r.Design.Bounded() {
		return e, e.solveBoxed(ctx, r, active)
	}
	bar := progress.Phase(ctx, "fit: curvature")
	begin, some, err := e.begin(r)
	bar.Done()
	if err != nil {
		return nil, err
	}
	near := begin
	e.Start = fmt.Sprintf("the present weights with their best w_0 %.6g", e.theta[r.Design.Scale()])
	switch s.Method {
	case losses.TD:
		if err := e.learn(ctx, r); err != nil {
			return nil, err
		}
		return e, e.finishTD()
	case losses.LSTD:
		return e, e.lstd(ctx, r)
	}
	if s.Method == losses.LS {
		// The valley that LS ends in depends on the start; MLM has one minimum.
		if err := e.descend(ctx, r, some, losses.Logistic{}, begin, minimise.Roughly); err != nil {
			return nil, err
		}
		e.Start = fmt.Sprintf("the MLM solution: w_0 %.6g, mean log-loss %.8f", e.theta[r.Design.Scale()], e.Minimum.F)
		if begin != nil {
			if near, err = e.metric(some, losses.Squares{}); err != nil {
				near = begin // the weights run away; finish explains why
			}
		}
	}
	if err := e.descend(ctx, r, some, s.Loss(), near, minimise.Tolerance); err != nil {
		return nil, err
	}
	return e, e.finish(ctx, r, begin)
}

// prepare counts the rows of each parameter, sets w_0 to what suits the present weights and chooses what is
// fitted.
func (e *Estimate) prepare(ctx context.Context, r *rows.Store) (active []int, err error) {
	defer progress.Phase(ctx, "fit: count").Done()
	e.Supports = r.Supports(e.settings.Workers)
	if err := e.scaleStart(ctx, r); err != nil {
		return nil, err
	}
	e.priors(r)
	return e.unknowns(r)
}

// unknowns chooses what is fitted; w_0 is held where all of e(p) is free.
func (e *Estimate) unknowns(r *rows.Store) (active []int, err error) {
	active = e.choose(r)
	e.u = e.free(active)
	if !e.allFree(r) {
		return active, nil
	}
	if err := e.holdScale(); err != nil {
		return nil, err
	}
	active = active[:len(active)-1] // w_0
	e.u = e.free(active)
	return active, nil
}

// asItIs is the rest of solve where w_0 is fixed and no weight is left to fit: the loss is that
// of the unchanged values.
func (e *Estimate) asItIs(ctx context.Context, r *rows.Store) error {
	e.u.Theta(nil, e.theta)
	e.Start = "the present weights with the w_0 given"
	e.Minimum = minimise.Minimum{F: e.objective(r, e.settings.Loss())(nil, nil), Status: minimise.Converged}
	return e.finish(ctx, r, nil)
}

// solveBoxed is the rest of solve with a lasso or bounds.
func (e *Estimate) solveBoxed(ctx context.Context, r *rows.Store, active []int) error {
	if limit := e.settings.dense; len(e.u.Columns) > limit {
		return fmt.Errorf("%d weights: --l1 and --bound are for up to %d", len(e.u.Columns), limit)
	}
	if e.settings.L1 == 0 {
		if _, err := e.information(r); err != nil {
			return err
		}
	}
	present := append([]float64(nil), e.theta...)
	e.Start = fmt.Sprintf("the present weights with their best w_0 %.6g", e.theta[r.Design.Scale()])
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
func (e *Estimate) free(active []int) *rows.Unknowns {
	k := e.Design.Scale()
	base := make([]float64, e.Design.Size())
	var columns [][]rows.Entry
	scale := []rows.Entry{{At: k, Share: 1}}
	for j, p := range e.Design.Params {
		leader := e.Design.Params[p.Leader]
		from := p.Sign * leader.Initial
		switch {
		case !e.Fits(p.Leader):
			continue
		case leader.Side != 0:
			from = p.Sign * leader.Bound()
		}
		if from != p.Initial {
			scale = append(scale, rows.Entry{At: j, Share: from - p.Initial})
		}
	}
	for _, j := range active {
		if j == k {
			columns = append(columns, scale)
			continue
		}
		column := []rows.Entry{{At: j, Share: 1}}
		for m, p := range e.Design.Params {
			if p.Leader == j && m != j {
				column = append(column, rows.Entry{At: m, Share: p.Sign})
			}
		}
		columns = append(columns, column)
	}
	if s := e.settings.Scale; s != 0 {
		for _, x := range scale {
			base[x.At] = s * x.Share
		}
	}
	if e.Design.Drawn {
		columns = append(columns, []rows.Entry{{At: e.Design.Width(), Share: 1}})
	}
	return rows.NewUnknowns(e.Design, base, columns)
}

// Fits reports whether parameter j was chosen to be fitted, wherever it ends.
func (e *Estimate) Fits(j int) bool {
	s := e.Status[j]
	return s == schemas.StatusFitted || s == schemas.StatusBound || s == schemas.StatusKept
}

// priors adds the ridges of priors, which are in the evaluator's unit: w_0 makes
// log-odds of them, at first the present weights'.
func (e *Estimate) priors(r *rows.Store) {
	e.settings.priorScale = cmp.Or(e.settings.priorScale, e.theta[e.Design.Scale()])
	for j, p := range e.Design.Params {
		if p.SD > 0 {
			sd := p.SD * e.settings.priorScale
			e.ridge[j] += 1 / (r.Weight * sd * sd)
		}
	}
}

// mostRefits bounds how often a fit with a prior is made again at the w_0 that it ended with.
const mostRefits = 10

// outgrown reports whether w_0 is another than the one at which a prior was measured.
func (e *Estimate) outgrown() bool {
	now, then := e.theta[e.Design.Scale()], e.settings.priorScale
	return now > 0 && math.Abs(now/then-1) > 1e-3 && slices.ContainsFunc(e.Design.Params, func(p rows.Param) bool { return p.SD > 0 })
}

// held means that a penalty pulls at every weight, so that none can run away.
func (e *Estimate) held() bool {
	if e.settings.L1 > 0 {
		return true
	}
	some := false
	for j, ridge := range e.ridge {
		if e.Fits(j) && ridge == 0 {
			return false
		}
		some = some || e.Fits(j)
	}
	return some
}

// scaleStart sets w_0, and with it the draw width, to what suits the present weights.
func (e *Estimate) scaleStart(ctx context.Context, r *rows.Store) error {
	k := r.Design.Scale()
	value := e.Supports[k]
	l := e.settings.Loss()
	if r.Design.Drawn {
		l = losses.Logistic{} // draws are half a win there
		e.theta[r.Design.Width()] = r.DrawWidth()
	}
	s, ok := scale.Of(r.ByValue(e.settings.Workers), l, scale.Values, e.settings.Workers)
	ok = ok && value.Positions > 0 && (e.settings.Method == losses.Value || !value.Separated())
	switch {
	case e.settings.Scale != 0 || ok:
	case value.Positions == 0:
		return Refuse("no value", nil, "e(p) is 0 in every position, so w_0 and the weights cannot be distinguished: keep some term in e(p), or fix w_0 with --scale")
	default:
		return Refuse("separable", []string{"w_0"}, "e(p) alone decides %s, so w_0 grows without end: take more games, or fix w_0 with --scale", e.words().all)
	}
	if ok {
		e.theta[k] = s
		if r.Design.Drawn {
			e.u = rows.NewUnknowns(r.Design, make([]float64, r.Design.Size()), [][]rows.Entry{{{At: k, Share: 1}}, {{At: r.Design.Width(), Share: 1}}})
			m, err := e.metric(r, losses.OrderedLogit{})
			if err == nil {
				err = e.descend(ctx, r, r, losses.OrderedLogit{}, m, minimise.Tolerance)
			}
			if err != nil {
				return err
			}
		}
		e.Present = append([]float64(nil), e.theta...)
	}
	if e.settings.Scale != 0 {
		e.theta[k] = e.settings.Scale
	}
	return nil
}

// choose decides which parameters are fitted, and notes why the others are not.
func (e *Estimate) choose(r *rows.Store) (active []int) {
	s := e.settings
	var constant, never, thin, apart []string
	for j, p := range r.Design.Params {
		if p.Leader != j || p.Group == s.without && s.without != "" {
			continue
		}
		x, name := e.Supports[j], r.Design.Name(j)
		for m, q := range r.Design.Params {
			if q.Leader == j && m != j {
				x.Merge(e.Supports[m], q.Sign)
				name += " = " + r.Design.Name(m)
			}
		}
		switch {
		case x.Positions == 0:
			e.Status[j] = schemas.StatusNever
			never = append(never, name)
			continue
		case x.Games < s.MinGames:
			e.Status[j] = schemas.StatusThin
			thin = append(thin, name)
			continue
		case x.Separated() && e.ridge[j] == 0 && s.L1 == 0 && s.Method != losses.Value:
			e.Status[j] = schemas.StatusSeparated
			apart = append(apart, name)
			continue
		case x.Constant(r.N) && !r.Design.Params[j].Constant:
			constant = append(constant, name)
		}
		e.Status[j] = schemas.StatusFitted
		active = append(active, j)
	}
	for j, p := range r.Design.Params {
		e.Status[j] = e.Status[p.Leader]
	}
	words := e.words()
	e.note("never fires", never, words.never+": left at its weight")
	e.note("thin", thin, fmt.Sprintf("%s in fewer than %d games: left at its weight (--min-games)", words.thin, s.MinGames))
	e.note("separable", apart, words.apart+": its best weight is infinite, so it is left at its weight: take more games, or use --l2")
	e.note("constant", constant, "has the same value in every position: it is a constant lead of the first player")
	e.Status[r.Design.Scale()] = schemas.StatusFixed
	if s.Scale == 0 {
		e.Status[r.Design.Scale()] = schemas.StatusFitted
		active = append(active, r.Design.Scale())
	}
	if r.Design.Drawn {
		e.Status[r.Design.Width()] = schemas.StatusFitted
	}
	return active
}
