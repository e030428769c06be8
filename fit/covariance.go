package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/schemas"
)

// finish turns the minimum into weights with errors, and refuses it where the rows
// leave a weight or the scale open.
func (e *estimate) finish(ctx context.Context, r *rows, first *metric) error {
	e.meanLoss = e.minimum.f
	for j, ridge := range e.ridge {
		e.meanLoss -= ridge/2*e.theta[j]*e.theta[j] + e.settings.l1*math.Abs(e.theta[j])
	}
	if e.minimum.status != converged {
		e.notes = append(e.notes, schemas.FitNote{Kind: "not converged", Text: fmt.Sprintf("the solver %s, with a gradient norm of %.1e instead of %.0e", e.minimum.status, e.minimum.norm, tolerance*e.unit)})
	}
	if first != nil && len(e.u.columns) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := e.covariances(r, first); err != nil {
			return err
		}
	}
	return e.divide(r)
}

// covariances fills e.errors from the curvature at the minimum.
//
// MLM and ordered: the model-based covariance is the inverse of the information matrix
// A, of MLM Σ w g(1-g) x xᵀ. LS and value: s²(JᵀJ)⁻¹, J the derivatives of the
// prediction and s² the residual variance, as in any least squares. All: the
// cluster-robust covariance is A⁻¹BA⁻¹ with the exact Hessian A of the loss's sum and
// B = G/(G-1) Σ u_g u_gᵀ, u_g being the sum of the scores over game g and G the number
// of games (Liang & Zeger 1986). A ridge is part of A, not of u.
func (e *estimate) covariances(r *rows, first *metric) error {
	l := e.settings.loss()
	gauss, err := e.newMetric(r, r.hessian(e.theta, l, positive, e.settings.workers))
	if err != nil {
		return e.openDirection(first, nil)
	}
	bread := gauss
	if !l.convex() {
		exactly := r.hessian(e.theta, l, exact, e.settings.workers)
		if bread, err = e.newMetric(r, exactly); err != nil {
			bread = gauss
			e.notes = append(e.notes, schemas.FitNote{Kind: "bread", Text: "the Hessian of LS is not positive definite here: robust errors use its Gauss-Newton part"})
		}
	}
	if err := e.openDirection(first, gauss); err != nil {
		return err
	}
	e.weak(gauss)
	n := len(e.u.columns)
	model := gauss.inverse(r.weight)
	if e.settings.method == LS || e.settings.method == Value {
		// gauss is 2JᵀJ; its inverse times 2s² is s²(JᵀJ)⁻¹.
		free := r.weight - float64(n)
		model.ScaleSym(2*e.meanLoss*r.weight/free, model)
	}
	by := e.sensitivity()
	e.errors.model = roots(by, model.At)
	e.pairsOf = e.pairs(by, model.At)

	meat := full(r.meat(l, e.theta, e.u, e.settings.workers))
	inverse := full(bread.inverse(r.weight))
	half := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	small := float64(r.games) / float64(r.games-1)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, small, inverse, meat, 0, half)
	// The second product is needed in places only.
	robust := func(i, j int) float64 {
		return floats.Dot(half.Data[i*n:(i+1)*n], inverse.Data[j*n:(j+1)*n])
	}
	e.errors.robust = roots(by, robust)
	e.errors.low, e.errors.high, e.errors.z = e.intervals(e.errors.robust, robust)
	e.tests = e.wald(robust)
	if r.games < n {
		e.notes = append(e.notes, schemas.FitNote{Kind: "few games", Text: fmt.Sprintf("%d games for %d weights: cluster-robust errors are too small with so few", r.games, n)})
	} else if r.games < fewGames {
		e.notes = append(e.notes, schemas.FitNote{Kind: "few games", Text: fmt.Sprintf("%d games: cluster-robust errors are doubtful with so few", r.games)})
	}
	return nil
}

// inverse is the inverse of the sum's Hessian, weight times that of the mean.
func (m *metric) inverse(weight float64) *mat.SymDense {
	var inv mat.SymDense
	_ = m.chol.InverseTo(&inv) // a bad condition is only a warning
	n := inv.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			inv.SetSym(i, j, inv.At(i, j)/(m.root[i]*m.root[j]*weight))
		}
	}
	return &inv
}

