package skill

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
)

// Rated holds the results of a performance.
type Rated struct {
	// Rating is the intrinsic rating: the one at which the score is 0. Low and High are its 95 % interval, by moves and games, for
	// many players by player, too. They are infinite where no rating within reach fits.
	Rating, Low, High float64
	// Z is the score at the players' own ratings divided by its standard deviation among such players: what was shown beyond what
	// the ratings expect. NaN without ratings.
	Z float64
	// P is the chance of a Z as large, by Student's distribution: with few players in the calibration the deviation is uncertain.
	P float64
	// Sees is the share of moves, replaced by the best ones, that Z would be above its 99.9 % point for in four of five cases;
	// above 1: none.
	Sees float64
	At   Sum // at the ratings, or without them at the intrinsic rating
}

// reach is how far beyond the ratings of the curve intrinsic ratings are looked for.
const reach = 800

// alarm is the 99.9 % point of the normal distribution, and often the 80 % point.
const (
	alarm = 3.090232306167813
	often = 0.8416212335729143
)

// Rate rates a performance.
func (m *Model) Rate(moves *Moves, p Performance) (r Rated) {
	r.Z, r.P = math.NaN(), math.NaN()
	low, high := m.Low-reach, m.High+reach
	start := m.Centre
	find := func(shift float64) float64 {
		return root(low, high, start, func(rating float64) (value, fall float64) {
			s := m.sum(moves, p, rating)
			return s.U - shift*math.Sqrt(s.Variance), s.Information / hundred
		})
	}
	if r.Rating = find(0); !math.IsInf(r.Rating, 0) {
		start = r.Rating
	}
	r.Low, r.High = find(dyads.Normal95), find(-dyads.Normal95)
	rated := true
	for _, i := range p.Turns {
		rated = rated && !math.IsNaN(moves.Turns[i].Rating)
	}
	switch {
	case rated:
		r.At = m.sum(moves, p, math.NaN())
		r.Z = r.At.U / math.Sqrt(r.At.Variance+r.At.Between)
		r.P = distuv.StudentsT{Sigma: 1, Nu: r.At.Degrees}.Survival(r.Z)
	case !math.IsInf(r.Rating, 0):
		r.At = m.sum(moves, p, r.Rating)
	default:
		r.At = m.sum(moves, p, max(low, min(high, r.Rating)))
	}
	r.Sees = (alarm + often) * math.Sqrt(r.At.Variance+r.At.Between) / r.At.Best
	return r
}

// root returns where a falling function is 0, to a tenth of a point, by Newton's steps within what is known to hold it; f returns its
// value and how fast it falls, at least about. The root is infinite outside the limits.
func root(low, high, x float64, f func(float64) (value, fall float64)) float64 {
	least, most := math.Inf(-1), math.Inf(1) // that were found to be below and above the root
	for range 60 {
		value, fall := f(x)
		if value > 0 {
			least = x
		} else {
			most = x
		}
		switch {
		case most <= low:
			return math.Inf(-1)
		case least >= high:
			return math.Inf(1)
		}
		next := max(low, min(high, x+value/fall))
		if next <= least || next >= most { // Newton's step leaves the bracket
			next = (max(least, low) + min(most, high)) / 2
		}
		if math.Abs(next-x) < 0.1 {
			return next
		}
		x = next
	}
	return x
}

// Power returns the expected Z of a player of the central rating in so many games of average
// length, if a share of the moves is replaced by the best ones. chance is the probability that
// Z is above the limit.
func (m *Model) Power(games int, share, limit float64) (z, chance float64) {
	n, i := float64(games), m.Typical.Information
	sd := math.Sqrt(m.Move*n*i + m.Game*n*i*i + m.Player*n*n*i*i)
	z = n * share * m.Typical.Best / sd
	// Whether a move is replaced is chance, too.
	helped := m.Typical.Best / m.Typical.Moves
	more := share * (1 - share) * n * m.Typical.Moves * helped * helped
	return z, distuv.UnitNormal.Survival((limit - z) * sd / math.Sqrt(sd*sd+more))
}
