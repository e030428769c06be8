package solve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/minimise"
	"kifu/fit/rows"
	"kifu/internal/human"
	"kifu/internal/paired"
	"kifu/internal/panels"
	"kifu/internal/progress"
	"kifu/schemas"
)

// finish turns the minimum into weights with errors, and refuses it where the rows
// leave a weight or the scale undetermined.
func (e *Estimate) finish(ctx context.Context, r *rows.Store, first *minimise.Metric) error {
	if e.settings.again && e.outgrown() {
		return nil
	}
	e.MeanLoss = e.Minimum.F
	for j, ridge := range e.ridge {
		e.MeanLoss -= ridge/2*e.theta[j]*e.theta[j] + e.settings.L1*math.Abs(e.theta[j])
	}
	if e.Minimum.Status != minimise.Converged {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "not converged", Text: fmt.Sprintf("the solver %s, with a gradient norm of %.1e instead of %.0e", e.Minimum.Status, e.Minimum.Norm, minimise.Tolerance*e.Unit)})
	}
	if e.settings.L1 > 0 {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "lasso", Text: "no errors, intervals or tests: the lasso chose and shrank weights on these games, so errors would be too small. For intervals, free the weights that moved (--free) in a fit to other games"})
	} else if first != nil && len(e.u.Columns) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.covariances(ctx, r, first); err != nil {
			return err
		}
	}
	return e.divide()
}

// covariances fills e.errors from the curvature at the minimum.
//
// MLM and ordered: the model-based covariance is the inverse of the information matrix A, of MLM Σ
// w g(1-g) x xᵀ. LS and value: s²(JᵀJ)⁻¹, J the derivatives of the prediction and s² the residual
// variance, as in any least squares. All: the cluster-robust covariance is the sandwich A⁻¹(B+Λ)A⁻¹
// (Liang & Zeger 1986). A is the exact Hessian of the loss's sum, Λ the curvature of a ridge, and B
// = G/(G-1) Σ u_g u_gᵀ, with u_g the sum of the scores over game g and G the number of games. u_g
// is corrected for a game's own effect on the estimate. If players are known, the wider error
// counts: this one, or the one in which games that share a player depend on each other (package meat).
func (e *Estimate) covariances(ctx context.Context, r *rows.Store, first *minimise.Metric) error {
	l := e.settings.Loss()
	bar := progress.Phase(ctx, "fit: curvature and errors")
	defer func() { bar.Done() }()
	gauss, err := e.newMetric(r, r.Hessian(e.theta, l, losses.Positive, e.settings.Workers))
	if err != nil {
		return e.openDirection(first, nil)
	}
	bread := gauss
	if !l.Convex() && !e.settings.Bare {
		exactly := r.Hessian(e.theta, l, losses.Exact, e.settings.Workers)
		if bread, err = e.newMetric(r, exactly); err != nil {
			bread = gauss
			e.Notes = append(e.Notes, schemas.FitNote{Kind: "bread", Text: "the Hessian of LS is not positive definite here: robust errors use its Gauss-Newton part"})
		}
	}
	if err := e.openDirection(first, gauss); err != nil || e.settings.Bare {
		return err
	}
	e.weak(gauss)
	n := len(e.u.Columns)
	model := gauss.Inverse(r.Weight)
	if e.settings.Method == losses.LS || e.settings.Method == losses.Value {
		// gauss is 2JᵀJ; its inverse times 2s² is s²(JᵀJ)⁻¹.
		free := r.Weight - float64(n)
		model.ScaleSym(2*e.MeanLoss*r.Weight/free, model)
	}
	by := e.sensitivity()
	e.se.model = roots(by, model.At)
	e.Correlated = e.pairs(by, model.At)

	inverse := bread.Inverse(r.Weight)
	e.cluster(r)
	scores := meat.Of(r, l, e.theta, e.u, e.settings.Workers)
	bar.Done()
	bar = progress.Phase(ctx, "fit: errors by game and by player")
	ids, moves := r.IDs(), make([]float64, paired.Groups*n)
	scores = scores.Adding(moves, func(game int) int { return paired.Group(ids[game]) }, e.settings.Workers)
	robust := e.robust(r, scores, inverse, e.penalty(r), by)
	if err := ctx.Err(); err != nil {
		return err
	}
	e.se.robust, e.se.low, e.se.high, e.se.z = e.widest(robust, func(c covariance, df []float64) (se, low, high, z []float64) {
		se = roots(by, c)
		low, high, z = e.intervals(se, c, df)
		return se, low, high, z
	})
	e.moved(moves, inverse, by)
	bar.Done()
	bar = progress.Phase(ctx, "fit: tests of groups")
	e.Tests = e.wald(robust)
	if err := e.scoreTests(ctx, r, l, gauss, inverse); err != nil {
		return err
	}
	if slices.Contains(e.Status, schemas.StatusBound) {
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "bounds", Text: "weights at their bound are taken as known: the intervals of the others ignore their errors"})
	}
	switch {
	case r.Games < perWeight*n:
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "few games", Text: fmt.Sprintf("%s for %s: with fewer than %d per weight a fit follows noise. Judge it on held-out games, free fewer weights, or shrink them with --prior", human.Plural(int64(r.Games), "game", "games"), human.Plural(int64(n), "weight", "weights"), perWeight)})
	case r.Games < fewGames:
		e.Notes = append(e.Notes, schemas.FitNote{Kind: "few games", Text: fmt.Sprintf("%s: cluster-robust errors are doubtful with so few", human.Plural(int64(r.Games), "game", "games"))})
	}
	return nil
}

