package weiqi

import (
	"strings"
	"testing"

	"kifu/games"
)

// Numbers of legal positions, John Tromp, "Number of legal Go positions",
// tromp.github.io/go/legal.html: each can be reached by play.
var legalPositions = map[int]int{2: 57, 3: 12675}

// TestLegalPositions plays all moves from the empty board, whoever's turn it is, and
// counts the boards that come up.
func TestLegalPositions(t *testing.T) {
	for size, want := range legalPositions {
		seen := map[[2]Bitboard]bool{}
		todo := []Position{New(size, Unnamed, 0)}
		seen[todo[0].stones] = true
		for len(todo) > 0 {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			p.ko = noPoint
			for _, side := range []games.Side{Black, White} {
				p.side = side
				for _, m := range p.AppendMoves(nil) {
					next := p.Play(m)
					if !seen[next.stones] {
						seen[next.stones] = true
						todo = append(todo, next)
					}
				}
			}
		}
		if len(seen) != want {
			t.Errorf("%d boards of %d lines, want %d", len(seen), size, want)
		}
	}
}

// Of the 3^(n*n) boards, ParsePosition takes the legal ones.
func TestParsePositionTakesLegalBoards(t *testing.T) {
	for size, want := range legalPositions {
		n, all := 0, 1
		for range size * size {
			all *= 3
		}
		for code := range all {
			var rows []string
			for c, row := code, 0; row < size; row++ {
				text := ""
				for range size {
					text += []string{".", "X", "O"}[c%3]
					c /= 3
				}
				rows = append(rows, text)
			}
			if _, err := (Rules{}).ParsePosition(strings.Join(rows, "/") + " b"); err == nil {
				n++
			}
		}
		if n != want {
			t.Errorf("%d boards of %d lines are read, want %d", n, size, want)
		}
	}
}

// The value of the board of 2×2 by area under positional superko is one point for Black:
// John Tromp, "Solving 2x2 Go".
func TestTwoByTwoIsWorthOnePoint(t *testing.T) {
	r := &replay{}
	nodes := 0
	var value func(alpha, beta int) int
	value = func(alpha, beta int) int {
		nodes++
		p := r.now
		if p.ended() {
			return p.Count() / 100 * int(p.side.Sign())
		}
		moves := p.AppendMoves(nil)
		for i := len(moves) - 1; i >= 0; i-- { // the pass first: it cuts most
			m := moves[i]
			if m != Pass && r.Repeats(m) {
				continue
			}
			r.Play(m)
			v := -value(-beta, -alpha)
			r.now, r.boards, r.sides = p, r.boards[:len(r.boards)-1], r.sides[:len(r.sides)-1]
			if alpha = max(alpha, v); alpha >= beta {
				break
			}
		}
		return alpha
	}
	r.Reset(New(2, TrompTaylor, 0))
	if v := value(-5, 5); v != 1 {
		t.Errorf("Black's best result is %d points, want 1", v)
	}
	t.Logf("%d positions", nodes)
}
