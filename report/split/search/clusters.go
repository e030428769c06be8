package search

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/internal/dyads"
	"kifu/internal/splitmix"
	"kifu/report/sheet"
	"kifu/schemas"
)

// Games that depend on each other. Copies of a game, and games of the same two players from one opening, such as a pair of an
// engine match, count as one game in the tests. Games that share a player are clusters (package dyads), if
// that makes errors larger.
//
// Scores are summed by three kinds of groups, each by a hash, one after the other: of games, of
// players, and of pairs of players. Groups of players replace players: two in one group share nothing,
// except their games with each other.
const (
	playerGroups = FlipGroups
	pairGroups   = FlipGroups
	allGroups    = FlipGroups + playerGroups + pairGroups
)

// clusters are the groups of the games.
type clusters struct {
	bygame.Index
	copies  *bygame.Copies
	of      [][4]int16   // of each game, by row: its own, its players' and its pair's; -1 without one
	players bool         // there are players enough to be clusters
	who     *sheet.Known // nil: unknown
	way     string       // one of dyads.Ways
	seed    uint64
}

// groups returns the groups of a game, the first its own.
func (c *clusters) groups(id int64) [4]int16 {
	if row := c.Row(id); row >= 0 {
		return c.of[row]
	}
	return [4]int16{c.group(uint64(c.copies.Head(id)), 0, FlipGroups), -1, -1, -1}
}

func (c *clusters) group(key uint64, from, n int) int16 {
	return int16(from) + int16(splitmix.Hash(c.seed^flipSeed, int64(key))%uint64(n))
}

// count is the number of groups that there are.
func (c *clusters) count() int {
	if c.players {
		return allGroups
	}
	return FlipGroups
}

