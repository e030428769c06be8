package fit

import "math"

// A loss is one row's part of the objective, as a function of its score z.
type loss interface {
	at(z, y float64) local
	// convex says that the curvature is never negative.
	convex() bool
}

// local is a loss at one score: its value, its first and second derivative by z, and a
// part of the second that is never negative: for MLM all of it, for LS that of Gauss
// and Newton.
type local struct{ f, d, exact, positive float64 }

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

func (logistic) convex() bool { return true }

// squares is the squared error (y-g)²: LS.
type squares struct{}

func (squares) at(z, y float64) local {
	e := math.Exp(-math.Abs(z))
	q := e / ((1 + e) * (1 + e)) // dg/dz
	g := 1 / (1 + e)
	if z < 0 {
		g = e / (1 + e)
	}
	return local{(g - y) * (g - y), 2 * (g - y) * q, 2*q*q + 2*(g-y)*q*(1-2*g), 2 * q * q}
}

func (squares) convex() bool { return false }

// exact and positive choose a curvature.
func exact(l local) float64    { return l.exact }
func positive(l local) float64 { return l.positive }

// win is the win probability g of a score.
func win(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	if z >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}
