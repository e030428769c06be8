package draughts

import (
	"testing"

	"kifu/games"
	"kifu/games/draughts"
)

// The results for all squares at once equal those of takers square by square, and a man
// runs when no foe is in the cone ahead of it.
func TestSetsAreSquares(t *testing.T) {
	for _, r := range all {
		m := newMasks(r)
		for _, p := range positions(t, r) {
			for side := games.First; side <= games.Second; side++ {
				var counts [slots]int16
				v := view{masks: &m, counts: &counts, sign: 1}
				v.look(p, side)
				if got, want := v.attackable(v.own), oneByOne(v.own, func(at draughts.Bitboard) bool {
					return v.takes(at, v.foe, at&v.kings != 0, false, v.empty)
				}); got != want {
					t.Fatalf("%s: %v can be taken, want %v", r.AppendPosition(nil, p), got, want)
				}
				for d := draughts.UpLeft; d <= draughts.DownRight; d++ {
					to := v.own.Step(d) & v.empty
					if got, want := v.taken(to, d), oneByOne(to, func(at draughts.Bitboard) bool {
						return v.takes(at, v.foe, at.Back(d)&v.kings != 0, false, v.empty&^at|at.Back(d))
					}); got != want {
						t.Fatalf("%s: %v are taken in direction %d, want %v", r.AppendPosition(nil, p), got, d, want)
					}
				}
				v.runaways()
				runs := oneByOne(v.own&^v.kings, func(at draughts.Bitboard) bool { return v.foe&v.kings == 0 && cone(&v, at)&v.foe == 0 })
				if got := counts[runaway] + counts[runaway+1] + counts[runaway+2]; int(got) != runs.Count() {
					t.Fatalf("%s: %d men run, want %d", r.AppendPosition(nil, p), got, runs.Count())
				}
			}
		}
	}
}

// oneByOne returns the part of a set for whose squares is holds.
func oneByOne(set draughts.Bitboard, is func(at draughts.Bitboard) bool) (found draughts.Bitboard) {
	for ; set != 0; set = set.Rest() {
		if at := set.First().Bit(); is(at) {
			found |= at
		}
	}
	return found
}

// cone returns every square that the man at a square could come to.
func cone(v *view, at draughts.Bitboard) (all draughts.Bitboard) {
	for at != 0 {
		at = (at.Step(draughts.UpLeft) | at.Step(draughts.UpRight)) & v.board
		all |= at
	}
	return all
}
