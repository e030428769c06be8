package solve

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/meat"
	"kifu/internal/dyads"
	"kifu/internal/panels"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

const (
	// flips is the number of times that the signs of all games are drawn.
	flips = 999
	// flipGroups is the number of groups of games that get one sign: games of different groups are independent.
	flipGroups = 2048
	flipSeed   = 0x5f1d
)

// flipTest tests that a group has the present weights, by the signs of games as in splits (Hemerik, Goeman
// and Finos 2020). If it has, the efficient score of a game is as likely to have the other sign. pass has the
// changes of the group's unknowns by games, own their covariance by the model. The statistic is the length of
// the sum in the metric of own. p is the share of the true signs and 999 random draws of signs in which it is
// as long. Unlike in Hotelling's T², the metric is not estimated from the same few games. The other unknowns,
// fitted to these games, made the scores smaller, so the draws use the scores divided by one less their
// leverage (spread). If games of a player depend on each other, the statistic is divided by their design
// effect (Rao and Scott 1981).
func (e *Estimate) flipTest(pass, spread meat.GameScores, own *mat.SymDense) (statistic, p *float64) {
	k := own.SymmetricDim()
	var metric panels.Cholesky
	if !metric.Factorize(own) {
		return nil, nil
	}
	groups := spread.Groups(k, flipGroups, e.settings.Workers)
	n, _ := groups.Dims()
	signs := mat.NewDense(flips, n, nil)
	for b := range flips {
		of, line := splitmix.Hash(flipSeed, int64(b)), signs.RawRowView(b)
		for i := range line {
			line[i] = 1 - 2*float64(splitmix.Hash(of, int64(i))&1)
		}
	}
	sums := panels.TimesTransposed(signs, groups.T(), e.settings.Workers)
	length := func(of []float64) float64 {
		metric.Forward(of)
		return floats.Dot(of, of)
	}
	t := length(pass.Groups(k, 1, e.settings.Workers).RawRowView(0)) / e.lengthened(pass, &metric, k)
	above := 1
	for b := range flips {
		if !(length(sums.RawRowView(b)) < t) {
			above++
		}
	}
	return schemas.Number(t), schemas.Number(float64(above) / (flips + 1))
}

// lengthened is how many times longer than with independent games the sum is on average, at least 1.
func (e *Estimate) lengthened(pass meat.GameScores, metric *panels.Cholesky, k int) float64 {
	if e.clusters == nil {
		return 1
	}
	inverse := metric.Inverse()
	trace := func(m *mat.SymDense) (sum float64) { // of the inverse times m
		for i := range k {
			for j := range k {
				sum += inverse.At(i, j) * m.At(i, j)
			}
		}
		return sum
	}
	games, players := pass.Meats(k, e.clusters, nil, nil, nil, e.settings.Workers)
	byGame, byPlayer := trace(games), trace(players)
	if (robust{only: e.Clusters.By == dyads.ByPlayer}).wider(byGame, byPlayer) {
		return byPlayer / byGame
	}
	return 1
}

// without returns the inverse of the Hessian by all unknowns but some, 0 for these, given that by all.
func without(inverse *mat.SymDense, of []int, workers int) *mat.SymDense {
	n := inverse.SymmetricDim()
	var own panels.Cholesky
	if !own.Factorize(part(inverse.At, of)) {
		return inverse
	}
	lines := mat.NewDense(n, len(of), nil)
	for j := range n {
		line := lines.RawRowView(j)
		for a, i := range of {
			line[a] = inverse.At(i, j)
		}
		own.Forward(line)
	}
	taken := panels.TimesTransposed(lines, lines, workers)
	rest := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			rest.SetSym(i, j, inverse.At(i, j)-taken.At(i, j))
		}
	}
	for _, i := range of { // but for rounding they are
		for j := range n {
			rest.SetSym(i, j, 0)
		}
	}
	return rest
}
