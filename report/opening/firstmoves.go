package opening

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// firstMoves has the first move of every game with a result, 4 bytes a game, so that the headline's
// games need not be looked for again.
type firstMoves struct {
	mu   sync.Mutex
	at   map[firstMove]uint32
	keys []firstMove
	of   []uint32 // by game: number of the move in keys from 1, and two bits for the mover's halves of a point
	odd  bool     // there are positions of games that are not in the games
}

// firstMove is a move as it was played; when the tree is known, as it is shown.
type firstMove struct {
	start uint64
	move  uint32
}

// note notes the first row of a game.
func (f *firstMoves) note(a *stand) {
	halves := a.halves()
	if f == nil || a.at.ply != 0 || !a.moved || halves < 0 {
		return
	}
	key := firstMove{a.at.hash, a.move}
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.at[key]
	if !ok {
		f.keys = append(f.keys, key)
		n = uint32(len(f.keys))
		f.at[key] = n
	}
	if a.game < 0 || a.game >= int64(len(f.of)) {
		f.odd = true
		return
	}
	f.of[a.game] = n<<2 | uint32(halves)
}

// turn writes the moves as they are shown.
func (f *firstMoves) turn(t *tree, forms *merged) {
	for i, k := range f.keys {
		as, shown := forms.shownAs(t, spot{0, k.start})
		if shown {
			move := forms.text(moveKey{as, forms.class[moveKey{spot{0, k.start}, k.move}]}).move
			f.keys[i] = firstMove{as.hash, move}
		}
	}
}

// halvesOf returns the halves of a point of the mover in each game that begins so; -1 of others.
func (f *firstMoves) halvesOf(start uint64, move uint32) func(game int64) int {
	begins := make([]bool, len(f.keys)+1)
	for i, k := range f.keys {
		begins[i+1] = k == firstMove{start, move}
	}
	return func(game int64) int {
		if game < 0 || game >= int64(len(f.of)) || !begins[f.of[game]>>2] {
			return -1
		}
		return int(f.of[game] & 3)
	}
}

// spread is what the headline's query needs, summed up already: games, points, their squares, and by player
// what it says of clusters.
type spread struct {
	Games           int64
	Points, Squares float64
	Enough          bool // players to be clusters
	Players         int64
	Alike           float64 // effective number of them, see dyads
	Variance        float64 // by player
	Effective       float64 // number of clusters
}

// cluster is a set of games: how many, and their halves of a point.
type cluster struct{ games, halves int64 }

func (c *cluster) add(halves int64) { c.games, c.halves = c.games+1, c.halves+halves }

// pairOf is a game of two players, by number.
type pairOf struct {
	dyads.Pair
	halves int64
}

// headline sums up the games that begin with a move by player, as clusters.sql does. It is nil where the query has to be asked.
func (s *stream) headline(ctx context.Context, start uint64, move string, aliases []dyads.Alias) (*spread, error) {
	f := s.firsts
	if f == nil || f.odd {
		return nil, nil
	}
	halvesOf := f.halvesOf(start, s.texts.number(move))
	of := &spread{}
	for game := range int64(len(f.of)) {
		if h := halvesOf(game); h >= 0 {
			p := float64(h) / 2
			of.Games, of.Points, of.Squares = of.Games+1, of.Points+p, of.Squares+p*p
		}
	}
	names := dyads.NewNames(aliases)
	games, err := s.pairs(ctx, names, halvesOf)
	if err != nil {
		return nil, apart(err)
	}
	of.players(games)
	return of, nil
}

// pairs lists the games of two known players, in their order. A circle of aliases is left to the query, which
// breaks it somewhere.
func (s *stream) pairs(ctx context.Context, names *dyads.Names, halvesOf func(int64) int) (games []pairOf, err error) {
	err = sheet.EachPair(ctx, s.games.dir, s.p.Workers, "opening: players", names, errApart, func(game int64) bool { return halvesOf(game) >= 0 },
		func(game int64, of dyads.Pair) {
			games = append(games, pairOf{dyads.Pair{A: min(of.A, of.B), B: max(of.A, of.B)}, int64(halvesOf(game))})
		})
	return games, err
}

// players sets what is by player; it changes the order of the games.
func (of *spread) players(games []pairOf) {
	var all []cluster // by player
	for _, g := range games {
		for len(all) <= int(g.B) {
			all = append(all, cluster{})
		}
		all[g.A].add(g.halves)
		if g.B != g.A {
			all[g.B].add(g.halves)
		}
	}
	often := func(player int32) bool { return float64(all[player].games) > dyads.Frequent*float64(len(games)) }
	var n, nn float64
	for i, c := range all {
		if c.games > 0 && !often(int32(i)) {
			of.Players++
			n, nn = n+float64(c.games), nn+float64(c.games*c.games)
		}
	}
	if of.Players == 0 || n*n/nn < dyads.Least {
		of.Players = 0
		return
	}
	of.Enough, of.Alike = true, n*n/nn
	var sizes, squares float64 // of clusters that are no pairs
	add := func(c cluster, sign float64) {
		u := (float64(c.halves)/2 - float64(of.Points/float64(of.Games)*float64(c.games))) / (1 - min(0.99, float64(c.games)/float64(of.Games))) / float64(of.Games)
		of.Variance += float64(sign * u * u)
		if sign > 0 {
			sizes, squares = sizes+float64(c.games), squares+float64(c.games*c.games)
		}
	}
	for i, c := range all {
		if c.games > 0 && !often(int32(i)) {
			add(c, 1)
		}
	}
	slices.SortFunc(games, func(a, b pairOf) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.halves, b.halves))
	})
	for from, to := 0, 0; from < len(games); from = to {
		pair, c := games[from].Pair, cluster{}
		for ; to < len(games) && games[to].Pair == pair; to++ {
			c.add(games[to].halves)
		}
		switch {
		case often(pair.A) && often(pair.B):
			for _, g := range games[from:to] {
				add(cluster{1, g.halves}, 1)
			}
		case pair.A != pair.B && !often(pair.A) && !often(pair.B):
			add(c, -1)
		}
	}
	of.Effective = sizes * sizes / squares
}

// SQL writes a number.
func (*spread) SQL(v float64) string {
	if math.IsNaN(v) {
		return "NULL::DOUBLE"
	}
	return fmt.Sprintf("%.17e::DOUBLE", v)
}
