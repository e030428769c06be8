package fit

import "math"

// A loss is one row's part of the objective, as a function of its score z, with
// g = 1/(1+exp(-z)).
type loss interface {
	// at returns the loss and its first derivative by z.
	at(z, y float64) (f, d float64)
	// curvature returns the second derivative, and a part of it that is never negative:
	// for MLM the same, for LS that of Gauss and Newton.
	curvature(z, y float64) (exact, positive float64)
	// convex says that exact is never negative.
	convex() bool
}

// logistic is the negative log-likelihood -y·ln(g) - (1-y)·ln(1-g), in nats: MLM.
type logistic struct{}

func (logistic) at(z, y float64) (f, d float64) {
	// exp(-|z|) cannot overflow, and 1+e loses nothing that ln would miss.
	e := math.Exp(-math.Abs(z))
	if z >= 0 {
		return math.Log1p(e) + z*(1-y), 1/(1+e) - y
	}
	return math.Log1p(e) - z*y, e/(1+e) - y
}

func (logistic) curvature(z, y float64) (exact, positive float64) {
	q := slope(z)
	return q, q
}

func (logistic) convex() bool { return true }

// squares is the squared error (y-g)²: LS.
type squares struct{}

func (squares) at(z, y float64) (f, d float64) {
	e := win(z) - y
	return e * e, 2 * e * slope(z)
}

func (squares) curvature(z, y float64) (exact, positive float64) {
	g, q := win(z), slope(z)
	positive = 2 * q * q
	return positive + 2*(g-y)*q*(1-2*g), positive
}

func (squares) convex() bool { return false }

// win is the win probability g of a score.
func win(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	if z >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// slope is dg/dz = g(1-g).
func slope(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	return e / ((1 + e) * (1 + e))
}
