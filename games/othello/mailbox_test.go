package othello

import (
	"os"
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// board is Othello the slow and obvious way: a letter a square, rays walked step by step.
type board [64]byte

func newBoard(t *testing.T, p Position) (b board, mover, other byte) {
	t.Helper()
	text := string(Rules{}.AppendPosition(nil, p))
	copy(b[:], text)
	mover = text[65]
	return b, mover, 'X' + 'O' - mover
}

// turned returns the squares that turn when mover moves to s.
func (b *board) turned(s int, mover, other byte) (all []int) {
	if b[s] != '-' {
		return nil
	}
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			var run []int
			for x, y := s%8+dx, s/8+dy; x >= 0 && x < 8 && y >= 0 && y < 8; x, y = x+dx, y+dy {
				if c := b[y*8+x]; c == other && (dx != 0 || dy != 0) {
					run = append(run, y*8+x)
					continue
				} else if c == mover {
					all = append(all, run...)
				}
				break
			}
		}
	}
	return all
}

func (b *board) moves(mover, other byte) (all []int) {
	for s := range b {
		if len(b.turned(s, mover, other)) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// TestAgainstMailbox compares moves, passes, ends and the boards after every move with
// the slow generator.
func TestAgainstMailbox(t *testing.T) {
	passes, ends, early := 0, 0, 0
	for seed := range uint64(150) {
		gametest.Random(Start(), 80, seed, func(p Position, _ []games.Move) {
			b, mover, other := newBoard(t, p)
			want := b.moves(mover, other)
			got := p.AppendMoves(nil)
			if len(want) == 0 {
				theirs := len(b.moves(other, mover)) > 0
				if pass := len(got) == 1 && got[0] == Pass; pass != theirs || !theirs && len(got) > 0 {
					t.Fatalf("%s: moves %v where nothing can be played", b, got)
				}
				if theirs {
					passes++
					return
				}
				ends++
				if p.Empty() != 0 {
					early++
				}
				difference := strings.Count(string(b[:]), "X") - strings.Count(string(b[:]), "O")
				if o := p.Outcome(); o != [3]games.Outcome{games.SecondWins, games.Drawn, games.FirstWins}[sign(difference)+1] {
					t.Fatalf("%s: outcome %q with %d more black discs", b, o, difference)
				}
				return
			}
			if len(got) != len(want) {
				t.Fatalf("%s: moves %v, want to squares %v", b, got, want)
			}
			for i, s := range want {
				after := b
				for _, turned := range append(b.turned(s, mover, other), s) {
					after[turned] = mover
				}
				text := string(after[:]) + " " + string(other)
				if next := string(Rules{}.AppendPosition(nil, p.Play(got[i]))); next != text {
					t.Fatalf("%s: after %s\n%s\nwant\n%s", b, Square(s), next, text)
				}
			}
		})
	}
	if passes == 0 || ends < 100 || early == 0 {
		t.Errorf("%d passes, %d ends, %d of them early: too few to tell anything", passes, ends, early)
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// TestDistinctPositions: the positions after one to five plies, and those that no
// turning or mirroring of the board makes equal.
func TestDistinctPositions(t *testing.T) {
	level := map[Position]bool{Start(): true}
	want := [][2]int{{4, 1}, {12, 3}, {54, 14}, {236, 60}, {1288, 322}}
	for ply, w := range want {
		next := map[Position]bool{}
		for p := range level {
			for _, m := range p.AppendMoves(nil) {
				next[p.Play(m)] = true
			}
		}
		classes := map[string]bool{}
		for p := range next {
			classes[leastImage(p)] = true
		}
		if len(next) != w[0] || len(classes) != w[1] {
			t.Errorf("after %d plies %d positions, %d up to symmetry; want %v", ply+1, len(next), len(classes), w)
		}
		level = next
	}
}

// leastImage returns the least of the texts of p's eight images.
func leastImage(p Position) string {
	images := gametest.Images(string(Rules{}.AppendPosition(nil, p)), 8)
	return slices.Min(images[:])
}

// TestPerftWithEnds counts as the published tables do: a game that has ended, 228 times
// after nine plies for the first time, stays one leaf at every greater depth.
func TestPerftWithEnds(t *testing.T) {
	depths := map[int]uint64{9: 3005288, 10: 24571284}
	if os.Getenv("KIFU_PERFT") == "full" {
		depths[11], depths[12] = 212258800, 1939886636
	}
	for depth, want := range depths {
		if got := perftWithEnds(Start(), depth); got != want {
			t.Errorf("%d leaves at depth %d, want %d", got, depth, want)
		}
	}
}

func perftWithEnds(p Position, depth int) (n uint64) {
	moves := p.AppendMoves(make([]games.Move, 0, 32))
	if len(moves) == 0 {
		return 1
	}
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		n += perftWithEnds(p.Play(m), depth-1)
	}
	return n
}
