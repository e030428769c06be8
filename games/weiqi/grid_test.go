package weiqi

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// grid is Go the slow and obvious way: a letter a point, chains walked stone by stone.
type grid struct {
	size     int
	points   []byte // X, O or .
	ko       int    // -1 for none
	taken    map[byte]int
	suicides bool
}

func newGrid(p Position) grid {
	g := grid{size: p.Size(), ko: -1, taken: map[byte]int{'X': p.Prisoners(Black), 'O': p.Prisoners(White)}, suicides: rulesets[p.ruleset].suicide}
	if p.ko != noPoint {
		g.ko = p.ko.Row()*g.size + p.ko.Column()
	}
	g.points = points(p)
	return g
}

// points returns the letters of a board, row by row, from its text.
func points(p Position) (all []byte) {
	rows, _, _ := strings.Cut(string(Rules{}.AppendPosition(nil, p)), " ")
	n := 0
	for _, c := range rows + "/" {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
			continue
		}
		all = append(all, strings.Repeat(".", n)...)
		n = 0
		if c != '/' {
			all = append(all, byte(c))
		}
	}
	return all
}

func (g *grid) around(at int) (all []int) {
	x, y := at%g.size, at/g.size
	if y > 0 {
		all = append(all, at-g.size)
	}
	if x > 0 {
		all = append(all, at-1)
	}
	if x+1 < g.size {
		all = append(all, at+1)
	}
	if y+1 < g.size {
		all = append(all, at+g.size)
	}
	return all
}

// chain walks the chain of at and counts its liberties.
func (g *grid) chain(at int) (stones []int, liberties int) {
	seen := map[int]bool{at: true}
	for stones = []int{at}; ; {
		before := len(stones)
		for _, s := range stones {
			for _, n := range g.around(s) {
				if seen[n] {
					continue
				}
				if g.points[n] == '.' {
					liberties++
					seen[n] = true
				} else if g.points[n] == g.points[at] {
					stones = append(stones, n)
					seen[n] = true
				}
			}
		}
		if len(stones) == before {
			return stones, liberties
		}
	}
}

// play returns the board after a stone of that colour on at; ok is false when the move
// is illegal.
func (g grid) play(at int, mover byte) (_ grid, ok bool) {
	if g.points[at] != '.' || at == g.ko {
		return g, false
	}
	g.points = slices.Clone(g.points)
	g.taken = map[byte]int{'X': g.taken['X'], 'O': g.taken['O']}
	g.ko = -1
	g.points[at] = mover
	var captured []int
	for _, n := range g.around(at) {
		if c := g.points[n]; c != '.' && c != mover {
			if stones, liberties := g.chain(n); liberties == 0 {
				for _, s := range stones {
					g.points[s] = '.'
				}
				captured = append(captured, stones...)
			}
		}
	}
	g.taken[mover] += len(captured)
	own, liberties := g.chain(at)
	if liberties == 0 {
		if !g.suicides || len(own) == 1 {
			return g, false
		}
		for _, s := range own {
			g.points[s] = '.'
		}
		g.taken['X'+'O'-mover] += len(own)
	}
	if len(captured) == 1 && len(own) == 1 && liberties == 1 {
		g.ko = captured[0]
	}
	return g, true
}

// TestAgainstGrid compares legal moves and what comes of each with the slow rules.
func TestAgainstGrid(t *testing.T) {
	captures, kos, suicides := 0, 0, 0
	for _, variant := range []string{"2 tromp-taylor", "3 japanese", "4 ing", "5 chinese", "7 new-zealand", "9", "19 ing"} {
		for seed := range uint64(3) {
			start, _, err := Rules{}.Start(variant, "")
			if err != nil {
				t.Fatal(err)
			}
			plies := min(250, 12*start.Size()*start.Size())
			gametest.Random(start, plies, seed, func(p Position, line []games.Move) {
				if start.Size() == 19 && len(line)%8 != 0 {
					return
				}
				g := newGrid(p)
				mover := "XO"[p.ToMove()]
				legal := p.AppendMoves(nil)
				if len(legal) == 0 {
					return
				}
				if legal[len(legal)-1] != Pass {
					t.Fatal("the pass is not the last move")
				}
				for at := range g.points {
					m := Move(PointAt(at%g.size, at/g.size))
					after, ok := g.play(at, mover)
					if slices.Contains(legal, m) != ok {
						t.Fatalf("%s: %s is legal: want %t", Rules{}.AppendPosition(nil, p), Rules{}.AppendCoordinates(nil, p, m), ok)
					}
					if !ok {
						continue
					}
					got := newGrid(p.Play(m))
					if !reflect.DeepEqual(got, after) {
						t.Fatalf("%s: after %s\n%v, want\n%v", Rules{}.AppendPosition(nil, p), Rules{}.AppendCoordinates(nil, p, m), got, after)
					}
					if after.ko >= 0 {
						kos++
					}
					if after.taken[mover] > g.taken[mover] {
						captures++
					}
					if after.taken['X'+'O'-mover] > g.taken['X'+'O'-mover] {
						suicides++
					}
				}
			})
		}
	}
	t.Logf("%d captures, %d kos, %d suicides", captures, kos, suicides)
	if captures < 1000 || kos < 50 || suicides < 50 {
		t.Errorf("only %d captures, %d kos and %d suicides seen", captures, kos, suicides)
	}
}

// area counts stones and points that border on one colour, walking.
func (g *grid) area(colour byte) int {
	n := 0
	for at, c := range g.points {
		if c == colour {
			n++
			continue
		}
		if c != '.' {
			continue
		}
		region, seen := []int{at}, map[int]bool{at: true}
		own, other := false, false
		for i := 0; i < len(region); i++ {
			for _, s := range g.around(region[i]) {
				switch {
				case g.points[s] == colour:
					own = true
				case g.points[s] != '.':
					other = true
				case !seen[s]:
					seen[s] = true
					region = append(region, s)
				}
			}
		}
		if own && !other {
			n++
		}
	}
	return n
}

func TestAreaAgainstGrid(t *testing.T) {
	for seed := range uint64(5) {
		gametest.Random(New(6, Chinese, 0), 120, seed, func(p Position, _ []games.Move) {
			g := newGrid(p)
			for side, colour := range []byte("XO") {
				s := games.Side(side)
				if got, want := p.Area(s), g.area(colour); got != want {
					t.Fatalf("%s: area of side %d is %d, want %d", Rules{}.AppendPosition(nil, p), side, got, want)
				}
				stones := p.Stones(s)
				if got, want := p.Territory(s), g.area(colour)-stones.Count()+g.taken[colour]; got != want {
					t.Fatalf("%s: territory of side %d is %d, want %d", Rules{}.AppendPosition(nil, p), side, got, want)
				}
			}
		})
	}
}
