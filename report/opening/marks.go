package opening

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// marks has four bytes a game: a bit for each of up to mostMarks moves, set if the game has it, and above them the
// game's outcome. The positions are read once for all of the moves.
type marks struct {
	of  []uint32
	odd atomic.Bool // there are positions of games that are not in the games
}

// mostMarks is the greatest number of moves.
const mostMarks = 30

// mark finds the games that have moves of the tree.
func (s *stream) mark(ctx context.Context, moves []moveKey) (*marks, error) {
	bits, last := s.asStored(moves), int64(0)
	for _, m := range moves {
		last = max(last, m.ply)
	}
	all := &marks{of: make([]uint32, len(s.games.dates))}
	columns := []string{"game_id", "ply", "hash", "first_to_move", "move", "result", "first_elo", "second_elo"}
	err := s.read(ctx, columns, visitor{row: func(_ *tables, a *stand) {
		if a.at.ply > last || !a.moved || a.outcome == unfinished {
			return
		}
		switch bit := bits[moveKey{a.at, a.move}]; {
		case bit == 0:
		case a.game < 0 || a.game >= int64(len(all.of)):
			all.odd.Store(true)
		default: // two workers may have rows of one game
			atomic.OrUint32(&all.of[a.game], bit|uint32(a.outcome)<<mostMarks)
		}
	}})
	return all, err
}

// asStored returns the bits of moves as the rows have them: in mirror images and rotations, too.
func (s *stream) asStored(moves []moveKey) map[moveKey]uint32 {
	bits := map[moveKey]uint32{}
	for i, m := range moves {
		bits[m] |= 1 << i
	}
	if s.forms == nil {
		return bits
	}
	turned := map[moveKey]uint32{}
	for stored, class := range s.forms.class {
		as, _ := s.forms.shownAs(s.tree, stored.spot)
		if bit := bits[s.forms.text(moveKey{as, class})]; bit != 0 {
			turned[stored] = bit
		}
	}
	return turned
}

// halvesOf returns the halves of a point of the mover in each game that has a move; -1 of others.
func (m *marks) halvesOf(move int, first bool) func(game int64) int64 {
	return func(game int64) int64 {
		if game < 0 || game >= int64(len(m.of)) || m.of[game]>>move&1 == 0 {
			return -1
		}
		return (&stand{outcome: uint8(m.of[game] >> mostMarks), first: first}).halves()
	}
}

// spread has the sums that the headline's query would take: of games, of points and their squares, and by player.
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
	game int64
}

// headline sums up the games that have a move by player, as clusters.sql does.
func (m *marks) headline(games []pairOf, names *dyads.Names, move int, first bool) *spread {
	halvesOf, of := m.halvesOf(move, first), &spread{}
	for game := range int64(len(m.of)) {
		if h := halvesOf(game); h >= 0 {
			p := float64(h) / 2
			of.Games, of.Points, of.Squares = of.Games+1, of.Points+p, of.Squares+p*p
		}
	}
	pairs, u, sizes := m.deviations(games, move, first, of.Points/float64(of.Games))
	clusters := dyads.Of(pairs)
	if of.Known = sheet.KnownOf(clusters, names); of.Usable() {
		of.Variance, of.Sizes = clusters.Variance(u, sizes, float64(of.Games))
	}
	return of
}

// deviations returns who played the games that have a move, and by what their points differ from the score.
func (m *marks) deviations(games []pairOf, move int, first bool, score float64) (pairs []dyads.Pair, u, sizes []float64) {
	halvesOf := m.halvesOf(move, first)
	for _, g := range games {
		if h := halvesOf(g.game); h >= 0 {
			pairs, u, sizes = append(pairs, g.Pair), append(u, float64(h)/2-score), append(sizes, 1)
		}
	}
	return pairs, u, sizes
}

// pairs lists the games of two known players that have any of the moves, in their order. A circle of aliases is left to
// the query, which breaks it somewhere.
func (s *stream) pairs(ctx context.Context, names *dyads.Names, m *marks) (games []pairOf, err error) {
	err = sheet.EachPair(ctx, s.games.dir, s.p.Workers, "opening: players", names, errApart, func(game int64) bool { return game < int64(len(m.of)) && m.of[game] != 0 },
		func(game int64, of dyads.Pair) {
			games = append(games, pairOf{dyads.Pair{A: min(of.A, of.B), B: max(of.A, of.B)}, game})
		})
	return games, err
}

// SQL writes a number.
func (*spread) SQL(v float64) string {
	if math.IsNaN(v) {
		return "NULL::DOUBLE"
	}
	return fmt.Sprintf("%.17e::DOUBLE", v)
}