// full is s with both halves.
func full(s *mat.SymDense) blas64.General {
	n := s.SymmetricDim()
	raw := s.RawSymmetric()
	g := blas64.General{Rows: n, Cols: n, Stride: n, Data: make([]float64, n*n)}
	for i := range n {
		for j := i; j < n; j++ {
			v := raw.Data[i*raw.Stride+j]
			g.Data[i*n+j], g.Data[j*n+i] = v, v
		}
	}
	return g
}

// sensitivity returns the derivatives of the weights θ_j/θ_0, of w_0 and of the draw
// width by the unknowns; none for what is not fitted.
func (e *estimate) sensitivity() [][]entry {
	k := e.d.scale()
	w0 := e.theta[k]
	out := make([][]entry, len(e.theta))
	for j := range out {
		if e.status[j] != StatusFitted {
			continue
		}
		if j >= k {
			out[j] = e.u.of[j]
			continue
		}
		for _, x := range e.u.of[j] {
			out[j] = append(out[j], entry{x.at, x.share / w0})
		}
		for _, x := range e.u.of[k] {
			out[j] = append(out[j], entry{x.at, -x.share * e.theta[j] / (w0 * w0)})
		}
	}
	return out
}

// product is the covariance of two numbers with the derivatives a and b by unknowns of
// covariance c.
func product(a, b []entry, c func(i, j int) float64) float64 {
	v := 0.0
	for _, x := range a {
		for _, y := range b {
			v += x.share * y.share * c(x.at, y.at)
		}
	}
	return v
}

// roots returns standard errors by the delta method, NaN without derivatives.
func roots(by [][]entry, c func(i, j int) float64) []float64 {
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
// the smallest eigenvalue of the scaled information matrix, by inverse iteration.
func (e *estimate) weak(m *metric) {
	n := len(e.u.columns)
	x := mat.NewVecDense(n, nil)
	for i := range n {
		x.SetVec(i, 1+float64(i%7)/10)
	}
	x.ScaleVec(1/mat.Norm(x, 2), x)
	size := 0.0
	for range 30 {
		_ = m.chol.SolveVecTo(x, x)
		size = mat.Norm(x, 2)
		x.ScaleVec(1/size, x)
	}
	if 1/size > weakLimit {
		return
	}
	largest := mat.Norm(x, math.Inf(1))
	var names []string
	for i := range n {
		if math.Abs(x.AtVec(i)) > largest/5 {
			names = append(names, e.u.name(i))
		}
	}
	e.note("weak", names, "are nearly sums of one another: single weights have large errors, though their combination is well known. Hold one of them, or use --l2")
}

// openDirection refuses a minimum at which the data say nothing any more about some
// direction that they did say something about at the start: the weights run away
// because a sum of columns tells winners without an error (separation).
func (e *estimate) openDirection(first, last *metric) error {
	if e.held() || e.settings.method == Value {
		return nil // the ridge holds every weight; a square's curvature is always the same
	}
	n := len(e.u.columns)
	if last != nil {
		// The largest eigenvalue of last⁻¹·first by the power method.
		v := make([]float64, n)
		for i := range v {
			// No structure of the columns can be orthogonal to this by accident.
			v[i] = (1 + float64(i%7)/10) / first.root[i]
		}
		growth := 0.0
		x, y := mat.NewVecDense(n, v), mat.NewVecDense(n, nil)
		for range 50 {
			y.MulVec(first.h, x)
			before := mat.Dot(x, y)
			last.solve(y.RawVector().Data)
			t := mat.NewVecDense(n, nil)
			t.MulVec(first.h, y)
			after := mat.Dot(y, t)
			growth = math.Sqrt(after / before)
			x.ScaleVec(1/math.Sqrt(after), y)
		}
		if growth < 1/apartLimit && !math.IsNaN(growth) {
			return nil
		}
		var names []string
		largest := 0.0
		for i := range n {
			largest = max(largest, math.Abs(x.AtVec(i)*first.root[i]))
		}
		for i := range n {
			if math.Abs(x.AtVec(i)*first.root[i]) > 0.05*largest {
				names = append(names, e.u.name(i))
			}
		}
		return separable(names)
	}
	var names []string
	for i := range n {
		names = append(names, e.u.name(i))
	}
	return separable(names)
}

func separable(names []string) error {
	return unidentified("separable", names, "a sum of %s tells winners, or moves, without a single error, so that its weight grows without end: leave some of them out of --free, take more games, or use --l2", list(names))
}

// divide turns theta into weights.
func (e *estimate) divide(r *rows) error {
	k := e.d.scale()
	w0 := e.theta[k]
	if w0 <= 0 {
		return unidentified("no scale", []string{"w_0"}, "w_0 comes out as %.3g: %s, so that no weight can be given in units of e(p). Is the value from the first player's side? Fix w_0 with --scale to fit all the same", w0, e.words().inverse)
	}
	e.weights = make([]float64, k)
	for j, p := range e.d.params {
		e.weights[j] = p.initial + e.theta[j]/w0
	}
	if robust := e.errors.robust; robust != nil && e.settings.scale == 0 && w0 < weakScale*robust[k] {
		e.note("weak scale", []string{"w_0"}, fmt.Sprintf("is only %.1f standard errors from zero: the weights, which are ratios to it, tend to be too far from zero, and their intervals reach further on that side, or have no end", w0/robust[k]))
	}
	for _, w := range append(append(e.weights, e.theta...), e.minimum.norm, e.meanLoss) {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("the fit of %d weights came to %v: this is a bug", len(e.weights), w)
		}
	}
	return nil
}

