package wdl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/internal/logit"
)

// Degree is the degree of a model's polynomials; each has Degree + 1 coefficients.
const Degree = 3

// Model gives the probabilities of a win, a draw and a loss at value x and m, the move number or the
// material:
//
//	P(win)  = 1 / (1 + exp((a - x) / b))
//	P(loss) = 1 / (1 + exp((a + x) / b))
//	a = A[0] (m/Target)³ + A[1] (m/Target)² + A[2] m/Target + A[3], and b likewise
//
// as Stockfish has it (WDL_model, win_rate_params of uci.cpp). a is the value at which half of the games are
// won, b the spread. m is moved into [Least, Most], from which the model was fitted.
type Model struct {
	A, B        [Degree + 1]float64
	Target      float64
	Least, Most int64
}

// At returns a and b.
func (k Model) At(m float64) (a, b float64) {
	m = math.Max(float64(k.Least), math.Min(float64(k.Most), m)) / k.Target
	for i := range k.A {
		a, b = a*m+k.A[i], b*m+k.B[i]
	}
	return a, b
}

// Probabilities returns the chances of a win, a draw and a loss at value x.
func (k Model) Probabilities(m, x float64) (win, draw, loss float64) {
	a, b := k.At(m)
	win, loss = 1/(1+math.Exp((a-x)/b)), 1/(1+math.Exp((a+x)/b))
	return win, 1 - win - loss, loss
}

// likelihood holds the likelihood of the results of cells, as a function of the coefficients of a and then of b; a
// logit.Model. Steps are Newton's where the observed information is positive definite, else of Fisher's
// scoring, with the expected one.
type likelihood struct {
	cells              []cell
	target             float64
	degree             int
	theta              []float64
	gradient           []float64
	observed, expected *mat.SymDense
}

func newLikelihood(cells []cell, target float64, degree int) *likelihood {
	return &likelihood{cells: cells, target: target, degree: degree, gradient: make([]float64, 2*degree+2), observed: mat.NewSymDense(2*degree+2, nil), expected: mat.NewSymDense(2*degree+2, nil)}
}

// powers are the factors of the coefficients at m.
func (l *likelihood) powers(m float64, of []float64) {
	p := 1.0
	for i := l.degree; i >= 0; i-- {
		of[i], p = p, p*m/l.target
	}
}

// logs are the logarithms of the probabilities, with what they change by with a and b; ok is false where there
// are none.
type logs struct {
	p        [3]float64 // win, draw, loss
	log      [3]float64
	byA, byB [3]float64
}

// logsAt computes them from α = a/b and ξ = x/b: P(draw) = P(win) P(loss) (exp 2α - 1).
func logsAt(a, b, x float64) (l logs, ok bool) {
	if !(a > 0 && b > 0) {
		return l, false
	}
	alpha, xi := a/b, x/b
	l.log[0], l.log[2] = -softplus(alpha-xi), -softplus(alpha+xi)
	l.log[1] = l.log[0] + l.log[2] + 2*alpha + math.Log(-math.Expm1(-2*alpha))
	for i := range l.p {
		l.p[i] = math.Exp(l.log[i])
	}
	win, loss := 1-l.p[0], 1-l.p[2]
	byAlpha := [3]float64{-win, 2/-math.Expm1(-2*alpha) - win - loss, -loss}
	byXi := [3]float64{win, win - loss, -loss}
	for i := range l.p {
		l.byA[i], l.byB[i] = byAlpha[i]/b, -(alpha*byAlpha[i]+xi*byXi[i])/b
	}
	return l, true
}

// softplus is ln(1 + exp x).
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// second are minus the second derivatives of a cell's likelihood by a and b.
func (c cell) second(k logs, a, b float64) (aa, ab, bb float64) {
	alpha, xi := a/b, c.x/b
	n := c.counts()
	won, lost := n[0]+n[1], n[2]+n[1] // whose likelihood has P(win), and P(loss), as a factor
	w, l := 1-k.p[0], 1-k.p[2]
	decay := -math.Expm1(-2 * alpha)
	byAlpha, byXi := n[1]*2/decay-won*w-lost*l, won*w-lost*l
	vw, vl := won*w*k.p[0], lost*l*k.p[2]
	xx, ax := -vw-vl, vw-vl
	alphas := xx - n[1]*4*math.Exp(-2*alpha)/(decay*decay)
	aa = -alphas
	ab = alpha*alphas + xi*ax + byAlpha
	bb = -(alpha*alpha*alphas + 2*alpha*xi*ax + xi*xi*xx + 2*alpha*byAlpha + 2*xi*byXi)
	return aa / (b * b), ab / (b * b), bb / (b * b)
}

// Set implements logit.Model. The cells of one m, which follow each other, share a and b, so their sums are spread over
// the coefficients once.
func (l *likelihood) Set(theta []float64) (sum float64) {
	l.theta = theta
	clear(l.gradient)
	n := l.degree + 1
	powers := make([]float64, n)
	observed, expected := make([]float64, 4*n*n), make([]float64, 4*n*n)
	for from := 0; from < len(l.cells); {
		l.powers(float64(l.cells[from].m), powers)
		a, b := l.at(powers)
		of, to, ok := l.sums(from, a, b)
		if !ok {
			return math.Inf(-1)
		}
		from = to
		sum += of.log
		for i, p := range powers {
			l.gradient[i] += p * of.byA
			l.gradient[n+i] += p * of.byB
			for j, q := range powers {
				spread(expected, n, i, j, p*q, of.expected)
				spread(observed, n, i, j, p*q, of.observed)
			}
		}
	}
	l.observed, l.expected = mat.NewSymDense(2*n, observed), mat.NewSymDense(2*n, expected)
	return sum
}

