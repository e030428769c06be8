package search

import (
	"testing"

	"kifu/games"
)

// ring is a place on a ring of a hundred; two players move on by 1 to 4 in turns. Places
// are reached in many ways, from many depths, and some end the game.
type ring struct {
	at   uint8
	side games.Side
}

func (r ring) seed() uint64 { return mix(uint64(r.at)*2 + uint64(r.side) + 9e8) }

func (r ring) AppendMoves(dst []games.Move) []games.Move {
	if r.Outcome() != games.Undecided {
		return dst
	}
	return append(dst, 1, 2, 3, 4)[:len(dst)+1+int(r.seed()%4)]
}

func (r ring) AppendTactics(dst []games.Move) ([]games.Move, bool) {
	if r.Outcome() != games.Undecided {
		return dst, true
	}
	return dst, false
}

func (r ring) Play(m games.Move) ring { return ring{(r.at + uint8(m)) % 100, r.side.Other()} }
func (r ring) ToMove() games.Side     { return r.side }
func (r ring) Hash() uint64           { return r.seed() }
func (r ring) Outcome() games.Outcome {
	if mix(r.seed()+1)%12 > 0 {
		return games.Undecided
	}
	return games.FirstWins + games.Outcome(mix(r.seed()+2)%3)
}

type ringNoise struct{}

func (ringNoise) Value(r ring) int32 { return (int32(mix(r.seed()+3)%90) - 45) * Grain }

// Alternatives has the values of Minimax and ends in dominant positions, at every depth of
// its steps, whatever bounds are remembered from other depths and moves.
func TestAlternativesAreMinimax(t *testing.T) {
	s, plain := New[ring](ringNoise{}), New[ring](ringNoise{})
	fewer, wins := 0, 0
	for at := range uint8(100) {
		for side := games.First; side <= games.Second; side++ {
			p := ring{at, side}
			for _, step := range []int{1, 2, 3} {
				seen := 0
				moves := p.AppendMoves(nil)
				const deepest = 8
				var nodes, all int64
				s.Alternatives(p, deepest, step, func(depth, i int, r Result[ring]) {
					next := p.Play(moves[i])
					want := plain.Minimax(next, depth-1)
					if r.Value != want.Value || (deepest-depth)%step != 0 {
						t.Fatalf("%v, move %d to depth %d by %d: %d, minimax %d", p, moves[i], depth, step, r.Value, want.Value)
					}
					if max(r.Value, -r.Value) > Decisive {
						wins++
					}
					checkRing(t, next, r)
					seen, nodes, all = seen+1, r.Nodes, all+want.Nodes
				})
				if seen != len(moves)*((deepest+step-1)/step) {
					t.Fatalf("%v by %d: %d visits of %d moves", p, step, seen, len(moves))
				}
				if nodes < all/2 {
					fewer++
				}
			}
		}
	}
	if fewer < 400 || wins < 1000 {
		t.Errorf("the ring tests little: %d searches saved half, %d values are decisive", fewer, wins)
	}
}

// checkRing compares the end of a variation with its value.
func checkRing(t *testing.T, p ring, r Result[ring]) {
	t.Helper()
	at := p
	for _, m := range r.PV {
		at = at.Play(m)
	}
	want := (ringNoise{}).Value(at)
	if at.Outcome() != games.Undecided {
		want = New[ring](ringNoise{}).Minimax(at, 0).Value
		if far := int32(len(r.PV)) * Grain; want > 0 {
			want -= far
		} else if want < 0 {
			want += far
		}
	}
	if at != r.Leaf || r.Value != want || r.Decided != (at.Outcome() != games.Undecided) {
		t.Fatalf("%v is worth %d, but its variation %v ends in %v, %d", p, r.Value, r.PV, at, want)
	}
}
