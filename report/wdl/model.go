package wdl

import (
	"math"

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

// spot is a and b, with what they are to the logarithms of the probabilities whatever the value.
type spot struct {
	a, b, alpha           float64 // α = a/b
	decay, logDecay, curl float64 // 1 - exp -2α, its logarithm, and minus the second derivative of this by α
}

// spotAt is a and b; ok is false where they give no probabilities.
func spotAt(a, b float64) (s spot, ok bool) {
	if !(a > 0 && b > 0) {
		return s, false
	}
	s = spot{a: a, b: b, alpha: a / b}
	s.decay = -math.Expm1(-2 * s.alpha)
	s.logDecay, s.curl = math.Log(s.decay), 4*math.Exp(-2*s.alpha)/(s.decay*s.decay)
	return s, true
}

// logs are the logarithms of the probabilities, with what they change by with a and b.
type logs struct {
	p        [results]float64 // win, draw, loss
	log      [results]float64
	byA, byB [results]float64
}

// at computes the logarithms at x from α and ξ = x/b: P(draw) = P(win) P(loss) (exp 2α - 1).
func (s *spot) at(x float64) (l logs) {
	xi := x / s.b
	var win, loss float64 // what they lack of 1
	l.p[0], win, l.log[0] = logistic(xi - s.alpha)
	l.p[2], loss, l.log[2] = logistic(-xi - s.alpha)
	l.p[1], l.log[1] = win*loss*s.decay, l.log[0]+l.log[2]+2*s.alpha+s.logDecay
	byAlpha := [results]float64{-win, 2/s.decay - win - loss, -loss}
	byXi := [results]float64{win, win - loss, -loss}
	for i := range l.p {
		l.byA[i], l.byB[i] = byAlpha[i]/s.b, -(s.alpha*byAlpha[i]+xi*byXi[i])/s.b
	}
	return l
}

// logistic is 1 / (1 + exp -t), what that lacks of 1, and its logarithm.
func logistic(t float64) (p, rest, log float64) {
	e := math.Exp(-math.Abs(t))
	p, rest, log = 1/(1+e), e/(1+e), -math.Log(1+e)
	if t < 0 {
		return rest, p, log + t
	}
	return p, rest, log
}

// known is what a position shows of a and b, whatever its result: of a and a, a and b, b and b.
func (l *logs) known() (of [3]float64) {
	for i, p := range l.p {
		of[0], of[1], of[2] = of[0]+p*l.byA[i]*l.byA[i], of[1]+p*l.byA[i]*l.byB[i], of[2]+p*l.byB[i]*l.byB[i]
	}
	return of
}

// second are minus the second derivatives of a cell's likelihood by a and b.
func (c cell) second(k *logs, s *spot) (aa, ab, bb float64) {
	alpha, b, xi := s.alpha, s.b, c.x/s.b
	drawn := float64(c.n[1])
	won, lost := float64(c.n[0])+drawn, float64(c.n[2])+drawn // whose likelihood has P(win), and P(loss), as a factor
	w, l := 1-k.p[0], 1-k.p[2]
	byAlpha, byXi := drawn*2/s.decay-won*w-lost*l, won*w-lost*l
	vw, vl := won*w*k.p[0], lost*l*k.p[2]
	xx, ax := -vw-vl, vw-vl
	alphas := xx - drawn*s.curl
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
		s, ok := spotAt(l.at(powers))
		if !ok {
			return math.Inf(-1)
		}
		var of sums
		of, from = l.sums(from, &s)
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
func (l *likelihood) sums(from int, at *spot) (s sums, to int) {
	for to = from; to < len(l.cells) && l.cells[to].m == l.cells[from].m; to++ {
		c := &l.cells[to]
		k := at.at(c.x)
		for i, count := range c.n {
			n := float64(count)
			if n > 0 {
				s.log += n * k.log[i]
			}
			s.byA, s.byB = s.byA+n*k.byA[i], s.byB+n*k.byB[i]
		}
		all, known := c.positions(), k.known()
		for i, x := range known {
			s.expected[i] += all * x
		}
		aa, ab, bb := c.second(&k, at)
		s.observed[0], s.observed[1], s.observed[2] = s.observed[0]+aa, s.observed[1]+ab, s.observed[2]+bb
	}
	return s, to
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

// moves returns what the coefficients would move by without each game, and without each player. first is the number of the
// first cell.
func (l *likelihood) moves(first int, games []game, way string) moves {
	factors, ok := l.factors()
	var inverse mat.SymDense
	if !ok || factors.InverseTo(&inverse) != nil {
		return moves{way: way}
	}
	scores := l.scores()
	n := len(l.gradient)
	rows := split(len(games), n+n*(n+1)/2)
	sizes, who := make([]float64, len(games)), make([]dyads.Pair, len(games))
	for g, game := range games {
		sizes[g], who[g] = float64(len(game.positions)), game.who
		for from, to := 0, 0; from < len(game.positions); from = to {
			var of [5]float64 // slopes by a and b, and what is known of both
			m := l.cells[int(game.positions[from].cell())-first].m
			for to = from; to < len(game.positions); to++ {
				p := game.positions[to]
				at := int(p.cell()) - first
				if l.cells[at].m != m {
					break
				}
				s := &scores[at]
				of[0], of[1] = of[0]+s.byA[p.result()], of[1]+s.byB[p.result()]
				of[2], of[3], of[4] = of[2]+s.known[0], of[3]+s.known[1], of[4]+s.known[2]
			}
			l.add(rows[g], m, of)
		}
	}
	return movesOf(rows, sizes, who, &inverse, way)
}

// score is what a position of a cell shows.
type score struct {
	byA, byB [results]float64 // by its result
	known    [3]float64       // of a and a, a and b, b and b
}

// scores are those of the cells, where the likelihood was moved to.
func (l *likelihood) scores() []score {
	all, powers := make([]score, len(l.cells)), make([]float64, l.degree+1)
	var s spot
	for i, c := range l.cells {
		if i == 0 || c.m != l.cells[i-1].m {
			l.powers(float64(c.m), powers)
			s, _ = spotAt(l.at(powers))
		}
		k := s.at(c.x)
		all[i] = score{k.byA, k.byB, k.known()}
	}
	return all
}

// add adds slopes by a and b at m, and their information, to a row. The row has the slopes of
// the coefficients and the information of each two of them, once.
func (l *likelihood) add(row []float64, m int32, of [5]float64) {
	n := l.degree + 1
	var powers [Degree + 1]float64
	l.powers(float64(m), powers[:n])
	known := row[2*n:]
	for i := range 2 * n {
		ofB := i / n // 1: a coefficient of b
		p := powers[i%n]
		row[i] += p * of[ofB]
		for j := i; j < 2*n; j++ {
			known[j-i] += p * powers[j%n] * of[2+ofB+j/n]
		}
		known = known[2*n-i:]
	}
}

// local is a and b fitted at one m.
type local struct {
	m                  int64
	a, b               float64
	ofA, ofB           dyads.Spread
	positions          float64
	wins, draws, games float64
}

// fitLocal fits a and b to the cells of one m; first is the number of the first cell. Errors
// are by game and player, or by the one that way names.
func fitLocal(cells []cell, first int, games []game, way string) (local, error) {
	at := local{m: int64(cells[0].m), games: float64(len(games))}
	var spread float64
	for _, c := range cells {
		n := c.positions()
		at.positions, at.wins, at.draws = at.positions+n, at.wins+float64(c.n[0]), at.draws+float64(c.n[1])
		spread += n * math.Abs(c.x)
	}
	start := math.Max(1e-6, spread/at.positions)
	l := newLikelihood(cells, 1, 0)
	theta, err := logit.Maximise(l, []float64{start, start / 2})
	if err != nil {
		return at, err
	}
	at.a, at.b = theta[0], theta[1]
	m := l.moves(first, games, way)
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
