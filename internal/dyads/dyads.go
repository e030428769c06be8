// Package dyads computes errors of games that depend on each other because they share a player.
//
// Every game has two players, whichever sides they have. Two games with a common player are not
// independent: the player is stronger than the evaluations suggest, or likes a kind of
// position. So the variance of a sum of scores of games, u, is the sum over all pairs of games
// that share a player (Fafchamps and Gubert 2007; Aronow, Samii and Assenova 2015):
//
//	Σ over players of (Σ of their games' u)² - Σ over pairs of players of (Σ of their games' u)²
//
// Games of the same two players are in the sums of both, so they are subtracted once. Clusters
// by side (White, Black) would be wrong: the effect of a player on a score changes its sign
// with the side, so the player's games with both sides depend on each other, too.
//
// With few players the pairs' part is omitted, because its estimate is noise as large as the
// rest. Each player in turn is left out instead (Plan). spread.go has the precision of a
// variance, and its effect on intervals.
//
// Players are numbers here, not names.
package dyads

import (
	"cmp"
	"slices"
)

// Pair is the two players of a game, by number; a negative number is a player who is not
// known.
type Pair struct{ A, B int32 }

// Nobody is a pair of unknown players.
var Nobody = Pair{-1, -1}

// Players returns the players of a game by its id, or Nobody if they are unknown.
type Players interface{ Of(game int64) Pair }

// ByID are the players of games.
type ByID map[int64]Pair

// Of returns the players of a game.
func (p ByID) Of(game int64) Pair {
	if of, known := p[game]; known {
		return of
	}
	return Nobody
}

// Clusters are games as the players make them depend.
type Clusters struct {
	Plan
	Games   int
	Hubs    []int32 // players in too many games to be clusters (Hub), ascending
	All     []int32 // who played, where they are too few to be clusters; ascending
	Unnamed int     // games of which a player is not known: each is a cluster of its own

	// Sums are the factors of the clusters of two games or more: a player's above zero, a pair's -1.
	Sums []float64
	// Own lists for each game the clusters that it is alone.
	Own []Own
	// Of has the numbers of the clusters in Sums that a game belongs to, the rest -1.
	Of [][3]int32
}

// Own is the clusters that a game forms alone: none, one or both of its players, their pair, or no
// player.
type Own uint8

const (
	ownPair Own = 4
	ownGame Own = 8
	// Owns is one more than the largest.
	Owns = ownGame + 1
)

// Factor is the weight of the square of a game's own sum.
func (c *Clusters) Factor(own Own) float64 {
	if own == ownGame {
		return 1
	}
	f := float64(own&3) * c.Plan.Factor
	if own&ownPair != 0 {
		f--
	}
	return f
}

// Commonest returns the clusters that most games form alone.
func (c *Clusters) Commonest() Own {
	var games [Owns]int
	for _, own := range c.Own {
		games[own]++
	}
	return Own(slices.Index(games[:], slices.Max(games[:])))
}

// Players is the number of clusters that are no pairs.
func (own Own) Players() int {
	if own == ownGame {
		return 1
	}
	return int(own & 3)
}

// Of returns the clusters of games. Players have numbers from 0 without large gaps. It allocates little
// more than its result and eight bytes a game.
func Of(games []Pair) *Clusters {
	c, of := count(games)
	c.number(games, of, newPairs(games, of, c.Pairs))
	return c
}

// Count counts the players of games, without telling the clusters.
func Count(games []Pair) *Clusters {
	c, _ := count(games)
	return c
}

// Hub reports whether a player is in too many games to be a cluster.
func (c *Clusters) Hub(player int32) bool {
	_, found := slices.BinarySearch(c.Hubs, player)
	return found
}

// count counts the players.
func count(games []Pair) (*Clusters, *players) {
	c := &Clusters{Games: len(games)}
	of := newPlayers(games)
	named := float64(len(games) - of.unnamed)
	var all []int32
	var players int
	var sum, squares float64
	for p, n := range of.games {
		if n > 0 && len(all) <= MostNamed {
			all = append(all, int32(p))
		}
		switch {
		case n == 0:
		case float64(n) > Hub*named:
			of.often[p] = true
			c.Hubs = append(c.Hubs, int32(p))
		default:
			players++
			sum, squares = sum+float64(n), squares+float64(n)*float64(n)
		}
	}
	c.Plan, c.Unnamed = planOf(players, sum, squares), of.unnamed
	if !c.Usable() {
		c.All = all
	}
	return c, of
}

