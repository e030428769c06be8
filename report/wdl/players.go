package wdl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
)

// moves are the shifts of some numbers without each game, and without each player.
type moves struct {
	games, players [][]float64 // players nil: too few
	factors        []float64   // of the players' squares, a pair's below zero
	most           float64     // degrees of freedom by player
	way            string
}

// movesOf returns the moves of numbers with the inverse of their information. row returns a game's scores, and then its
// part of the information: a cluster pulls the numbers towards itself by its share h of what is known along its own way, so that without it they
// move by 1/(1-h) times as much (CR3 of Bell and McCaffrey 2002).
func movesOf(row func(game int) []float64, sizes []float64, who []dyads.Pair, inverse *mat.SymDense, way string) moves {
	m, n := moves{way: way}, inverse.SymmetricDim()
	moved := func(row []float64) []float64 {
		u, v, bent := mat.NewVecDense(n, row[:n]), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		v.MulVec(inverse, u)
		bent.MulVec(mat.NewDense(n, n, row[n:]), v)
		if h := mat.Dot(v, bent) / mat.Dot(u, v); h > 0 {
			v.ScaleVec(1/(1-math.Min(dyads.MostShare, h)), v)
		}
		return v.RawVector().Data
	}
	clusters := dyads.Of(who)
	byPlayer := way != dyads.ByGame && clusters.Usable()
	var rows [][]float64 // of all games, which take much memory
	for g := range who {
		of := row(g)
		if m.games = append(m.games, moved(of)); byPlayer {
			rows = append(rows, of)
		}
	}
	if !byPlayer {
		return m
	}
	clusters.Each(rows, sizes, func(sum []float64, _, factor float64, _ int) {
		m.players, m.factors = append(m.players, moved(sum)), append(m.factors, factor)
	})
	m.most = clusters.Plan.MostDegrees()
	return m
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

// ratios returns the sums of the columns of y divided by the sum of n, one row per game, with their
// spreads (linearised).
func ratios(y [][]float64, n []float64, who []dyads.Pair, way string) (means []float64, spreads []dyads.Spread) {
	clusters, sum := dyads.Of(who), 0.0
	for _, k := range n { // floats.Sum adds in an order that depends on the address
		sum += k
	}
	for i := range y[0] {
		u, mean := make([]float64, len(y)), 0.0
		for _, row := range y {
			mean += row[i] / sum
		}
		for g, row := range y {
			u[g] = row[i] - mean*n[g]
		}
		means, spreads = append(means, mean), append(spreads, clusters.Ratio(u, n, way))
	}
	return means, spreads
}
