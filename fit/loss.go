package fit

import "math"

// A loss is one row's part of the objective, as a function of its score z. Only ordered
// looks at t, the draw width.
type loss interface {
	at(z, y, t float64) local
	// sum returns the sums of w·f and of w·∂f/∂t over rows with the scores z and
	// overwrites d with their w·d: at for many rows. A nil w is 1 for all.
	sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64)
	// convex says that the curvature is never negative.
	convex() bool
}

// local is a loss at one score: its value, its first and second derivative by z, and a
// part of the second that is never negative: for MLM all of it, for LS that of Gauss
// and Newton. The derivatives by t and by z and t are 0 but for ordered.
type local struct {
	f, d, exact, positive float64
	t, zt, tt             float64
}

// exact and positive choose a curvature.
func exact(l local) float64    { return l.exact }
func positive(l local) float64 { return l.positive }

// logistic is the negative log-likelihood -y·ln(g) - (1-y)·ln(1-g), in nats, with
// g = 1/(1+exp(-z)): MLM.
type logistic struct{}

func (logistic) at(z, y, _ float64) local {
	// exp(-|z|) cannot overflow, and Log1p loses nothing where it is small.
	e := expMinus(math.Abs(z))
	q := e / ((1 + e) * (1 + e))
	if z >= 0 {
		return local{f: math.Log1p(e) + z*(1-y), d: 1/(1+e) - y, exact: q, positive: q}
	}
	return local{f: math.Log1p(e) - z*y, d: e/(1+e) - y, exact: q, positive: q}
}

func (l logistic) sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	if w != nil {
		return sumOf(l, z, y, w, t, d)
	}
	// ln is taken of products of up to 512 factors between 1 and 2: they stay in range,
	// and lose no more than a sum of as many logarithms would.
	for len(z) > 0 {
		n := min(512, len(z))
		product := 1.0
		for i, zi := range z[:n] {
			yi := float64(y[i])
			e := expMinus(math.Abs(zi))
			product *= 1 + e
			g := 1 / (1 + e)
			f -= zi * yi
			if zi >= 0 {
				f += zi
			} else {
				g *= e
			}
			d[i] = g - yi
		}
		f += math.Log(product)
		z, y, d = z[n:], y[n:], d[n:]
	}
	return f, 0
}

func (logistic) convex() bool { return true }

// squares is the squared error (y-g)²: LS.
type squares struct{}

func (squares) at(z, y, _ float64) local {
	e := expMinus(math.Abs(z))
	q := e / ((1 + e) * (1 + e)) // dg/dz
	g := 1 / (1 + e)
	if z < 0 {
		g *= e
	}
	return local{f: (g - y) * (g - y), d: 2 * (g - y) * q, exact: 2*q*q + 2*(g-y)*q*(1-2*g), positive: 2 * q * q}
}

func (l squares) sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	if w != nil {
		return sumOf(l, z, y, w, t, d)
	}
	for i, zi := range z {
		e := expMinus(math.Abs(zi))
		g := 1 / (1 + e)
		q := g * g * e
		if zi < 0 {
			g *= e
		}
		r := g - float64(y[i])
		f += r * r
		d[i] = 2 * r * q
	}
	return f, 0
}

func (squares) convex() bool { return false }

// linear is the squared error (y-z)² of a value y that the score itself has to meet.
type linear struct{}

func (linear) at(z, y, _ float64) local {
	return local{f: (z - y) * (z - y), d: 2 * (z - y), exact: 2, positive: 2}
}

func (l linear) sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	return sumOf(l, z, y, w, t, d)
}

func (linear) convex() bool { return true }

// ordered is the negative log-likelihood of the ordered logit model (McCullagh 1980)
// for losses (y = 0), draws (1/2) and wins (1), with the draw width t > 0:
//
//	P(win) = g(z-t),  P(loss) = g(-z-t),  P(draw) = g(z+t) - g(z-t)
//
// g(z+t)-g(z-t) = g(z+t)·g(t-z)·(1-exp(-2t)), which loses no digits and shows that the
// function is convex in (z, t).
type ordered struct{}

func (ordered) at(z, y, t float64) local {
	if !(t > 0) {
		return local{f: math.Inf(1)} // a step too far; the line search comes back
	}
	win, lose := logistic{}.at(z-t, 1, 0), logistic{}.at(z+t, 0, 0)
	switch y {
	case 1:
		return local{f: win.f, d: win.d, exact: win.exact, positive: win.exact, t: -win.d, zt: -win.exact, tt: win.exact}
	case 0:
		return local{f: lose.f, d: lose.d, exact: lose.exact, positive: lose.exact, t: lose.d, zt: lose.exact, tt: lose.exact}
	}
	notLost, notWon := logistic{}.at(z+t, 1, 0), logistic{}.at(z-t, 0, 0)
	grow := math.Expm1(2 * t)
	both := notLost.exact + notWon.exact
	return local{
		f: notLost.f + notWon.f - math.Log(-math.Expm1(-2*t)), d: notLost.d + notWon.d, exact: both, positive: both,
		t: notLost.d - notWon.d - 2/grow, zt: notLost.exact - notWon.exact, tt: both + 4*(grow+1)/(grow*grow),
	}
}

func (l ordered) sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	return sumOf(l, z, y, w, t, d)
}

func (ordered) convex() bool { return true }

// sumOf is loss.sum row by row.
func sumOf[L loss](l L, z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	for i, zi := range z {
		at, weight := l.at(zi, float64(y[i]), t), 1.0
		if w != nil {
			weight = float64(w[i])
		}
		f += weight * at.f
		dt += weight * at.t
		d[i] = weight * at.d
	}
	return f, dt
}

// win is the win probability g of a score.
func win(z float64) float64 {
	e := expMinus(math.Abs(z))
	if z >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// expected is the expected result of a score: g, or with draws P(win) + P(draw)/2.
func expected(z, t float64) float64 {
	if t == 0 {
		return win(z)
	}
	return (win(z-t) + win(z+t)) / 2
}