// meat returns Σ u_g u_gᵀ over the games, u_g being the sum over game g of weight times
// the loss's derivative times x, for the unknowns.
func (r *rows) meat(l loss, theta []float64, un *unknowns, workers int) *mat.SymDense {
	n := len(un.columns)
	total := mat.NewSymDense(n, nil)
	s, at := r.scorer(theta), r.places()
	const batch = 64 // games: a line of the sum stays in the cache for all of them
	type scratch struct {
		sum, u, grad, z, d, dt []float64
	}
	all := make([]scratch, max(1, workers))
	inOrder(workers, len(r.chunks), func(w, i int) {
		x := &all[w]
		if x.sum == nil {
			x.sum, x.u, x.grad = make([]float64, n*n), make([]float64, batch*n), make([]float64, r.d.size())
		}
		clear(x.sum)
		filled := 0
		empty := func() {
			outer(x.u[:filled*n], n, x.sum)
			filled = 0
		}
		for _, b := range r.blocks[r.chunks[i].from:r.chunks[i].to] {
			x.z = s.scores(b, x.z[:0])
			x.d, x.dt = r.derivatives(l, b, x.z, r.d.draw(theta), x.d, x.dt)
			from := 0
			for _, run := range b.games {
				clear(x.grad)
				at.gather(b, span{from, run.end}, x.d, x.grad)
				if r.d.drawn {
					x.grad[r.d.width()] = floats.Sum(x.dt[from:run.end])
				}
				un.project(x.grad, x.u[filled*n:(filled+1)*n])
				from = run.end
				if filled++; filled == batch {
					empty()
				}
			}
		}
		empty()
	}, func(w, _ int) {
		raw := total.RawSymmetric()
		for i, v := range all[w].sum {
			raw.Data[i] += v
		}
	})
	return total
}

// derivatives overwrites d, and with a draw width dt, with the derivatives of each row's
// weighted loss by its score and by the draw width.
func (r *rows) derivatives(l loss, b *block, z []float64, t float64, d, dt []float64) (byScore, byWidth []float64) {
	d = slices.Grow(d[:0], len(z))[:len(z)]
	l.sum(z, b.y, b.weight, t, d)
	if !r.d.drawn {
		return d, nil
	}
	dt = dt[:0]
	for i, zi := range z {
		dt = append(dt, b.weightOf(i)*l.at(zi, float64(b.y[i]), t).t)
	}
	return d, dt
}

// outer adds u_l u_lᵀ for every line u_l of u, n long, to the upper half of sum.
func outer(u []float64, n int, sum []float64) {
	for i := range n {
		line := blas64.Vector{N: n - i, Data: sum[i*n+i : (i+1)*n], Inc: 1}
		for l := 0; l < len(u); l += n {
			if v := u[l+i]; v != 0 {
				blas64.Axpy(v, blas64.Vector{N: n - i, Data: u[l+i : l+n], Inc: 1}, line)
			}
		}
	}
}
