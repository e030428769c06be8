package dyads

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
	"kifu/internal/lists"
)

// The limits within which players are clusters.
const (
	// Hub is the share of the games above which a player is no cluster: all games of a single
	// player's database share this player, as do the games of a match. The errors hold for games of
	// this player, and the opponents are the clusters.
	Hub = 0.5
	// Many is the effective number of players from which sums of pairs of players come off.
	Many = 10
	// Least is the number of clusters below which errors hold for the games of these players only.
	Least = 4
	// MostNamed is how many such players there can be: hubs are fewer than four, as are the others.
	MostNamed = 6
)

// Plan decides how players are clusters.
type Plan struct {
	Players   int     // that are clusters
	Effective float64 // number of players with equal numbers of games that would weigh as much: (Σn)²/Σn²
	Pairs     bool    // sums of pairs of players are subtracted from the sums of players
	Factor    float64 // of the players' squares
}

// planOf returns the plan for so many players, given the sums of their numbers of games and of
// the squares of these.
//
// From Many players on, the variance is the sum over players minus the sum over pairs. With
// fewer it is the jackknife that leaves out one player at a time (Snijders and Borgatti 1999):
// the squared changes of the estimate times (P-1)/P. This is right if an estimate is the sum of
// effects of both players. If it is a difference of them, this is too large by (P-1)²/(P-2)²
// (bench/simulation/splits, few players).
func planOf(players int, sum, squares float64) Plan {
	p := Plan{Players: players, Pairs: true, Factor: 1}
	if squares > 0 {
		p.Effective = sum * sum / squares
	}
	if p.Effective < Many && players > 1 {
		p.Pairs, p.Factor = false, float64(players-1)/float64(players)
	}
	return p
}

// Usable reports whether there are players enough to be clusters.
func (p Plan) Usable() bool { return p.Players >= Least }

// Size describes the number of players that are clusters.
func (p Plan) Size() string {
	players := human.Plural(int64(p.Players), "player", "players")
	if p.Effective < Many {
		return players + ", each left out in turn, with Student's t"
	}
	return fmt.Sprintf("%s, effectively %.0f", players, p.Effective)
}

// Bound names the players for whose games alone errors hold: players in too many games to be clusters,
// or all players, if there are too few; empty if errors hold for any such players.
func Bound(hubs, all []string) string {
	switch {
	case len(all) > 0:
		return "They hold for games of " + human.List(all) + " alone, too few players to speak for others."
	case len(hubs) > 0:
		return "They hold for games of " + human.List(hubs) + ", in more than half of all, against any such opponents."
	}
	return ""
}

// Spread is the variance of an estimate with its degrees of freedom.
type Spread struct{ Variance, Degrees float64 }

// Reach is half the width of the 95 % interval.
func (s Spread) Reach() float64 { return Quantile95(s.Degrees) * math.Sqrt(s.Variance) }

// Error is the standard error.
func (s Spread) Error() float64 { return math.Sqrt(s.Variance) }

// Positive is the 95 % interval of an estimate of a quantity above 0: its logarithm's.
func (s Spread) Positive(estimate float64) (low, high float64) {
	times := math.Exp(s.Reach() / estimate)
	return estimate / times, estimate * times
}

// Wider returns the spread by game or by player that has the wider interval; by way ByPlayer that by player, if there is one.
func Wider(games, players Spread, way string) Spread {
	if way != ByGame && players.Variance > 0 && (way == ByPlayer || !(players.Reach() <= games.Reach())) {
		return players
	}
	return games
}

// DegreesOf returns the degrees of freedom of a variance S that is a sum of squares: 2S²/Var(S)
// (Satterthwaite 1946). fourths is Q, the sum of the fourth powers. For normal clusters Q has
// the mean 3Σσ⁴, and S² the mean E² + 2Σσ⁴, where E is the mean of S. So 3S²/Q - 2 is about
// E²/Σσ⁴: n for n equal clusters, 1 for one that outweighs all others together. It is NaN if
// all squares are 0.
func DegreesOf(squares, fourths float64) float64 {
	return math.Max(1, 3*squares*squares/fourths-2)
}

// MostDegrees returns the most degrees of freedom of a variance by player. With few players
// fourth powers show little.
func (p Plan) MostDegrees() float64 {
	if p.Pairs {
		return math.Inf(1)
	}
	return float64(p.Players - 1)
}

// Sizes are the sums of the first four powers of the sizes of clusters.
type Sizes [4]float64

// Add adds a cluster.
func (s *Sizes) Add(size float64) { s.AddTimes(size, 1) }

// AddTimes adds so many clusters.
func (s *Sizes) AddTimes(size, times float64) {
	power := size
	for i := range s {
		s[i] += times * power
		power *= size
	}
}

// Shrinks returns the expected sum of squared residuals of the clusters about a ratio of sums,
// as a share of their variance. It assumes that residuals are proportional to cluster size:
// (n-1)/n for n equal clusters. Dividing by it makes the variance unbiased under this model, as
// CR2 does (Bell and McCaffrey 2002).
func (s Sizes) Shrinks() float64 {
	return 1 - 2*s[2]/(s[0]*s[1]) + s[1]/(s[0]*s[0])
}

