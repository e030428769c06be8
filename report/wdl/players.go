package wdl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/internal/lists"
)

// moves are the shifts of some numbers without each game, and without each player.
type moves struct {
	games, players [][]float64 // players nil: too few
	factors        []float64   // of the players' squares, a pair's below zero
	most           float64     // degrees of freedom by player
	way            string
}

// movesOf returns the moves of numbers, given the inverse of their information. Each row has a
// game's scores, then its part of the information of each two numbers, once. A cluster pulls
// the numbers towards itself by its share h of the information along its own direction. So
// without it they move by 1/(1-h) times as much (CR3 of Bell and McCaffrey 2002).
func movesOf(rows [][]float64, sizes []float64, who []dyads.Pair, inverse *mat.SymDense, way string) moves {
	m, n := moves{way: way}, inverse.SymmetricDim()
	by := full(inverse)
	moved := func(row, v []float64) {
		u, known := row[:n], row[n:]
		for i := range v {
			for j, x := range u {
				v[i] += by[i*n+j] * x
			}
		}
		bent := 0.0 // along v
		for i, x := range v {
			for j := range v[i:] {
				times := 2.0
				if j == 0 {
					times = 1
				}
				bent += times * x * v[i+j] * known[j]
			}
			known = known[n-i:]
		}
		if h := bent / floats.Dot(v, u); h > 0 {
			floats.Scale(1/(1-math.Min(dyads.MostShare, h)), v)
		}
	}
	m.games = split(len(rows), n)
	for g, row := range rows {
		moved(row, m.games[g])
	}
	clusters := dyads.Of(who)
	if way == dyads.ByGame || !clusters.Usable() {
		return m
	}
	clusters.Each(rows, sizes, func(sum []float64, _, factor float64, _ int) {
		v := make([]float64, n)
		moved(sum, v)
		m.players, m.factors = append(m.players, v), append(m.factors, factor)
	})
	m.most = clusters.Plan.MostDegrees()
	return m
}

// full returns all n² numbers of a matrix.
func full(of *mat.SymDense) (all []float64) {
	n := of.SymmetricDim()
	for i := range n * n {
		all = append(all, of.At(i/n, i%n))
	}
	return all
}

// split returns rows of so many zeros.
func split(rows, width int) [][]float64 {
	all := make([]float64, rows*width)
	return lists.N(rows, func(i int) []float64 { return all[i*width : (i+1)*width] })
}

// along returns the spread of the numbers' sum with these weights, by game or player.
func (m moves) along(weights []float64) dyads.Spread {
	if len(m.games) == 0 {
		return dyads.Spread{Variance: math.NaN()}
	}
	byGame := m.spread(m.games, weights, nil)
	if m.players == nil {
		return byGame
	}
	byPlayer := m.spread(m.players, weights, m.factors)
	byPlayer.Degrees = math.Min(m.most, byPlayer.Degrees)
	return dyads.Wider(byGame, byPlayer, m.way)
}

// spread is the sum of the squares, each times its factor; nil: all 1.
func (moves) spread(of [][]float64, weights, factors []float64) (s dyads.Spread) {
	var squares, fourths float64
	for i, row := range of {
		x, factor := floats.Dot(row, weights), 1.0
		if factors != nil {
			factor = factors[i]
		}
		s.Variance += factor * x * x
		if factor > 0 {
			squares, fourths = squares+factor*x*x, fourths+factor*factor*x*x*x*x
		}
	}
	s.Degrees = dyads.DegreesOf(squares, fourths)
	return s
}

// ratios returns the sums of columns of y divided by the sum of n, y having a row of so many columns per game, with their
// spreads (linearised).
func ratios(y []float64, columns int, n []float64, who []dyads.Pair, way string) (means []float64, spreads []dyads.Spread) {
	clusters, sum, u := dyads.Of(who), 0.0, make([]float64, len(n))
	for _, k := range n { // floats.Sum adds in an order that depends on the address
		sum += k
	}
	for i := range columns {
		mean := 0.0
		for g := range n {
			mean += y[columns*g+i] / sum
		}
		for g, k := range n {
			u[g] = y[columns*g+i] - mean*k
		}
		means, spreads = append(means, mean), append(spreads, clusters.Ratio(u, n, way))
	}
	return means, spreads
}
