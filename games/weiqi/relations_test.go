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
	for seed := range uint64(20) {
		gametest.Random(start, 120, seed, func(p Position, _ []games.Move) {
			cells := Rules{}.AppendCells(nil, p)
			s := games.Selection{Pieces: r.Uint32(), Cells: [6]uint64{r.Uint64() & r.Uint64() & r.Uint64(), r.Uint64() & r.Uint64()}}
			want, done := map[string]int{}, map[int]bool{}
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
			}
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
