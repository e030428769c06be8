package fit

import "math"

// A loss is one row's part of the objective, as a function of its score z.
type loss interface {
	at(z, y float64) local
	// sum returns the sum of w·f over rows with the scores z and overwrites d with their
	// w·d: at for many rows. A nil w is 1 for all.
	sum(z []float64, y, w []float32, d []float64) float64
	// convex says that the curvature is never negative.
	convex() bool
}

// local is a loss at one score: its value, its first and second derivative by z, and a
// part of the second that is never negative: for MLM all of it, for LS that of Gauss
// and Newton.
type local struct{ f, d, exact, positive float64 }

// exact and positive choose a curvature.
func exact(l local) float64    { return l.exact }
func positive(l local) float64 { return l.positive }

// logistic is the negative log-likelihood -y·ln(g) - (1-y)·ln(1-g), in nats, with
// g = 1/(1+exp(-z)): MLM.
type logistic struct{}

func (logistic) at(z, y float64) local {
	// exp(-|z|) cannot overflow, and Log1p loses nothing where it is small.
	e := math.Exp(-math.Abs(z))
	q := e / ((1 + e) * (1 + e))
	if z >= 0 {
		return local{math.Log1p(e) + z*(1-y), 1/(1+e) - y, q, q}
	}
	return local{math.Log1p(e) - z*y, e/(1+e) - y, q, q}
}

func (l logistic) sum(z []float64, y, w []float32, d []float64) (f float64) {
	if w != nil {
		return sumOf(l, z, y, w, d)
	}
	// ln is taken of products of up to 512 factors between 1 and 2: they stay in range,
	// and lose no more than a sum of as many logarithms would.
	for len(z) > 0 {
		n := min(512, len(z))
		product := 1.0
		for i, zi := range z[:n] {
			yi := float64(y[i])
			e := math.Exp(-math.Abs(zi))
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
	return f
}

func (logistic) convex() bool { return true }

// squares is the squared error (y-g)²: LS.
type squares struct{}

func (squares) at(z, y float64) local {
	e := math.Exp(-math.Abs(z))
	q := e / ((1 + e) * (1 + e)) // dg/dz
	g := 1 / (1 + e)
	if z < 0 {
		g *= e
	}
	return local{(g - y) * (g - y), 2 * (g - y) * q, 2*q*q + 2*(g-y)*q*(1-2*g), 2 * q * q}
}

func (l squares) sum(z []float64, y, w []float32, d []float64) (f float64) {
	if w != nil {
		return sumOf(l, z, y, w, d)
	}
	for i, zi := range z {
		e := math.Exp(-math.Abs(zi))
		g := 1 / (1 + e)
		q := g * g * e
		if zi < 0 {
			g *= e
		}
		r := g - float64(y[i])
		f += r * r
		d[i] = 2 * r * q
	}
	return f
}

func (squares) convex() bool { return false }

// sumOf is loss.sum row by row.
func sumOf(l loss, z []float64, y, w []float32, d []float64) (f float64) {
	for i, zi := range z {
		at, weight := l.at(zi, float64(y[i])), float64(w[i])
		f += weight * at.f
		d[i] = weight * at.d
	}
	return f
}

// win is the win probability g of a score.
func win(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	if z >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}
