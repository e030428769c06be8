// Package dyads knows which games depend on each other because they share a player.
//
// Every game is of two players, whichever sides they have, and two games that have one of
// them in common are not independent: the player is stronger than his evaluations say, or
// likes a kind of position. The variance of a sum of scores of games, u, is then the sum
// over all pairs of games that share a player (Fafchamps and Gubert 2007; Aronow, Samii and
// Assenova 2015):
//
//	Σ over players of (Σ of their games' u)² - Σ over pairs of players of (Σ of their games' u)²
//
// Games of the same two players are in the sums of both, and so are taken off once. Clusters
// of the two sides (white, black) would be wrong: what a player does to a score changes its
// sign with his side, so that his games with either side depend on each other too.
//
// The package knows numbers of players and no names.
package dyads

import "cmp"

// Pair is the two players of a game, by number; a negative number is a player who is not
// known.
type Pair struct{ A, B int32 }

// The limits within which players are clusters.
const (
	// Frequent is the share of the games above which a player is no cluster: all games of a
	// single player's database share him, as do half of those of a match. What is said of
	// them holds for games of this player, and his opponents are the clusters.
	Frequent = 0.2
	// Least is the effective number of players from which they are clusters.
	Least = 10
)

// Clusters are games as the players make them depend.
type Clusters struct {
	Games     int
	Players   int     // that are clusters
	Effective float64 // number of players with equal numbers of games that would say as much: (Σn)²/Σn²
	Often     int     // players in too many games to be clusters (Frequent)
	Unnamed   int     // games of which a player is not known: each is a cluster of its own

	// Sums are the clusters of two games or more: a player's with sign 1, a pair's with -1.
	Sums []float64
	// Own is, of each game, the factor of its own square: what clusters of this game alone
	// come to.
	Own []float64
	// Of has the numbers of the clusters in Sums that a game belongs to, the rest -1.
	Of [][3]int32
}

// Of returns the clusters of games.
func Of(games []Pair) *Clusters {
	c := &Clusters{Games: len(games), Own: make([]float64, len(games)), Of: make([][3]int32, len(games))}
	all := map[int32]int{}
	for _, g := range games {
		if g.A < 0 || g.B < 0 {
			c.Unnamed++
			continue
		}
		all[g.A]++
		if g.B != g.A {
			all[g.B]++
		}
	}
	limit := Frequent * float64(len(games))
	var sum, squares float64
	for _, n := range all {
		if float64(n) > limit {
			c.Often++
			continue
		}
		c.Players++
		sum, squares = sum+float64(n), squares+float64(n)*float64(n)
	}
	if squares > 0 {
		c.Effective = sum * sum / squares
	}
	pairs := map[Pair]int{}
	nodes := func(g Pair) (a, b int32) {
		if g.A < 0 || g.B < 0 {
			return -1, -1
		}
		if g.A == g.B {
			g.B = -1
		}
		if g.A >= 0 && float64(all[g.A]) > limit {
			g.A = -1
		}
		if g.B >= 0 && float64(all[g.B]) > limit {
			g.B = -1
		}
		return max(g.A, g.B), min(g.A, g.B)
	}
	for _, g := range games {
		if a, b := nodes(g); b >= 0 {
			pairs[Pair{a, b}]++
		}
	}
	c.number(games, all, pairs, nodes)
	return c
}

// number gives every cluster of two games or more its number, in the order of the games.
func (c *Clusters) number(games []Pair, all map[int32]int, pairs map[Pair]int, nodes func(Pair) (a, b int32)) {
	players, both := map[int32]int32{}, map[Pair]int32{}
	for i, g := range games {
		c.Of[i] = [3]int32{-1, -1, -1}
		a, b := nodes(g)
		if a < 0 {
			c.Own[i] = 1 // of no player: a cluster by itself
			continue
		}
		for j, p := range [2]int32{a, b} {
			switch {
			case p < 0:
			case all[p] == 1:
				c.Own[i]++
			default:
				c.Of[i][j] = numberOf(c, players, p, 1)
			}
		}
		switch p := (Pair{a, b}); {
		case b < 0:
		case pairs[p] == 1:
			c.Own[i]--
		default:
			c.Of[i][2] = numberOf(c, both, p, -1)
		}
	}
}

func numberOf[K comparable](c *Clusters, known map[K]int32, key K, sign float64) int32 {
	n, ok := known[key]
	if !ok {
		n = int32(len(c.Sums))
		known[key] = n
		c.Sums = append(c.Sums, sign)
	}
	return n
}

// Usable reports whether there are players enough to be clusters.
func (c *Clusters) Usable() bool { return c != nil && c.Effective >= Least }

// Variance returns the variance of the sum of u, a number per game. It is below zero where
// chance has it so.
func (c *Clusters) Variance(u []float64) (v float64) {
	sums := make([]float64, len(c.Sums))
	for g, x := range u {
		v += c.Own[g] * x * x
		for _, k := range c.Of[g] {
			if k >= 0 {
				sums[k] += x
			}
		}
	}
	for k, s := range sums {
		v += c.Sums[k] * s * s
	}
	return v
}

// The ways to take the games of a sample as clusters.
const (
	Both     = "both"    // the wider of the two errors
	ByGame   = "games"   // games are independent of each other
	ByPlayer = "players" // games that share a player are not
)

// Ways lists them; the empty way is Both.
func Ways() []string { return []string{Both, ByPlayer, ByGame} }

// Way returns way, or Both if it is empty.
func Way(way string) string { return cmp.Or(way, Both) }
