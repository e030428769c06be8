package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/fit/temporal"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// Temporal are the choices of TD and LSTD.
type Temporal struct {
	// Lambda and Alpha are λ and the step by epoch; the last number is used for all later epochs. LSTD
	// takes the first λ. Without Alpha the step begins at defaultAlpha and is halved after an epoch
	// that does not lower the log-loss of the games that stop.
	Lambda, Alpha []float64
	Epochs        int  // at most; 0 means defaultEpochs
	Replacing     bool // traces
	Seed          uint64
}

const (
	defaultEpochs = 40
	defaultAlpha  = 0.5
	leastAlpha    = defaultAlpha / 1024
	patience      = 4    // epochs without a lower log-loss
	littleGain    = 1e-6 // of log-loss, that counts as none
	stopShare     = 0.1  // of the games: those that stop
	leastStopping = 20   // of them
	stopSalt      = 0x7c3d1f0a9be24c55
	orderPurpose  = 0x7d
)

// atEpoch returns the number of an epoch in a schedule.
func atEpoch(schedule []float64, epoch int) float64 { return schedule[min(epoch, len(schedule)-1)] }

// learn is TD(λ): the games one after the other in an order that is new in each epoch, theta
// moved after each. What it ends with is the theta of the epoch with the least log-loss on a
// tenth of the games that it does not learn from.
//
// The step of an unknown is α/(s²·c). s² is the mean square of its column where it is not 0. c is the trace
// of the mean game's curvature, in columns divided by s, at the slope 1/4 of the win probability. So an α
// below 1 is stable whatever the units of columns.
func (e *Estimate) learn(ctx context.Context, r *rows.Store) error {
	stopping := func(id int64) bool { return splitmix.Share(e.settings.Temporal.Seed^stopSalt, r.Group(id)) < stopShare }
	learned, stop := r.Subset(func(id int64) bool { return !stopping(id) }), r.Subset(stopping)
	told := &schemas.FitTemporal{Replacing: e.settings.Temporal.Replacing, StopGames: stop.Games}
	if stop.Games < leastStopping {
		learned, stop = r, r
		told.StopGames = 0
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "stop", Text: fmt.Sprintf("%d games are too few to hold out a tenth: the log-loss of the training games stops td", r.Games)})
	}
	t := &teacher{games: learned.Places(), from: e.sequences(learned, 0), steps: e.steps(),
		learner: temporal.Learner{Value: temporal.Logistic, Replacing: e.settings.Temporal.Replacing}, sum: make([]float64, len(e.u.Columns))}
	t.x = e.u.Start(e.theta)
	best := append([]float64(nil), t.x...)
	theta, grad := make([]float64, len(e.theta)), make([]float64, len(e.theta))
	loss := func(x []float64) float64 {
		e.u.Theta(x, theta)
		return stop.Pass(e.settings.Loss(), theta, e.settings.Workers, grad) / stop.Weight
	}
	told.Start = loss(t.x)
	if err := e.epochs(ctx, t, told, loss, best); err != nil {
		return err
	}
	e.u.Theta(best, e.theta)
	e.Temporal = told
	if told.Best == 0 {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "stop", Text: "no epoch lowered the log-loss: the weights are unchanged. Take a smaller --alpha, or more games"})
	}
	e.reached(r, minimise.Minimum{Iterations: len(told.Epochs), Passes: 2 * len(told.Epochs), Status: told.Why})
	return nil
}

// reached measures the log-loss at theta, which was found in another way than by minimising it.
func (e *Estimate) reached(r *rows.Store, m minimise.Minimum) {
	grad := make([]float64, len(e.theta))
	m.F = r.Pass(e.settings.Loss(), e.theta, e.settings.Workers, grad) / r.Weight
	e.Minimum, e.MeanLoss = m, m.F
	for _, g := range grad {
		e.GradientLargest = max(e.GradientLargest, math.Abs(g/r.Weight))
	}
}

// epochs learns until the schedule or the log-loss ends it. best is overwritten.
func (e *Estimate) epochs(ctx context.Context, t *teacher, told *schemas.FitTemporal, loss func([]float64) float64, best []float64) error {
	s := e.settings.Temporal
	limit, alpha := s.Epochs, defaultAlpha
	limit = cmp.Or(limit, max(defaultEpochs, len(s.Alpha), len(s.Lambda)))
	least, worse := told.Start, 0
	for epoch := range limit {
		if len(s.Alpha) > 0 {
			alpha = atEpoch(s.Alpha, epoch)
		}
		t.learner.Lambda = atEpoch(s.Lambda, epoch)
		if err := t.epoch(ctx, alpha, splitmix.Stream(s.Seed, orderPurpose, epoch)); err != nil {
			return err
		}
		f := loss(t.x)
		told.Epochs = append(told.Epochs, schemas.FitEpoch{Alpha: alpha, Lambda: t.learner.Lambda, LogLoss: schemas.Number(f)})
		gain := least - f
		if gain > 0 {
			least, told.Best = f, epoch+1
			copy(best, t.x)
		}
		if gain > littleGain {
			worse = 0
			continue
		}
		if worse++; math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("TD diverged in epoch %d at step %g: use a smaller --alpha", epoch+1, alpha)
		}
		switch scheduled := epoch+1 < max(len(s.Alpha), len(s.Lambda)); {
		case scheduled:
		case len(s.Alpha) == 0 && alpha > leastAlpha:
			alpha /= 2
			copy(t.x, best)
		case worse >= patience || len(s.Alpha) == 0:
			told.Why = fmt.Sprintf("stopped after epoch %d: the log-loss fell no further in %d epochs", epoch+1, worse)
			return nil
		}
	}
	told.Why = fmt.Sprintf("stopped at the limit of %d epochs", limit)
	return nil
}

// steps returns the step of each unknown at α = 1.
func (e *Estimate) steps() []float64 {
	out := make([]float64, len(e.u.Columns))
	entries := 0.0
	for i, column := range e.u.Columns {
		squares, positions := 0.0, 0.0
		for _, p := range column {
			s := e.Supports[p.At]
			squares += p.Share * p.Share * s.Squares
			positions += math.Abs(p.Share) * float64(s.Positions)
		}
		if own := e.Supports[column[0].At]; len(column) == 1 {
			positions = float64(own.Positions)
		}
		if squares > 0 {
			out[i] = positions / squares
			entries += positions
		}
	}
	c := entries / (16 * float64(e.games))
	for i := range out {
		out[i] /= c
	}
	return out
}

// teacher goes through games and moves the unknowns.
type teacher struct {
	games   []rows.Place
	from    *sequences
	steps   []float64
	learner temporal.Learner
	x, sum  []float64
	game    temporal.Sequence
}

// epoch learns from every game once.
func (t *teacher) epoch(ctx context.Context, alpha float64, random *rand.Rand) error {
	for n, g := range random.Perm(len(t.games)) {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.from.read(t.games[g], &t.game)
		clear(t.sum)
		t.learner.Change(&t.game, t.x, t.sum)
		for i, d := range t.sum {
			t.x[i] += alpha * t.steps[i] * d
		}
	}
	return nil
}

// finishTD is finish for TD, which has no errors.
func (e *Estimate) finishTD() error {
	e.Notes = append(e.Notes, schemas.FitNote{Kind: "td", Text: "no errors, intervals or tests: where TD ends depends on its steps and on the order of the games. --method lstd has errors for the linear value, mlm for results"})
	return e.divide()
}
