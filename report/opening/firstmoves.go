package opening

import (
	"context"
	"fmt"
	"math"
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
	sheet.Known
	Variance float64 // by player, if there are enough
	Sizes    dyads.Sizes
}

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
	of.players(games, names)
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

// players sets what is by player.
func (of *spread) players(games []pairOf, names *dyads.Names) {
	pairs, u, sizes := make([]dyads.Pair, len(games)), make([]float64, len(games)), make([]float64, len(games))
	for i, g := range games {
		pairs[i], u[i], sizes[i] = g.Pair, float64(g.halves)/2-of.Points/float64(of.Games), 1
	}
	clusters := dyads.Of(pairs)
	if of.Known = sheet.KnownOf(clusters, names); of.Usable() {
		of.Variance, of.Sizes = clusters.Variance(u, sizes, float64(of.Games))
	}
}

// SQL writes a number.
func (*spread) SQL(v float64) string {
	if math.IsNaN(v) {
		return "NULL::DOUBLE"
	}
	return fmt.Sprintf("%.17e::DOUBLE", v)
}
