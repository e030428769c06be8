package solve

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"kifu/fit/meat"
	"kifu/fit/rows"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/schemas"
)

// covariance returns an entry of a covariance of the unknowns.
type covariance func(i, j int) float64

// robust has the robust covariances: of independent games, and of games that depend on
// each other where they share a player.
type robust struct {
	games, players covariance // players nil: too few players are known
	only           bool       // players alone, whether it is wider or not

	// The degrees of freedom of each number's variance; nil: so many that it counts as known.
	gamesDF, playersDF []float64
}

// cluster decides what the clusters of r are, and notes it.
func (e *Estimate) cluster(r *rows.Store) {
	way, c := e.settings.Cluster, r.Clusters()
	if e.settings.plain {
		way = dyads.ByGame
	}
	e.Clusters = Told(c, way, e.settings.NoGames, r.NamesOf)
	if e.Clusters.By != dyads.ByGame {
		e.clusters = c
	}
}

// Told describes how errors are computed by clusters c, nil without known players, if a way was
// requested.
func Told(c *dyads.Clusters, way string, noGames bool, names func(players []int32) []string) schemas.FitClusters {
	told := schemas.FitClusters{By: dyads.ByGame, NoGames: noGames}
	if c != nil {
		told.Players, told.Effective, told.Unnamed = c.Players, c.Effective, c.Unnamed
		told.Hubs, told.All = names(c.Hubs), names(c.All)
	}
	switch {
	case way == dyads.ByGame || noGames:
	case c == nil:
		told.Why = "who played is not known"
	case !c.Usable():
		told.Why = "too few players"
	default:
		told.By = dyads.Way(way)
	}
	return told
}

// Describe returns the clustering of errors in words.
func Describe(c schemas.FitClusters) string {
	text := ""
	switch {
	case c.NoGames:
		text = "ERRORS BY POSITION: " + schemas.ByPositions
	case c.By == dyads.ByGame:
		text = "errors by game"
		if c.Why != "" {
			text += ", as if games of one player were independent: " + c.Why
		}
	case c.By == dyads.ByPlayer:
		text = "errors by player"
	default:
		text = "errors by game or by player, whichever is larger"
	}
	if c.By != dyads.ByGame {
		text += fmt.Sprintf(" (%s", dyads.Plan{Players: c.Players, Effective: c.Effective}.Size())
		if c.Unnamed > 0 {
			text += fmt.Sprintf("; %s without names", human.Plural(int64(c.Unnamed), "game", "games"))
		}
		if c.Ratio != nil {
			text += fmt.Sprintf("; for w_0 %.2f times the error by game", *c.Ratio)
		}
		text += ")"
	}
	if bound := dyads.Bound(c.Hubs, c.All); bound != "" {
		text += ". " + bound
	}
	return text
}

// robust returns the covariances of the unknowns from the scores of pass, the inverse of the Hessian of
// the loss's sum, and the curvature of the ridge; of are the derivatives of the numbers by the
// unknowns.
func (e *Estimate) robust(r *rows.Store, pass meat.GameScores, inverse, ridge *mat.SymDense, of [][]rows.Entry) robust {
	n := inverse.SymmetricDim()
	var corrected *mat.SymDense
	var games, players *meat.Fourths
	if e.settings.plain {
		ridge = mat.NewSymDense(n, nil)
	} else {
		corrected, games, players = inverse, meat.NewFourths(of), meat.NewFourths(of)
	}
	meat, shared := pass.Meats(n, e.clusters, corrected, games, players, e.settings.Workers)
	few := float64(r.Games) / float64(r.Games-1)
	meat.ScaleSym(few, meat)
	meat.AddSym(meat, ridge)
	out := robust{games: sandwich(inverse, meat, e.settings.Workers)}
	if games != nil {
		out.gamesDF = degrees(games, few, out.games)
	}
	if e.clusters == nil {
		return out
	}
	shared.AddSym(shared, ridge)
	out.players, out.only = sandwich(inverse, shared, e.settings.Workers), e.Clusters.By == dyads.ByPlayer
	if players != nil {
		out.playersDF = mostly(degrees(players, e.clusters.Plan.Factor, out.players), e.clusters.Plan)
	}
	return out
}

// mostly limits degrees of freedom to the most by so few players.
func mostly(df []float64, p dyads.Plan) []float64 {
	for j := range df {
		df[j] = math.Min(df[j], p.MostDegrees())
	}
	return df
}

// degrees returns the degrees of freedom of the numbers' variances. times the squares of f are the part from
// clusters; the part of a ridge is known and raises the degrees.
func degrees(f *meat.Fourths, times float64, c covariance) []float64 {
	df := f.Degrees()
	for j, of := range f.Of {
		if known := product(of, of, c) / (times * f.Squares[j]); known > 1 {
			df[j] *= known * known
		}
	}
	return df
}

// at is players, or 0 without.
func (c robust) at(i, j int) float64 {
	if c.players == nil {
		return 0
	}
	return c.players(i, j)
}

// wider reports whether the variance by players is to be taken. It may be below zero, where
// players do not determine it.
func (c robust) wider(byGame, byPlayers float64) bool {
	return byPlayers > 0 && (c.only || byPlayers > byGame)
}

// times returns the covariances times a factor.
func (c robust) times(factor float64) robust {
	scaled := func(of covariance) covariance {
		if of == nil {
			return nil
		}
		return func(i, j int) float64 { return factor * of(i, j) }
	}
	return robust{games: scaled(c.games), players: scaled(c.players), only: c.only}
}

// widest returns the errors and intervals made by of from a covariance and its degrees of
// freedom, of each number the wider ones.
func (e *Estimate) widest(c robust, of func(c covariance, df []float64) (se, low, high, z []float64)) (se, low, high, z []float64) {
	se, low, high, z = of(c.games, c.gamesDF)
	if c.players == nil {
		return se, low, high, z
	}
	se2, low2, high2, z2 := of(c.players, c.playersDF)
	k := e.Design.Scale()
	if se[k] > 0 {
		e.Clusters.Ratio = schemas.Number(se2[k] / se[k])
	}
	for j := range se {
		if c.wider(se[j]*dyads.Quantile95(entry(c.gamesDF, j)), se2[j]*dyads.Quantile95(entry(c.playersDF, j))) {
			se[j], low[j], high[j], z[j] = se2[j], low2[j], high2[j], z2[j]
		}
	}
	return se, low, high, z
}

// part returns the covariance of some unknowns.
func part(c covariance, of []int) *mat.SymDense {
	v := mat.NewSymDense(len(of), nil)
	for a, i := range of {
		for b, j := range of[:a+1] {
			v.SetSym(a, b, (c(i, j)+c(j, i))/2)
		}
	}
	return v
}

// effect returns the design effect of players on a test of several numbers: the mean of the
// eigenvalues of V⁻¹V', V being the covariance by games, factored, and V' that by players.
// A quadratic form in V⁻¹ is this many times too large on average, and is divided by it (Rao
// and Scott 1981). Unlike V' by itself it can be had of few players.
func (c robust) effect(v *mat.Cholesky, players *mat.SymDense) float64 {
	var solved mat.Dense
	if err := v.SolveTo(&solved, players); err != nil {
		return 1
	}
	effect := mat.Trace(&solved) / float64(players.SymmetricDim())
	if !c.wider(1, effect) {
		return 1
	}
	return effect
}
