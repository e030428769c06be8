package opening

import (
	"context"
	"sync/atomic"

	"kifu/datasets/bygame"
	"kifu/internal/dyads"
	"kifu/schemas"
)

// marks has four bytes a row of games: a bit for each of up to mostMarks moves, set if the game has it, and above them the
// game's outcome. The positions are read once for all of the moves.
type marks []uint32

// mostMarks is the greatest number of moves.
const mostMarks = 30

// mark finds the games that have moves of the tree.
func (s *stream) mark(ctx context.Context, moves []moveKey) (marks, error) {
	bits, last := s.asStored(moves), int64(0)
	for _, m := range moves {
		last = max(last, m.ply)
	}
	all := make(marks, len(s.record.dates))
	err := s.read(ctx, rowsRead, visitor{row: func(_ *tables, a *rowAt) {
		if a.at.ply > last || !a.moved || a.outcome == schemas.Unfinished {
			return
		}
		if bit := bits[moveKey{a.at, a.move}]; bit != 0 {
			if row := s.record.Row(a.game); row >= 0 { // two workers may have rows of one game
				atomic.OrUint32(&all[row], bit|uint32(a.outcome)<<mostMarks)
			}
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

// pairOf is a game of two players, by number.
type pairOf struct {
	dyads.Pair
	row int64 // of games
}

// deviations returns who played the games that have a move, and by what their points differ from the score.
func (m marks) deviations(games []pairOf, move int, first bool, score float64) (pairs []dyads.Pair, u, sizes []float64) {
	for _, g := range games {
		if m[g.row]>>move&1 != 0 {
			points := float64((&rowAt{outcome: schemas.Outcome(m[g.row] >> mostMarks), first: first}).halves()) / 2
			pairs, u, sizes = append(pairs, g.Pair), append(u, points-score), append(sizes, 1)
		}
	}
	return pairs, u, sizes
}

// pairs lists the games of two known players that have any of the moves, in their order.
func (s *stream) pairs(ctx context.Context, names *dyads.Names, m marks) (games []pairOf, err error) {
	err = bygame.EachPair(ctx, s.record.dir, s.Params.Workers, "opening: players", names, func(row int64) bool { return m[row] != 0 },
		func(row int64, of dyads.Pair) {
			games = append(games, pairOf{dyads.Pair{A: min(of.A, of.B), B: max(of.A, of.B)}, row})
		})
	return games, err
}
