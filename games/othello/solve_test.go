package othello

import (
	"strconv"
	"strings"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
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

// minimax is the definition of Solve, by playing everything out.
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

// TestSolveAgainstOtherPrograms: the last moves of games in which two programs reported the
// same exact score at every move until the end.
func TestSolveAgainstOtherPrograms(t *testing.T) {
	const random = "8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- *"
	for _, c := range []struct {
		about, start, moves string
		want                int
	}{
		{"Saio3000–Saio1200, GGS, 15 December 2003", "", "d3 c5 e6 d2 c3 e3 f3 f5 f6 c2 f4 c4 c1 g4 g3 g5 h5 e1 b6 b5 h4 e2 f2 d7 e7 f1 d6 c6 c8 a6 b4 a5 b3 c7 g6 a4 g2 h1 g1 f8 e8 f7 d8 b8 d1 h6 g7 b1 b2 a3 a1 h2 a2 h3 a7 h7 h8 g8 a8 b7", 2},
		{"edax–Roxane, GGS, 1 July 2009", random, "f1 c5 d6 b6 f5 d7 b5 f3 e2 a5 e7 c7 f6 a3 d8 g5 g6 f8 f7 h6 a6 a7 b3 g4 f2 c8 h3 h4 b8 a2 g3 g8 b2 a1 b1 g2 h5 g1 h1 h2 e8 a8 b7 g7 h7 h8", -10},
		{"Roxane–edax, GGS, 1 July 2009", random, "f1 c5 d6 b6 f5 d7 g3 f6 b5 g5 g4 f3 a7 b2 b3 a5 a6 a3 f2 b1 e2 h4 f7 e7 c8 a8 c7 h3 g6 b8 b7 d8 h5 g1 e8 g2 a1 a2 h1 h2 pa f8 g7 h8 h7 h6 g8", -10},
	} {
		p, _, err := Rules{}.Start("", c.start)
		if err != nil {
			t.Fatal(err)
		}
		solved := 0
		for _, text := range strings.Fields(c.moves) {
			if p.Empty().Count() <= 12 {
				solved++
				if got := Solve(p); got != c.want {
					t.Errorf("%s: %d before %s, want %d", c.about, got, text, c.want)
				}
			}
			m, err := Rules{}.ParseMove(p, []byte(text))
			if err != nil {
				t.Fatalf("%s: %s: %v", c.about, text, err)
			}
			p = p.Play(m)
		}
		if solved < 12 {
			t.Errorf("%s: %d positions", c.about, solved)
		}
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
