package othello

import (
	"strconv"
	"strings"
	"testing"

	"kifu/games"
	"kifu/games/gametest"
)

// endings returns positions of random games with that many empty squares.
func endings(empties, n int) (all []Position) {
	for seed := uint64(0); len(all) < n; seed++ {
		gametest.Random(Start(), 80, seed, func(p Position, _ []games.Move) {
			if p.Empty().Count() == empties && p.Outcome() == games.Undecided && len(all) < n {
				all = append(all, p)
			}
		})
	}
	return all
}

// minimax is what Solve is defined to be, by playing everything out.
func minimax(p Position) int {
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		black, white := p.Discs(Black).Count(), p.Discs(White).Count()
		switch {
		case black > white:
			return 64 - 2*white
		case black < white:
			return 2*black - 64
		}
		return 0
	}
	best := -65
	sign := int(p.side.Sign())
	for _, m := range moves {
		best = max(best, sign*minimax(p.Play(m)))
	}
	return sign * best
}

func TestSolveIsMinimax(t *testing.T) {
	for empties := range 9 {
		positions := endings(max(empties, 1), 40)
		for _, p := range positions {
			if got, want := Solve(p), minimax(p); got != want {
				t.Fatalf("%s: %d, want %d", Rules{}.AppendPosition(nil, p), got, want)
			}
		}
	}
	if got := Solve(read(t, strings.Repeat("X", 33)+strings.Repeat("O", 31)+" O")); got != 2 {
		t.Errorf("a full board: %d", got)
	}
	if got := Solve(read(t, "XX"+strings.Repeat("-", 62)+" O")); got != 64 {
		t.Errorf("a wipe-out: %d", got)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, empties := range []int{10, 12, 14} {
		b.Run(strconv.Itoa(empties), func(b *testing.B) {
			positions := endings(empties, 64)
			i := 0
			for b.Loop() {
				Solve(positions[i&63])
				i++
			}
		})
	}
}