// penalty returns Λ, the curvature of the ridge, which is added to the covariance of the
// scores.
//
// With a prior of variance Λ⁻¹ about the present weights a weight is off by A⁻¹(u - Λδ). u is the
// score and δ the difference between the true and the present weight. If δ is sampled from the
// prior, this has the variance A⁻¹(B + ΛΛ⁻¹Λ)A⁻¹. Without Λ a weight that the data hardly determine
// would seem certain, because the prior holds it in place.
func (e *Estimate) penalty(r *rows.Store) *mat.SymDense {
	ridge := slices.Clone(e.ridge)
	floats.Scale(r.Weight, ridge)
	return e.u.Matrix(mat.NewSymDense(e.Design.Size(), nil), 0, ridge)
}

// sandwich returns the entries of inverse·meat·inverse.
func sandwich(inverse, meat *mat.SymDense, workers int) func(i, j int) float64 {
	half, right := panels.TimesTransposed(inverse, meat, workers), mat.DenseCopyOf(inverse)
	// The second product is needed for some entries only.
	return func(i, j int) float64 { return floats.Dot(half.RawRowView(i), right.RawRowView(j)) }
}

// sensitivity returns the derivatives of the weights θ_j/θ_0, of w_0 and of the draw
// width by the unknowns; none for what is not fitted.
func (e *Estimate) sensitivity() [][]rows.Entry {
	k := e.Design.Scale()
	w0 := e.theta[k]
	out := make([][]rows.Entry, len(e.theta))
	for j := range out {
		if e.Status[j] != schemas.StatusFitted {
			continue
		}
		if j >= k {
			out[j] = e.u.Of[j]
			continue
		}
		for _, x := range e.u.Of[j] {
			out[j] = append(out[j], rows.Entry{At: x.At, Share: x.Share / w0})
		}
		for _, x := range e.u.Of[k] {
			out[j] = append(out[j], rows.Entry{At: x.At, Share: -x.Share * e.theta[j] / (w0 * w0)})
		}
	}
	return out
}

// product returns the covariance of two numbers whose derivatives by unknowns of
// covariance c are a and b.
func product(a, b []rows.Entry, c func(i, j int) float64) float64 {
	v := 0.0
	for _, x := range a {
		for _, y := range b {
			v += x.Share * y.Share * c(x.At, y.At)
		}
	}
	return v
}

// roots returns standard errors by the delta method, NaN without derivatives.
func roots(by [][]rows.Entry, c func(i, j int) float64) []float64 {
	out := make([]float64, len(by))
	for j, d := range by {
		out[j] = math.NaN()
		if len(d) > 0 {
			out[j] = math.Sqrt(max(0, product(d, d, c)))
		}
	}
	return out
}

// weak notes columns that are nearly, but not quite, sums of others: the direction of
// the smallest eigenvalue of the scaled information matrix.
func (e *Estimate) weak(m *minimise.Metric) {
	x, size := m.Weakest()
	if size > weakLimit {
		return
	}
	largest := floats.Norm(x, math.Inf(1))
	var names []string
	for i, v := range x {
		if math.Abs(v) > largest/5 {
			names = append(names, e.u.Name(i))
		}
	}
	e.note("weak", names, "are nearly collinear: each weight has a large error, although their combination is well determined. Hold one of them, or use --l2")
}

// openDirection refuses a minimum at which the data have lost all information about a direction. Then the
// weights diverge, because a sum of columns predicts winners without an error (separation).
func (e *Estimate) openDirection(first, last *minimise.Metric) error {
	if e.held() || e.settings.Method == losses.Value {
		return nil // the ridge holds every weight; a square's curvature is always the same
	}
	n := len(e.u.Columns)
	growth, x := math.Inf(1), slices.Repeat([]float64{1}, n)
	if last != nil {
		growth, x = last.Growth(first)
	}
	if growth < 1/apartLimit {
		return nil
	}
	largest := floats.Norm(x, math.Inf(1))
	var names []string
	for i, v := range x {
		if math.Abs(v) > 0.05*largest {
			names = append(names, e.u.Name(i))
		}
	}
	return Refuse("separable", names, "a sum of %s predicts winners, or moves, without a single error, so its weight grows without end: leave some of them out of --free, take more games, or use --l2", list(names))
}

// divide computes the weights from theta.
func (e *Estimate) divide() error {
	k := e.Design.Scale()
	w0 := e.theta[k]
	if w0 <= 0 {
		ways := "Fix w_0 with --scale to fit all the same"
		if e.settings.Method == losses.LSTD { // which has no --scale
			ways = "Leave more terms out of --free: the held ones have to predict winners"
		}
		return Refuse("no scale", []string{"w_0"}, "w_0 is %.3g: %s, so no weight can be given in units of e(p). Is the value from the first player's side? %s", w0, e.words().inverse, ways)
	}
	e.Weights = make([]float64, k)
	for j, p := range e.Design.Params {
		e.Weights[j] = p.Initial + e.theta[j]/w0
	}
	if robust := e.se.robust; robust != nil && e.settings.Scale == 0 && w0 < weakScale*robust[k] {
		e.note("weak scale", []string{"w_0"}, fmt.Sprintf("is only %.1f standard errors from zero. Weights are ratios to it, so they tend to be too far from zero, and their intervals are wider on that side, or unbounded", w0/robust[k]))
	}
	for _, w := range append(append(e.Weights, e.theta...), e.Minimum.Norm, e.MeanLoss) {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("the fit of %d weights came to %v: this is a bug", len(e.Weights), w)
		}
	}
	return nil
}
