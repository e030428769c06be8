// Package losses has the methods of a fit by what they minimise: losses of rows, and of whole decisions, with their derivatives.
//
// In: scores and results. Out: sums and slopes. It keeps no rows.
package losses

import "math"

// Loss is one row's part of the objective, as a function of its score z. Only
// OrderedLogit depends on t, the draw width.
type Loss interface {
	At(z, y, t float64) Local
	// Sum is At for many rows: it returns Σ w·f and Σ w·∂f/∂t over rows with the scores z
	// and overwrites d with their w·d. A nil w is 1 for all rows.
	Sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64)
	// Convex reports whether the curvature is never negative.
	Convex() bool
}

// Local is a loss at one score: its value, its first and second derivative by z, and a part of the second
// that is never negative. For MLM that part is all of it, for LS the Gauss-Newton part. The derivatives by t
// and by z and t are 0 except for OrderedLogit.
type Local struct {
	F, D, Exact, Positive float64
	T, ZT, TT             float64
}

// Exact selects the exact curvature.
func Exact(l Local) float64 { return l.Exact }

// Positive selects the part of the curvature that is never negative.
func Positive(l Local) float64 { return l.Positive }

// Logistic is the negative log-likelihood -y·ln(g) - (1-y)·ln(1-g), in nats, with
// g = 1/(1+exp(-z)): the loss of method mlm.
type Logistic struct{}

// At returns loss and derivatives of one row.
func (Logistic) At(z, y, _ float64) Local {
	// exp(-|z|) cannot overflow, and Log1p loses nothing where it is small.
	e := expMinus(math.Abs(z))
	q := e / ((1 + e) * (1 + e))
	if z >= 0 {
		return Local{F: math.Log1p(e) + z*(1-y), D: 1/(1+e) - y, Exact: q, Positive: q}
	}
	return Local{F: math.Log1p(e) - z*y, D: e/(1+e) - y, Exact: q, Positive: q}
}

// Sum implements Loss.
func (l Logistic) Sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	if w != nil {
		return sumOf(l, z, y, w, t, d)
	}
	// One logarithm of a product of up to 512 factors between 1 and 2 replaces as many
	// logarithms: the product stays in range and loses no more digits than their sum.
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

// Convex is true.
func (Logistic) Convex() bool { return true }

// Squares is the squared error (y-g)²: the loss of method ls.
type Squares struct{}

// At returns loss and derivatives of one row.
func (Squares) At(z, y, _ float64) Local {
	e := expMinus(math.Abs(z))
	q := e / ((1 + e) * (1 + e)) // dg/dz
	g := 1 / (1 + e)
	if z < 0 {
		g *= e
	}
	return Local{F: (g - y) * (g - y), D: 2 * (g - y) * q, Exact: 2*q*q + 2*(g-y)*q*(1-2*g), Positive: 2 * q * q}
}

// Sum implements Loss.
func (l Squares) Sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
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

// Convex is false: a square of a sigmoid is flat far from the result.
func (Squares) Convex() bool { return false }

// Linear is the squared error (y-z)² of a value y that the score itself predicts: the loss
// of method value.
type Linear struct{}

// At returns loss and derivatives of one row.
func (Linear) At(z, y, _ float64) Local {
	return Local{F: (z - y) * (z - y), D: 2 * (z - y), Exact: 2, Positive: 2}
}

// Sum implements Loss.
func (l Linear) Sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	return sumOf(l, z, y, w, t, d)
}

// Convex is true.
func (Linear) Convex() bool { return true }

// OrderedLogit is the negative log-likelihood of the ordered logit model (McCullagh 1980)
// for losses (y = 0), draws (1/2) and wins (1), with the draw width t > 0:
//
//	P(win) = g(z-t),  P(loss) = g(-z-t),  P(draw) = g(z+t) - g(z-t)
//
// g(z+t)-g(z-t) = g(z+t)·g(t-z)·(1-exp(-2t)), which loses no digits and shows that the
// function is convex in (z, t).
type OrderedLogit struct{}

// At returns loss and derivatives of one row, those by the draw width t among them.
func (OrderedLogit) At(z, y, t float64) Local {
	if !(t > 0) {
		return Local{F: math.Inf(1)} // a step too far; the line search comes back
	}
	win, lose := Logistic{}.At(z-t, 1, 0), Logistic{}.At(z+t, 0, 0)
	switch y {
	case 1:
		return Local{F: win.F, D: win.D, Exact: win.Exact, Positive: win.Exact, T: -win.D, ZT: -win.Exact, TT: win.Exact}
	case 0:
		return Local{F: lose.F, D: lose.D, Exact: lose.Exact, Positive: lose.Exact, T: lose.D, ZT: lose.Exact, TT: lose.Exact}
	}
	notLost, notWon := Logistic{}.At(z+t, 1, 0), Logistic{}.At(z-t, 0, 0)
	grow := math.Expm1(2 * t)
	both := notLost.Exact + notWon.Exact
	return Local{
		F: notLost.F + notWon.F - math.Log(-math.Expm1(-2*t)), D: notLost.D + notWon.D, Exact: both, Positive: both,
		T: notLost.D - notWon.D - 2/grow, ZT: notLost.Exact - notWon.Exact, TT: both + 4*(grow+1)/(grow*grow),
	}
}

// Sum implements Loss.
func (l OrderedLogit) Sum(z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	return sumOf(l, z, y, w, t, d)
}

// Convex is true.
func (OrderedLogit) Convex() bool { return true }

// sumOf is Loss.Sum row by row.
func sumOf[L Loss](l L, z []float64, y, w []float32, t float64, d []float64) (f, dt float64) {
	for i, zi := range z {
		at, weight := l.At(zi, float64(y[i]), t), 1.0
		if w != nil {
			weight = float64(w[i])
		}
		f += weight * at.F
		dt += weight * at.T
		d[i] = weight * at.D
	}
	return f, dt
}

// Win returns the win probability g of a score.
func Win(z float64) float64 {
	e := expMinus(math.Abs(z))
	if z >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// Expected returns the expected result of a score: g, or with draws P(win) + P(draw)/2.
func Expected(z, t float64) float64 {
	if t == 0 {
		return Win(z)
	}
	return (Win(z-t) + Win(z+t)) / 2
}
