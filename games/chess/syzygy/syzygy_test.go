package syzygy

import (
	"math/rand/v2"
	"os"
	"testing"

	"kifu/games"
	"kifu/games/chess"
)

// tables opens the tables of three and four men that KIFU_SYZYGY names; without them the test is
// left out.
func tables(t testing.TB) *Tables {
	t.Helper()
	dirs := os.Getenv("KIFU_SYZYGY")
	if dirs == "" {
		t.Skip("KIFU_SYZYGY names no directories with tables")
	}
	tb, err := Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

// lone are the positions of White's king and man of a kind against a king, by kind, side to move
// and squares.
type lone struct {
	places [6][2][1 << 18]state
}

// state is what is known of a position; illegal ones are no position.
type state struct {
	known, legal bool
	value        int8 // Win, Draw or Loss for the side to move
}

const men = "?PNBRQK"

// placement writes the men of a board as a FEN does.
func placement(board *[64]byte) string {
	var fen []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			if c := board[rank<<3|file]; c != 0 {
				fen = append(fen, c)
			} else {
				fen = append(fen, '1')
			}
		}
		if rank > 0 {
			fen = append(fen, '/')
		}
	}
	return string(fen)
}

// at returns the position, if the rules have it.
func at(k chess.Kind, side games.Side, n int) (p chess.Position, ok bool) {
	white, black, man := chess.Square(n&63), chess.Square(n>>6&63), chess.Square(n>>12)
	if white == black || white == man || black == man {
		return p, false
	}
	var board [64]byte
	board[white], board[black], board[man] = 'K', 'k', men[k]
	p, err := chess.ParseFEN(placement(&board) + " " + "wb"[side:side+1] + " - - 0 1")
	return p, err == nil
}

func numberOf(p *chess.Position) (k chess.Kind, n int, bare bool) {
	rest := p.Occupied() &^ p.Kings()
	if rest == 0 {
		return 0, 0, true
	}
	man := rest.First()
	return p.KindAt(man), int(p.King(games.First)) | int(p.King(games.Second))<<6 | int(man)<<12, false
}

// solve finds the value of all positions of a kind by going through them until nothing changes;
// those of the kinds that pawns become must be there.
func (l *lone) solve(k chess.Kind) {
	type open struct {
		p    chess.Position
		side games.Side
		n    int
	}
	var left []open
	for side := games.First; side <= games.Second; side++ {
		for n := range 1 << 18 {
			if p, ok := at(k, side, n); ok {
				l.places[k][side][n].legal = true
				left = append(left, open{p, side, n})
			}
		}
	}
	var moves []games.Move
	for before := -1; len(left) != before; {
		before = len(left)
		rest := left[:0]
		for _, o := range left {
			s := &l.places[k][o.side][o.n]
			best, all := int8(Loss), true
			moves = o.p.AppendMoves(moves[:0])
			if len(moves) == 0 && !o.p.InCheck() {
				best = Draw
			}
			for _, m := range moves {
				next := o.p.Play(m)
				kind, n, bare := numberOf(&next)
				if bare {
					best = max(best, Draw)
				} else if v := l.places[kind][next.ToMove()][n]; v.known {
					best = max(best, -v.value)
				} else {
					all = false
				}
			}
			if best == Win || all {
				s.value, s.known = best, true
			} else {
				rest = append(rest, o)
			}
		}
		left = rest
	}
	for _, o := range left {
		l.places[k][o.side][o.n] = state{known: true, legal: true, value: Draw}
	}
}

// TestThreeMen: all positions of a king and a man against a king have the value that playing
// backward from mates gives them, whichever side has the man.
func TestThreeMen(t *testing.T) {
	tb := tables(t)
	l := new(lone)
	for k := chess.Queen; k >= chess.Pawn; k-- {
		l.solve(k)
		wrong, count := 0, 0
		for side := games.First; side <= games.Second; side++ {
			for n, s := range l.places[k][side] {
				if !s.legal {
					continue
				}
				p, _ := at(k, side, n)
				got, err := tb.Probe(p)
				if err != nil {
					t.Fatal(err)
				}
				if count++; got != int(s.value) {
					if wrong++; wrong < 4 {
						t.Errorf("%s: %d, want %d", p, got, s.value)
					}
				}
			}
		}
		t.Logf("K%cvK: %d positions, %d wrong", men[k], count, wrong)
	}
}

// random returns a random position of the men of a table.
func random(rng *rand.Rand, name string) (chess.Position, bool) {
	var board [64]byte
	second := byte(0)
	for i := range len(name) {
		if name[i] == 'v' {
			second = 0x20
			continue
		}
		s := rng.IntN(64)
		if board[s] != 0 {
			return chess.Position{}, false
		}
		board[s] = name[i] | second
	}
	if rng.IntN(2) == 0 { // the first men are Black's
		for s, c := range board {
			if c != 0 {
				board[s] ^= 0x20
			}
		}
	}
	p, err := chess.ParseFEN(placement(&board) + " " + []string{"w", "b"}[rng.IntN(2)] + " - - 0 1")
	return p, err == nil
}

// TestConsistent: the value of a position is that of its best move, but for the rule of fifty
// moves, in tables of up to five men and on either side.
func TestConsistent(t *testing.T) {
	tb := tables(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range tb.Names() {
		checked := 0
		for tries := 0; checked < 400 && tries < 20000; tries++ {
			p, ok := random(rng, name)
			if !ok {
				continue
			}
			got, err := tb.Probe(p)
			best, all := Loss, true
			moves := p.AppendMoves(nil)
			if len(moves) == 0 && !p.InCheck() {
				best = Draw
			}
			for _, m := range moves {
				v, err := tb.Probe(p.Play(m))
				if all = all && err == nil; err == nil {
					best = max(best, -v)
				}
			}
			if err != nil || !all {
				continue // a table that is not there
			}
			if checked++; sign(got) != sign(best) {
				t.Fatalf("%s: %s is %d, its best move leads to %d", name, p, got, best)
			}
		}
		t.Logf("%s: %d positions", name, checked)
	}
}

func sign(v int) int { return min(1, max(-1, v)) }