// players are the games of each player, by the player's number.
type players struct {
	games   []int32
	often   []bool // is no cluster
	unnamed int    // games
}

func newPlayers(games []Pair) *players {
	most := int32(-1)
	for _, g := range games {
		most = max(most, g.A, g.B)
	}
	of := &players{games: make([]int32, most+1), often: make([]bool, most+1)}
	for _, g := range games {
		if g.A < 0 || g.B < 0 {
			of.unnamed++
			continue
		}
		of.games[g.A]++
		if g.B != g.A {
			of.games[g.B]++
		}
	}
	return of
}

// nodes returns the players of a game who are clusters, the greater first, and -1 for others.
func (of *players) nodes(g Pair) (a, b int32) {
	if g.A < 0 || g.B < 0 {
		return -1, -1
	}
	if g.A == g.B {
		g.B = -1
	}
	if g.A >= 0 && of.often[g.A] {
		g.A = -1
	}
	if g.B >= 0 && of.often[g.B] {
		g.B = -1
	}
	return max(g.A, g.B), min(g.A, g.B)
}

// pairs are the pairs of players with two games or more, ascending, and the numbers of their clusters.
type pairs struct {
	keys    []uint64
	first   []int32 // by player, the place of the first pair with the player as the greater
	numbers []int32
}

func keyOf(a, b int32) uint64 { return uint64(a)<<32 | uint64(b) }

func newPairs(games []Pair, of *players, wanted bool) *pairs {
	if !wanted {
		games = nil
	}
	keys := make([]uint64, 0, len(games))
	for _, g := range games {
		if a, b := of.nodes(g); b >= 0 {
			keys = append(keys, keyOf(a, b))
		}
	}
	slices.Sort(keys)
	n := 0
	for i, k := range keys {
		if i > 0 && k == keys[i-1] && (n == 0 || keys[n-1] != k) {
			keys[n] = k
			n++
		}
	}
	p := &pairs{keys: slices.Clone(keys[:n]), first: make([]int32, len(of.games)+1), numbers: make([]int32, n)}
	for i, k := range p.keys {
		p.numbers[i] = -1
		p.first[k>>32+1] = int32(i + 1)
	}
	for i := range p.first[1:] {
		p.first[i+1] = max(p.first[i+1], p.first[i])
	}
	return p
}

// find returns the place of a pair; -1: it has one game.
func (p *pairs) find(a, b int32) int32 {
	from, to := p.first[a], p.first[a+1]
	at, found := slices.BinarySearch(p.keys[from:to], keyOf(a, b))
	if !found {
		return -1
	}
	return from + int32(at)
}

// number gives every cluster of two games or more its number, in the order of the games.
func (c *Clusters) number(games []Pair, of *players, both *pairs) {
	c.Own, c.Of = make([]Own, len(games)), make([][3]int32, len(games))
	numbers := slices.Repeat([]int32{-1}, len(of.games))
	for i, g := range games {
		c.Of[i] = [3]int32{-1, -1, -1}
		a, b := of.nodes(g)
		if a < 0 {
			c.Own[i] = ownGame // of no player: a cluster by itself
			continue
		}
		for j, p := range [2]int32{a, b} {
			switch {
			case p < 0:
			case of.games[p] == 1:
				c.Own[i]++
			default:
				c.Of[i][j] = c.numberOf(&numbers[p], c.Plan.Factor)
			}
		}
		if b < 0 || !c.Pairs {
			continue
		}
		if p := both.find(a, b); p < 0 {
			c.Own[i] |= ownPair
		} else {
			c.Of[i][2] = c.numberOf(&both.numbers[p], -1)
		}
	}
}

// numberOf returns the number of a cluster, the next one if it has none yet.
func (c *Clusters) numberOf(n *int32, factor float64) int32 {
	if *n < 0 {
		*n = int32(len(c.Sums))
		c.Sums = append(c.Sums, factor)
	}
	return *n
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