// sums holds the sums of the cells of one m: the likelihood, its slopes by a and b, and what is known of both.
type sums struct {
	log, byA, byB      float64
	expected, observed [3]float64 // of a and a, a and b, b and b
}

// sums adds up the cells of the m that begins at from, and returns where the next one begins.
func (l *likelihood) sums(from int, a, b float64) (s sums, to int, ok bool) {
	for to = from; to < len(l.cells) && l.cells[to].m == l.cells[from].m; to++ {
		c := l.cells[to]
		k, ok := logsAt(a, b, c.x)
		if !ok {
			return s, to, false
		}
		all := c.positions()
		for i, count := range c.counts() {
			if count > 0 {
				s.log += count * k.log[i]
			}
			s.byA, s.byB = s.byA+count*k.byA[i], s.byB+count*k.byB[i]
			s.expected[0] += all * k.p[i] * k.byA[i] * k.byA[i]
			s.expected[1] += all * k.p[i] * k.byA[i] * k.byB[i]
			s.expected[2] += all * k.p[i] * k.byB[i] * k.byB[i]
		}
		aa, ab, bb := c.second(k, a, b)
		s.observed[0], s.observed[1], s.observed[2] = s.observed[0]+aa, s.observed[1]+ab, s.observed[2]+bb
	}
	return s, to, true
}

// spread adds the information on a and b to the coefficients' of powers i and j, n of each.
func spread(to []float64, n, i, j int, pq float64, of [3]float64) {
	at := 2*n*i + j
	to[at] += pq * of[0]
	to[at+n] += pq * of[1]
	to[at+2*n*n+n] += pq * of[2]
}

// factors is the observed information where that is positive definite, else the expected one.
func (l *likelihood) factors() (f mat.Cholesky, ok bool) {
	if f.Factorize(l.observed) {
		return f, true
	}
	return f, f.Factorize(l.expected)
}

// at returns a and b.
func (l *likelihood) at(powers []float64) (a, b float64) {
	for i, p := range powers {
		a, b = a+p*l.theta[i], b+p*l.theta[l.degree+1+i]
	}
	return a, b
}

// Step implements logit.Model.
func (l *likelihood) Step(step []float64) (rise float64, err error) {
	factors, ok := l.factors()
	if !ok {
		return 0, logit.ErrNone
	}
	to := mat.NewVecDense(len(step), step)
	if err := factors.SolveVecTo(to, mat.NewVecDense(len(l.gradient), l.gradient)); err != nil {
		return 0, logit.ErrNone
	}
	return mat.Dot(to, mat.NewVecDense(len(l.gradient), l.gradient)), nil
}

// moves returns what the coefficients would move by without each game, and without each player.
func (l *likelihood) moves(games []game, way string) moves {
	n := len(l.gradient)
	factors, ok := l.factors()
	var inverse mat.SymDense
	if !ok || factors.InverseTo(&inverse) != nil {
		return moves{way: way}
	}
	sizes, who := make([]float64, len(games)), make([]dyads.Pair, len(games))
	for g, game := range games {
		sizes[g], who[g] = game.positions(), game.who
	}
	return movesOf(func(g int) []float64 {
		one := newLikelihood(games[g].cells, l.target, l.degree)
		one.Set(l.theta)
		return slices.Concat(one.gradient, full(one.expected, n))
	}, sizes, who, &inverse, way)
}

// full returns all n² numbers of a matrix.
func full(of mat.Matrix, n int) (all []float64) {
	for i := range n * n {
		all = append(all, of.At(i/n, i%n))
	}
	return all
}

// local is a and b fitted at one m.
type local struct {
	m                  int64
	a, b               float64
	ofA, ofB           dyads.Spread
	positions          float64
	wins, draws, games float64
}

// fitLocal fits a and b to cells of one m, with errors by game and player, or the one that way names.
func fitLocal(cells []cell, games []game, way string) (local, error) {
	at := local{m: int64(cells[0].m), games: float64(len(games))}
	var spread float64
	for _, c := range cells {
		n := c.counts()
		at.positions, at.wins, at.draws = at.positions+c.positions(), at.wins+n[0], at.draws+n[1]
		spread += c.positions() * math.Abs(c.x)
	}
	start := math.Max(1e-6, spread/at.positions)
	l := newLikelihood(cells, 1, 0)
	theta, err := logit.Maximise(l, []float64{start, start / 2})
	if err != nil {
		return at, err
	}
	at.a, at.b = theta[0], theta[1]
	m := l.moves(games, way)
	at.ofA, at.ofB = m.along([]float64{1, 0}), m.along([]float64{0, 1})
	return at, nil
}

// polynomial fits Degree + 1 coefficients, the highest power first, to values at m/target by least squares.
func polynomial(at []local, target float64, value func(local) float64) []float64 {
	x, y := mat.NewDense(len(at), Degree+1, nil), mat.NewVecDense(len(at), nil)
	row := make([]float64, Degree+1)
	l := likelihood{target: target, degree: Degree}
	for i, k := range at {
		l.powers(float64(k.m), row)
		x.SetRow(i, row)
		y.SetVec(i, value(k))
	}
	var c mat.VecDense
	if err := c.SolveVec(x, y); err != nil {
		return nil
	}
	return c.RawVector().Data
}
