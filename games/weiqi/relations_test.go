package weiqi

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// TestRelations compares the relations with chains that are followed cell by cell, in random games with
// random selections.
func TestRelations(t *testing.T) {
	const size = 9
	start, _, err := Rules{}.Start("9x9", "")
	if err != nil {
		t.Fatal(err)
	}
	r, seen := rand.New(rand.NewPCG(9, 10)), map[string]int{}
	for seed := range uint64(4) {
		gametest.Random(start, 120, seed, func(p Position, _ []games.Move) {
			cells := Rules{}.AppendCells(nil, p)
			s := games.Selection{Pieces: r.Uint32(), Cells: [6]uint64{r.Uint64() & r.Uint64() & r.Uint64(), r.Uint64() & r.Uint64()}}
			want, done := map[string]int{}, map[int]bool{}
			touched := map[uint8]map[int]int{1: {}, 2: {}}
			for at, stone := range cells {
				if stone == 0 || done[at] {
					continue
				}
				chain, liberties, chosen := []int{at}, map[int]bool{}, 0
				done[at] = true
				for i := 0; i < len(chain); i++ {
					if s.Has(chain[i], stone) {
						chosen++
					}
					x, y := chain[i]%size, chain[i]/size
					for _, n := range [4][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
						next := n[1]*size + n[0]
						switch {
						case n[0] < 0 || n[1] < 0 || n[0] == size || n[1] == size || done[next]:
						case cells[next] == 0:
							liberties[next] = true
						case cells[next] == stone:
							done[next] = true
							chain = append(chain, next)
						}
					}
				}
				if chosen == 0 {
					continue
				}
				want["chains"]++
				if want["liberties"] == 0 || len(liberties) < want["liberties"] {
					want["liberties"] = len(liberties)
				}
				if len(liberties) == 1 {
					want["in_atari"] += chosen
				}
				g := newGrid(p)
				g.ko = -1
				if g.caught(chain[0], 'X'+'O'-g.points[chain[0]]) {
					want["in_ladder"] += chosen
				}
				for point := range liberties {
					touched[stone][point]++
				}
			}
			want["cutting_points"], want["eyes"] = cutsAndEyes(newGrid(p), &s, touched)
			for _, relation := range (Rules{}).Relations() {
				if got := relation.Count(p, []games.Selection{s}); got != want[relation.Name] {
					t.Fatalf("%s in %s: %d, want %d", relation.Name, Rules{}.AppendPosition(nil, p), got, want[relation.Name])
				}
				seen[relation.Name] += want[relation.Name]
			}
		})
	}
	for _, relation := range (Rules{}).Relations() {
		if seen[relation.Name] < 20 {
			t.Errorf("%s: only %d were counted", relation.Name, seen[relation.Name])
		}
	}
}

// cutsAndEyes counts the empty points that two selected chains of one side touch, and the eyes next to selected stones.
func cutsAndEyes(g grid, s *games.Selection, touched map[uint8]map[int]int) (cuts, eyes int) {
	for at, c := range g.points {
		if c != '.' {
			continue
		}
		if touched[1][at] > 1 || touched[2][at] > 1 {
			cuts++
		}
		for stone, letter := range map[uint8]byte{1: 'X', 2: 'O'} {
			near := false
			for _, n := range g.around(at) {
				near = near || g.points[n] == letter && s.Has(n, stone)
			}
			if near && g.fillsEye(at, letter) {
				eyes++
			}
		}
	}
	return cuts, eyes
}

// caught reads a ladder on the chain at a point to its end: with two liberties attacker begins, with one it gets away first.
func (g *grid) caught(at int, attacker byte) bool {
	chain, _ := g.chain(at)
	free, tries := map[int]bool{}, map[int]bool{}
	for _, stone := range chain {
		for _, n := range g.around(stone) {
			switch g.points[n] {
			case '.':
				free[n], tries[n] = true, true
			case attacker:
				if others, left := g.chain(n); left == 1 {
					for _, other := range others {
						for _, breath := range g.around(other) {
							if g.points[breath] == '.' {
								tries[breath] = true
							}
						}
					}
				}
			}
		}
	}
	switch len(free) {
	case 1:
		for move := range tries {
			next, ok := g.play(move, 'X'+'O'-attacker)
			if !ok {
				continue
			}
			if _, left := next.chain(at); left > 2 || left == 2 && !next.caught(at, attacker) {
				return false
			}
		}
		return true
	case 2:
		for move := range free {
			next, ok := g.play(move, attacker)
			if !ok {
				continue
			}
			if _, left := next.chain(at); left == 1 && next.caught(at, attacker) {
				return true
			}
		}
	}
	return false
}
