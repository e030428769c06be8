package weiqi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// fillsEye is Position.fillsEye on the slow board.
func (g *grid) fillsEye(at int, mover byte) bool {
	for _, n := range g.around(at) {
		if g.points[n] != mover {
			return false
		}
	}
	corners, foes := 0, 0
	for _, dx := range []int{-1, 1} {
		for _, dy := range []int{-1, 1} {
			x, y := at%g.size+dx, at/g.size+dy
			if x < 0 || y < 0 || x >= g.size || y >= g.size {
				continue
			}
			corners++
			if c := g.points[y*g.size+x]; c != '.' && c != mover {
				foes++
			}
		}
	}
	if corners < 4 {
		return foes == 0
	}
	return foes < 2
}

// sensible returns the moves of random games and the boards after them; none: pass.
func (g grid) sensible(mover byte) map[games.Move]grid {
	all := map[games.Move]grid{}
	for at := range g.points {
		if next, ok := g.play(at, mover); ok && !g.fillsEye(at, mover) {
			all[Move(PointAt(at%g.size, at/g.size))] = next
		}
	}
	return all
}

// chances returns the exact chance of every move that RandomMove draws from p: all that draw
// could return is tried.
func chances(p Position) map[games.Move]float64 {
	all := map[games.Move]float64{}
	for script := []int{}; ; {
		var limits []int
		chance := 1.0
		m := Rules{}.RandomMove(p, func(n int) int {
			k := len(limits)
			if limits = append(limits, n); k == len(script) {
				script = append(script, 0)
			}
			chance /= float64(n)
			return script[k]
		})
		all[m] += chance
		k := len(limits) - 1
		for k >= 0 && script[k] == limits[k]-1 {
			k--
		}
		if k < 0 {
			return all
		}
		script[k]++
		script = script[:k+1]
	}
}

// TestRandomMove compares the moves and their chances with the slow board, on boards with few
// enough empty points to try all that can be drawn.
func TestRandomMove(t *testing.T) {
	passes, eyes := 0, 0
	for _, variant := range []string{"3 tromp-taylor", "3 japanese", "4 ing", "9", "9 new-zealand"} {
		start, _, err := Rules{}.Start(variant, "")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			gametest.Random(start, 3*start.Size()*start.Size(), seed, func(p Position, _ []games.Move) {
				empty := p.Empty()
				if empty.Count() > 7 || p.ended() {
					return
				}
				g := newGrid(p)
				want := g.sensible("XO"[p.ToMove()])
				for at := range g.points {
					if _, ok := g.play(at, "XO"[p.ToMove()]); ok && g.fillsEye(at, "XO"[p.ToMove()]) {
						eyes++
					}
				}
				got := chances(p)
				if len(want) == 0 {
					passes++
					if len(got) != 1 || math.Abs(got[Pass]-1) > 1e-9 {
						t.Fatalf("%s: %v, want the pass", Rules{}.AppendPosition(nil, p), got)
					}
					return
				}
				if len(got) != len(want) {
					t.Fatalf("%s: %d moves, want %d", Rules{}.AppendPosition(nil, p), len(got), len(want))
				}
				for m := range want {
					if math.Abs(got[m]-1/float64(len(want))) > 1e-9 {
						t.Fatalf("%s: chance of %s is %v of %d moves", Rules{}.AppendPosition(nil, p), Rules{}.AppendCoordinates(nil, p, m), got[m], len(want))
					}
				}
			})
		}
	}
	if t.Logf("%d passes, %d eyes", passes, eyes); passes < 20 || eyes < 100 {
		t.Errorf("only %d passes and %d eyes seen", passes, eyes)
	}
}

// TestRandomGames plays random games on two lines and compares the shares with those that
// follow from the slow board by going through all games.
func TestRandomGames(t *testing.T) {
	const n = 20000
	for _, variant := range []string{"2", "2 tromp-taylor"} {
		start, _, err := Rules{}.Start(variant, "")
		if err != nil {
			t.Fatal(err)
		}
		start.komi = 100
		want := walk(newGrid(start), start, 0, 0, map[string][3]float64{})
		r := rand.New(rand.NewPCG(1, 2))
		var got [3]float64
		for range n {
			p := start
			for moves := 0; ; moves++ {
				if o := (Rules{}).RandomOutcome(p, moves); o != games.Undecided {
					got[o-1] += 1.0 / n
					break
				}
				p = p.Play(Rules{}.RandomMove(p, r.IntN))
			}
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 4*math.Sqrt(want[i]*(1-want[i])/n) {
				t.Errorf("%q: shares %.4f, want %.4f", variant, got, want)
				break
			}
		}
		t.Logf("%q: shares %.4f, exactly %.4f", variant, got, want)
	}
}

// walk returns the chances of Black's win, White's and a draw on the slow board.
func walk(g grid, start Position, moves, passes int, known map[string][3]float64) (chance [3]float64) {
	mover := "XO"[moves%2]
	if passes == 2 || moves == 3*g.size*g.size {
		switch n := g.area('X') - g.area('O') - start.Komi()/100; {
		case n > 0:
			return [3]float64{1, 0, 0}
		case n < 0:
			return [3]float64{0, 1, 0}
		}
		return [3]float64{0, 0, 1}
	}
	key := fmt.Sprint(string(g.points), g.ko, moves, passes)
	if c, ok := known[key]; ok {
		return c
	}
	next := g.sensible(mover)
	if len(next) == 0 {
		passed := g
		passed.ko = -1
		chance = walk(passed, start, moves+1, passes+1, known)
	}
	for _, after := range next {
		for i, c := range walk(after, start, moves+1, 0, known) {
			chance[i] += c / float64(len(next))
		}
	}
	known[key] = chance
	return chance
}

// Two passes of the record do not end a random game: dead stones are taken first.
func TestRandomGamesAfterPasses(t *testing.T) {
	p, _, err := Rules{}.Start("5 japanese", "")
	if err != nil {
		t.Fatal(err)
	}
	p = p.Play(Pass).Play(Pass)
	for moves := range 2 {
		if o := (Rules{}).RandomOutcome(p, moves); o != games.Undecided {
			t.Errorf("%v after %d random moves", o, moves)
		}
	}
	if o := (Rules{}).RandomOutcome(p, 2); o != games.Drawn {
		t.Errorf("%v after two random passes on an empty board", o)
	}
}

func BenchmarkRandomGame9(b *testing.B) {
	start := New(9, Chinese, 700)
	r := rand.New(rand.NewPCG(1, 2))
	for range b.N {
		p := start
		for moves := 0; (Rules{}).RandomOutcome(p, moves) == games.Undecided; moves++ {
			p = p.Play(Rules{}.RandomMove(p, r.IntN))
		}
	}
}
