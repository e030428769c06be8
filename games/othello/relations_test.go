package othello

import (
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/kit/gametest"
)

// TestRelations compares the relations with discs that are looked at one by one, in random games with random selections.
func TestRelations(t *testing.T) {
	r, seen := rand.New(rand.NewPCG(11, 12)), map[string]int{}
	for seed := range uint64(20) {
		gametest.Random(Start(), 70, seed, func(p Position, _ []games.Move) {
			cells := Rules{}.AppendCells(nil, p)
			s := games.Selection{Pieces: r.Uint32(), Cells: [6]uint64{r.Uint64()}}
			want := map[string]int{"odd_regions": oddRegions(cells)}
			safe := stableOf(cells)
			for at, disc := range cells {
				if disc == 0 || !s.Has(at, disc) {
					continue
				}
				if safe[at] {
					want["stable"]++
				}
				for _, way := range ways {
					if n, ok := step(at, way); ok && cells[n] == 0 {
						want["frontier"]++
						break
					}
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
		if seen[relation.Name] < 200 {
			t.Errorf("%s: only %d were counted", relation.Name, seen[relation.Name])
		}
	}
}

// ways are the steps right, down, and along both diagonals, each followed by its reverse.
var ways = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}

func step(at int, way [2]int) (int, bool) {
	x, y := at%8+way[0], at/8+way[1]
	return y*8 + x, x >= 0 && x < 8 && y >= 0 && y < 8
}

// stableOf marks discs until no more are found.
func stableOf(cells []uint8) (safe [64]bool) {
	line := func(at int, way [2]int) (full bool) {
		for n, ok := step(at, way); ok; n, ok = step(n, way) {
			if cells[n] == 0 {
				return false
			}
		}
		return true
	}
	held := func(at int, way [2]int) bool {
		n, ok := step(at, way)
		return !ok || safe[n] && cells[n] == cells[at]
	}
	for again := true; again; {
		again = false
		for at, disc := range cells {
			if disc == 0 || safe[at] {
				continue
			}
			all := true
			for k := 0; k < len(ways); k += 2 {
				all = all && (line(at, ways[k]) && line(at, ways[k+1]) || held(at, ways[k]) || held(at, ways[k+1]))
			}
			if all {
				safe[at], again = true, true
			}
		}
	}
	return safe
}

// oddRegions follows the empty squares one by one.
func oddRegions(cells []uint8) (n int) {
	done := [64]bool{}
	var visit func(at int) int
	visit = func(at int) int {
		done[at] = true
		size := 1
		for _, way := range ways[:4] {
			if next, ok := step(at, way); ok && cells[next] == 0 && !done[next] {
				size += visit(next)
			}
		}
		return size
	}
	for at, disc := range cells {
		if disc == 0 && !done[at] {
			n += visit(at) % 2
		}
	}
	return n
}