// newClusters finds the copies among the games of labels, and reads who played in games; without any, games are independent of
// each other.
func newClusters(ctx context.Context, p Params, labels, games *datasets.Dir) (*clusters, error) {
	c := &clusters{way: dyads.Way(p.Cluster), seed: p.Seed}
	if games != nil {
		if err := games.Want(schemas.Games.Name); err != nil {
			return nil, err
		}
		labels = nil // the moves of the games identify copies
	}
	var err error
	if c.copies, err = bygame.CopiesOf(ctx, labels, games, "splits: copies", bygame.CopiesMemory); err != nil || games == nil || c.way == dyads.ByGame {
		return c, err
	}
	n := games.Rows()
	ids, pairs, openings := make([]int64, 0, n), make([]dyads.Pair, 0, n), make([]uint64, 0, n)
	names := dyads.NewNames(p.Aliases)
	read := []string{"game_id", "first_player", "second_player", "start_position", "moves"}
	err = datasets.Scan(ctx, games, "splits: players", "games", read, func(_ datasets.Group, batch *columns.Batch) error {
		ids = append(ids, batch.Col("game_id").Int64...)
		for row := range batch.Rows {
			first, err := numberOf(names, batch.Col("first_player"), row)
			second, err2 := numberOf(names, batch.Col("second_player"), row)
			if err := cmp.Or(err, err2); err != nil {
				return fmt.Errorf("%s: %w", games.Path, err)
			}
			pairs, openings = append(pairs, dyads.Pair{A: first, B: second}), append(openings, openingOf(batch, row))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	of := dyads.Count(pairs)
	known := sheet.KnownOf(of, names)
	c.players, c.who = of.Usable(), &known
	c.of = make([][4]int16, len(ids))
	for i, id := range ids {
		c.of[i] = c.groupsOf(id, pairs[i], openings[i], func(player int32) bool { return player >= 0 && !of.Hub(player) })
		if !of.Pairs {
			c.of[i][3] = -1 // few players are left out one at a time
		}
	}
	c.Add(0, ids)
	c.Sort()
	return c, nil
}

// groupsOf are the groups of a game; who plays too often is no cluster.
func (c *clusters) groupsOf(id int64, pair dyads.Pair, opening uint64, counts func(player int32) bool) [4]int16 {
	low, high := min(pair.A, pair.B), max(pair.A, pair.B)
	own := uint64(c.copies.Head(id))
	if low >= 0 {
		own = splitmix.Mix(splitmix.Mix(opening+uint64(low)) + uint64(high))
	}
	groups := [4]int16{c.group(own, 0, FlipGroups), -1, -1, -1}
	one, other := -1, -1
	if low >= 0 && counts(low) {
		one = int(c.group(uint64(low), FlipGroups, playerGroups))
	}
	if low >= 0 && high != low && counts(high) {
		other = int(c.group(uint64(high), FlipGroups, playerGroups))
	}
	switch {
	case one < 0 && other < 0:
		groups[1] = c.group(own, FlipGroups, playerGroups) // a cluster of its own
	case one < 0 || other < 0 || one == other:
		groups[1] = int16(max(one, other))
	default:
		groups[1], groups[2] = int16(one), int16(other)
		groups[3] = c.group(uint64(low)<<32|uint64(high), FlipGroups+playerGroups, pairGroups)
	}
	return groups
}

// openingPlies is the length of the opening that identifies pairs of games.
const openingPlies = 8

// openingOf is the start of a game: its position and first moves.
func openingOf(b *columns.Batch, row int) uint64 {
	h := fnv.New64a()
	if v := b.Col("start_position"); !v.IsNull(row) {
		h.Write(v.Value(row))
	}
	moves := b.Col("moves").Value(row)
	h.Write([]byte{0})
	h.Write(moves[:min(len(moves), 2*openingPlies)])
	return h.Sum64()
}

// numberOf numbers the player in a row; -1 is an unknown player.
func numberOf(names *dyads.Names, v *columns.Vec, row int) (int32, error) {
	if v.IsNull(row) || len(bytes.TrimSpace(v.Value(row))) == 0 {
		return -1, nil
	}
	return names.Number(string(v.Value(row)))
}

// clustered is the scores of conditions by groups, as lines of a matrix.
type clustered struct {
	scores *mat.Dense
	lines  []int // names of the lines: the numbers of their groups
	way    string
}

// part are the lines of a kind of groups.
func (k clustered) part(from, to int) (lines []int) {
	for i, g := range k.lines {
		if g >= from && g < to {
			lines = append(lines, i)
		}
	}
	return lines
}

// squares returns the sums of the squares of each condition over lines.
func (k clustered) squares(lines []int) []float64 {
	_, n := k.scores.Dims()
	sum := make([]float64, n)
	for _, i := range lines {
		for c, u := range k.scores.RawRowView(i) {
			sum[c] += u * u
		}
	}
	return sum
}

// degrees returns the degrees of freedom of the sums of squares over lines: 2E²/Var of such a
// sum (Satterthwaite 1946). The lines' own fourth powers replace the scores', which are 3σ⁴ if
// normal. For n equal normal lines it is n, for one that outweighs all others 3; for fewer than
// dyads.Many lines it is n-1.
func (k clustered) degrees(lines []int) []float64 {
	df, fourth := k.squares(lines), make([]float64, k.scores.RawMatrix().Cols)
	for _, i := range lines {
		for c, u := range k.scores.RawRowView(i) {
			fourth[c] += u * u * u * u
		}
	}
	for c, squares := range df {
		if squares > 0 {
			df[c] = 3 * squares * squares / fourth[c]
		}
		if n := len(lines); n < dyads.Many { // fourth powers of so few are unreliable
			df[c] = float64(max(1, n-1))
		}
	}
	return df
}

// sums returns the sums of the scores over all games.
func (k clustered) sums() []float64 {
	_, n := k.scores.Dims()
	sum := make([]float64, n)
	for _, i := range k.part(0, FlipGroups) {
		for c, u := range k.scores.RawRowView(i) {
			sum[c] += u
		}
	}
	return sum
}

// matters is how much larger variances by player have to be in the median for players to
// be clusters: variances by few games differ by chance.
const matters = 1.1

// variances returns the variances of the sums: by game or, where players matter, the larger of those by game
// and by player; and the lines whose signs are drawn.
func (k clustered) variances() (variance []float64, flipped []int, byPlayer bool) {
	games := k.part(0, FlipGroups)
	variance, flipped = k.squares(games), games
	players := k.part(FlipGroups, FlipGroups+playerGroups)
	if len(players) == 0 {
		return variance, flipped, false
	}
	by, pairs := k.squares(players), k.part(FlipGroups+playerGroups, allGroups)
	if len(pairs) == 0 && len(players) > 1 { // the jackknife of players
		n := float64(len(players))
		if n /= n - 1; len(players) < dyads.Many { // scores are not divided by one less a player's share of them
			n = math.Pow(float64(len(players))/float64(len(players)-2), 2) / n
		}
		floats.Scale(n, by)
	}
	var ratios []float64
	for c, pair := range k.squares(pairs) {
		v := variance[c]
		if by[c] -= pair; v > 0 {
			ratios = append(ratios, by[c]/v)
		}
	}
	slices.Sort(ratios)
	if len(ratios) == 0 || k.way != dyads.ByPlayer && ratios[len(ratios)/2] < matters {
		return variance, flipped, false
	}
	for c := range variance {
		if k.way == dyads.ByPlayer && by[c] > 0 {
			variance[c] = by[c]
		}
		variance[c] = math.Max(variance[c], by[c])
	}
	return variance, players, true
}