// Degrees are the degrees of freedom of such a sum (Satterthwaite 1946): n-1 for n clusters that are alike.
func (s Sizes) Degrees() float64 {
	return math.Max(1, s[1]*s[1]/s[3]*s.Shrinks())
}

// OfPlayers returns the degrees of freedom of a variance by player that is effect times the
// variance by game. The squares of the players' sums grow with their sizes if games are
// independent, and with the squares of the sizes if players have effects of their own. The part
// of effect above 1 shows how much of each there is (Imbens and Kolesár 2016). Sizes are shares
// of the total.
func (s Sizes) OfPlayers(effect float64) float64 {
	own := math.Max(0, effect-1) / s[1]
	sum := s[0] + own*s[1]
	return math.Max(1, sum*sum/(s[1]+2*own*s[2]+own*own*s[3])-1)
}

// SpreadOf returns the spread of the ratio Σu/Σsizes by game. u is what each game adds to Σ,
// minus the ratio times its size.
func SpreadOf(u, sizes []float64) Spread {
	var s Sizes
	sum := 0.0
	for g, x := range u {
		s.Add(sizes[g])
		sum += x * x
	}
	return Spread{sum / s.Shrinks() / (s[0] * s[0]), s.Degrees()}
}

// Ratio is SpreadOf by game or by player, according to way.
func (c *Clusters) Ratio(u, sizes []float64, way string) Spread {
	byGame := SpreadOf(u, sizes)
	if way == ByGame || !c.Usable() {
		return byGame
	}
	return Wider(byGame, c.Spread(u, sizes, byGame.Variance), way)
}

// Spread returns the same for games that depend on each other if they share a player, given the
// variance by game. A player's sum is divided by one minus the player's share of the sizes:
// this is the change of the ratio without the player. The variance may be below zero by chance.
func (c *Clusters) Spread(u, sizes []float64, byGame float64) Spread {
	total := lists.Sum(sizes, func(n float64) float64 { return n })
	v, s := c.Variance(u, sizes, total)
	return Spread{v, s.OfPlayers(v / byGame)}
}

// Variance returns the variance of Spread, with the sums of the players' shares of total. total
// is over all games, also those without names.
func (c *Clusters) Variance(u, sizes []float64, total float64) (v float64, s Sizes) {
	rows := make([][]float64, len(u))
	for g := range u {
		rows[g] = u[g : g+1]
	}
	c.Each(rows, sizes, func(sum []float64, size, factor float64, players int) {
		share := size / total
		x := sum[0] / ((1 - math.Min(MostShare, share)) * total)
		v += factor * x * x
		for range players {
			s.Add(share)
		}
	})
	return v, s
}

// Each calls do for each cluster, with the sums of its rows (one a game) and sizes, the factor
// of its squares, and its number of players: none for a pair.
func (c *Clusters) Each(rows [][]float64, sizes []float64, do func(sum []float64, size, factor float64, players int)) {
	if len(rows) == 0 {
		return
	}
	n := len(rows[0])
	sums, of := make([]float64, n*len(c.Sums)), make([]float64, len(c.Sums))
	for g, row := range rows {
		if own := c.Own[g]; own != 0 {
			do(row, sizes[g], c.Factor(own), own.Players())
		}
		for _, k := range c.Of[g] {
			if k >= 0 {
				for i, x := range row {
					sums[int(k)*n+i] += x
				}
				of[k] += sizes[g]
			}
		}
	}
	for k, factor := range c.Sums {
		players := 1
		if factor < 0 {
			players = 0
		}
		do(sums[k*n:(k+1)*n], of[k], factor, players)
	}
}

// MostShare is the largest share of the sizes that a cluster counts as having. Without all of
// them there would be no estimate.
const MostShare = 0.99

// Normal95 is the 97.5 % point of the normal distribution.
const Normal95 = 1.959963984540054

// manyDegrees are so many that Student's distribution is the normal one.
const manyDegrees = 1e6

// Quantile95 returns the 97.5 % point of Student's distribution with df degrees of freedom. The variance
// is known if df is infinite or NaN. Without a degree of freedom (0) the point is NaN.
func Quantile95(df float64) float64 { return Quantile(df, 1) }

// Quantile is Quantile95 for intervals of so many estimates that hold all at once (Bonferroni).
func Quantile(df float64, estimates int) float64 {
	p := 1 - 0.025/float64(estimates)
	switch {
	case df == 0:
		return math.NaN()
	case df < manyDegrees:
		return distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(p)
	case estimates == 1:
		return Normal95
	}
	return distuv.UnitNormal.Quantile(p)
}

// AsNormal returns the normal quantile with the same tail probability as Student's t with df
// degrees of freedom.
func AsNormal(t, df float64) float64 {
	if !(df < manyDegrees) || math.IsNaN(t) {
		return t
	}
	tail := distuv.StudentsT{Sigma: 1, Nu: df}.CDF(-math.Abs(t))
	if tail < 1e-300 || math.IsInf(t, 0) {
		return math.Copysign(37, t)
	}
	return math.Copysign(distuv.UnitNormal.Quantile(tail), t)
}
