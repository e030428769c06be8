package learn

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/cpu"
	"kifu/internal/logit"
	"kifu/internal/panels"
	"kifu/internal/progress"
	"kifu/players/decide"
	"kifu/search"
)

// work is the work of learning in milliseconds, estimated from a few positions before it
// begins: what is announced beforehand, and what the bar counts. A nil work takes every call.
// Searches go to all workers, systems to one.
type work struct {
	bar     *progress.Bar
	workers float64
	first   float64            // a position by the given weights, to all depths
	pass    map[bool][]float64 // a position of a pass, with quiescence or without, by depth less one
	system  map[string]float64 // a system, by solver
	left    float64            // of what is expected of the present climb
	spent   float64            // of the announced work, which the bar counts in whole milliseconds
}

// What a climb takes as a rule: a pass more than systems.
const usualSystems = 3

// estimate measures a few of the decisions and announces the cost of all. It changes
// nothing.
func estimate[P games.Position[P]](ctx context.Context, g eval.Game[P], p *Params, workers int, decisions []decision[P]) (*work, error) {
	const most = 6
	_, all := distinct(decisions)
	e, err := g.NewEvaluator(p.Eval)
	if err != nil {
		return nil, err
	}
	columns, err := newColumns(p.Eval, p, true)
	if err != nil {
		return nil, err
	}
	w := &work{workers: float64(workers), pass: map[bool][]float64{}, system: map[string]float64{}}
	seek := seeker[P]{e, search.New(e), columns, nil}
	for _, quiet := range p.leaves() {
		w.pass[quiet] = make([]float64, p.MaxDepth)
	}
	var sample []alternatives
	rows, n := 0.0, float64(min(most, len(all)))
	if len(all) > 0 { // the first search of all is slow
		seek.moves(decisions[all[0]].position, p.MaxDepth, p.Quiescence)
	}
	for k := range min(most, len(all)) {
		d := &decisions[all[k*len(all)/min(most, len(all))]]
		rows += float64(d.moves) / n
		w.first += took(func() {
			decide.Values(seek.search, d.position, p.MaxDepth)
			if p.Quiescence {
				decide.QuietValues(seek.search, d.position, p.MaxDepth)
			}
		}) / n
		for quiet, pass := range w.pass {
			for depth := 1; depth <= p.MaxDepth && p.fits(); depth++ {
				var s *searched
				pass[depth-1] += took(func() { s = seek.moves(d.position, depth, quiet) }) / n
				if depth == p.MaxDepth && !quiet {
					sample = append(sample, alternatives{rows: s.rows})
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if p.fits() {
		w.systems(p, len(columns.terms), sample, rows, float64(len(decisions)))
	}
	total := w.total(p, float64(len(all)))
	fits := ""
	if p.fits() {
		fits = ", weights by " + strings.Join(solvers(p.Fit), ", ")
	}
	progress.Note(ctx, fmt.Sprintf("learn: %d decisions to depth %d%s: about %s", len(decisions), p.MaxDepth, fits, span(total)+" on an idle machine"))
	w.bar = progress.Start(ctx, "learn", int64(total), "")
	return w, nil
}

// systems estimates the cost of each solver's system: for likelihoods some Newton steps for each pull, for
// the linear programme its measured cost elsewhere.
func (w *work) systems(p *Params, n int, sample []alternatives, rows, decisions float64) {
	fitted := decisions * max(0.1, 1-p.Holdout-p.Test)
	m, beta := oddsOf(sample, n+1).pulled(1, n+1), make([]float64, n+1)
	m.Set(beta)
	var gradient []float64
	var h *mat.SymDense
	curve := took(func() { gradient, h = m.Derivatives() }) / float64(max(1, len(sample)))
	invert := took(func() { _, _ = logit.Solve(new(panels.Cholesky), beta, gradient, h) })
	const steps = 3
	step := fitted*curve + invert
	w.system[Likelihood] = steps * step * float64(len(pulls()))
	w.system[Shrunk] = steps * step * float64(len(shrinkings()))
	const perCell = 0.3e-6 // milliseconds, of a simplex with rows² · columns
	w.system[LP] = perCell * fitted * rows * fitted * rows * float64(n)
}

// total returns the milliseconds that all takes.
func (w *work) total(p *Params, positions float64) float64 {
	sum := w.first * positions
	for _, quiet := range p.leaves() {
		for depth := 1; depth <= p.MaxDepth && p.fits(); depth++ {
			for _, solver := range solvers(p.Fit) {
				sum += w.climb(depth, quiet, solver, positions)
			}
		}
	}
	if p.fits() {
		sum += w.first * positions // by the model
	}
	w.scale(&sum)
	return sum
}

// climb returns the milliseconds of the climb of a solver at a depth.
func (w *work) climb(depth int, quiet bool, solver string, positions float64) float64 {
	return (usualSystems+1)*w.pass[quiet][depth-1]*positions + usualSystems*w.system[solver]*w.workers
}

// scale makes time on the clock of time of processors.
func (w *work) scale(ms *float64) { *ms /= w.workers }

// add counts milliseconds of processors.
func (w *work) add(ms float64) {
	if w == nil {
		return
	}
	w.scale(&ms)
	before := int64(w.spent)
	w.spent += ms
	w.bar.Add(int64(w.spent) - before)
}

// searched counts positions searched by the given weights.
func (w *work) searched(n int) {
	if w != nil {
		w.add(float64(n) * w.first)
	}
}

// passed counts positions of a pass, solved a system.
func (w *work) passed(depth int, quiet bool, n int) {
	if w != nil {
		w.done(float64(n) * w.pass[quiet][depth-1])
	}
}

func (w *work) solved(solver string) {
	if w != nil {
		w.done(w.system[solver] * w.workers)
	}
}

// begin begins a climb, done counts what is done of it, and end what it did not take.
func (w *work) begin(depth int, quiet bool, solver string, positions int) {
	if w != nil {
		w.left = w.climb(depth, quiet, solver, float64(positions))
	}
}

func (w *work) done(ms float64) {
	if w != nil {
		ms = min(ms, w.left)
		w.left -= ms
		w.add(ms)
	}
}

func (w *work) end() {
	if w != nil {
		w.done(w.left)
	}
}

// close ends the bar.
func (w *work) close() {
	if w != nil {
		w.bar.Done()
		w.bar = nil
	}
}

// took returns the milliseconds of a processor that f takes: on a busy machine the clock
// would show more.
func took(f func()) float64 {
	return float64(cpu.Took(f).Microseconds()) / 1e3
}

// span describes roughly how long ms milliseconds are.
func span(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	switch {
	case d < 10*time.Second:
		return "ten seconds or less"
	case d < 2*time.Minute:
		return d.Round(10 * time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
