package search

import (
	"slices"
	"testing"

	"kifu/games"
)

// maze has few positions, which tactics reach in many ways, some of them in endless cycles.
type maze struct {
	at   uint8
	side games.Side
}

const rooms = 120

func (m maze) seed() uint64 { return mix(uint64(m.at)*2 + uint64(m.side) + 4e9) }

func (m maze) AppendMoves(dst []games.Move) []games.Move { return append(dst, 1, 2, 3, 4, 5) }

func (m maze) AppendTactics(dst []games.Move) ([]games.Move, bool) {
	s := mix(m.seed() + 1)
	n := len(dst)
	return append(dst, 2, 5)[:n+[]int{0, 0, 0, 1, 1, 2}[s%6]], s>>8%4 == 0 && s%6 > 2
}

func (m maze) Play(by games.Move) maze {
	return maze{uint8((uint64(m.at)*3 + uint64(by)*uint64(by)*7 + 1) % rooms), m.side.Other()}
}
func (m maze) ToMove() games.Side     { return m.side }
func (m maze) Hash() uint64           { return m.seed() }
func (m maze) Outcome() games.Outcome { return games.Undecided }

type mazeNoise struct{}

func (mazeNoise) Value(m maze) int32 { return (int32(mix(m.seed()+2)%60) - 30) * Grain }

type mazeForcer struct{ mazeNoise }

func (mazeForcer) Forced(m maze) bool {
	_, forced := m.AppendTactics(nil)
	return forced
}

// mazeNarrower follows nothing from three plies on but what is forced.
type mazeNarrower struct{ mazeForcer }

func (mazeNarrower) NarrowPlies() int { return 3 }

func (mazeNarrower) AppendNarrow(m maze, dst []games.Move) ([]games.Move, bool) {
	if moves, forced := m.AppendTactics(dst); forced {
		return moves, true
	}
	return dst, false
}

// mazeQuiescence returns the definition of Quiescence for the side to move, whose moves from wide
// plies on are those of mazeNarrower.
func mazeQuiescence(m maze, k, wide int, done map[[2]uint64]int32) int32 {
	key := [2]uint64{m.seed(), uint64(k)}
	if v, ok := done[key]; ok {
		return v
	}
	best := (mazeNoise{}).Value(m) * m.side.Sign()
	moves, forced := m.AppendTactics(nil)
	if k >= wide {
		moves, forced = mazeNarrower{}.AppendNarrow(m, nil)
	}
	if forced && k < QuiescencePlies {
		best = -infinite
	}
	for _, by := range moves {
		if k < QuiescencePlies {
			best = max(best, -mazeQuiescence(m.Play(by), k+1, wide, done))
		}
	}
	done[key] = best
	return best
}

// TestBestRecalls: the bounds that Best remembers, from wherever it met a position, change
// no value, even where quiescence continues to its last ply.
func TestBestRecalls(t *testing.T) {
	for _, e := range []Static[maze]{mazeNoise{}, mazeForcer{}, mazeNarrower{}} {
		s, done := New[maze](e), map[[2]uint64]int32{}
		wide := s.wide
		recalled := 0
		for i := range 2 * rooms {
			p := maze{uint8(i % rooms), games.Side(i / rooms)}
			var want []games.Move
			high := int32(-infinite)
			for _, m := range p.AppendMoves(nil) {
				v := -mazeQuiescence(p.Play(m), 0, wide, done)
				if v > high {
					want, high = nil, v
				}
				if v == high {
					want = append(want, m)
				}
			}
			fresh := New[maze](e)
			fresh.Best(p, 1, nil, nil)
			got, value := s.Best(p, 1, nil, nil)
			if slices.Sort(got); !slices.Equal(got, want) || value != high*p.side.Sign() {
				t.Fatalf("%v: %v worth %d; want %v worth %d", p, got, value, want, high*p.side.Sign())
			}
			if s.nodes < fresh.nodes {
				recalled++
			}
			if q := s.Quiescence(p); q.Value != mazeQuiescence(p, 0, wide, done)*p.side.Sign() || q.Nodes != fresh.Quiescence(p).Nodes {
				t.Fatalf("%v: quiescence %d in %d nodes after Best", p, q.Value, q.Nodes)
			}
		}
		if recalled < 50 {
			t.Errorf("%d searches were shorter by what was remembered", recalled)
		}
	}
}

// TestRecall: a bound is used where quiescence would have searched no further.
func TestRecall(t *testing.T) {
	s := New[maze](mazeNoise{})
	s.recalls = true
	e := s.values.at(5)
	e.enclose(5, 30, 10, 40, 10)
	for _, c := range []struct {
		hash        uint64
		alpha, beta int32
		k           int
		want        bool
	}{
		{5, 10, 40, 0, true}, {5, 35, 36, 0, true}, {5, 10, 20, 53, true}, {5, 10, 20, 54, false}, {6, 10, 40, 0, false},
	} {
		if v, ok := s.recall(e, c.hash, c.alpha, c.beta, c.k); ok != c.want || ok && v != 30 {
			t.Errorf("%+v: %d, %v", c, v, ok)
		}
	}
	e.enclose(7, 30, 40, 50, 0) // at most 30
	if _, ok := s.recall(e, 7, 20, 50, 0); ok {
		t.Error("an upper bound is taken for a value")
	}
	if v, ok := s.recall(e, 7, 30, 50, 0); !ok || v != 30 {
		t.Error("an upper bound does not answer")
	}
	narrow := New[maze](mazeNarrower{}) // from three plies on other moves are followed
	narrow.recalls = true
	e = narrow.values.at(5)
	e.enclose(5, 30, 10, 40, 1)
	for k, want := range []bool{true, true, false} {
		if _, ok := narrow.recall(e, 5, 10, 40, k); ok != want {
			t.Errorf("recalled %d plies from the beginning: %t, want %t", k, ok, want)
		}
	}
	e = s.values.at(7)
	if e.enclose(7, Decisive, 0, infinite, 0); e.high != 30 {
		t.Error("a win is remembered")
	}
}
