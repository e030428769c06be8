package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/report/split/conditions"
)

// TestGameSums: the sums of a game of any length are those of its rows, one by one.
func TestGameSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const atoms, words = 5, 7
	set := &conditions.Set{Atoms: make([]conditions.Atom, atoms)}
	for a := range atoms {
		for b := -1; b < a; b++ {
			if a != 2 { // the block of a pass has no rows of atoms that it does not need
				set.All = append(set.All, conditions.Condition{Atoms: [2]int{a, b}})
			}
		}
	}
	set.All = slices.DeleteFunc(set.All, func(c conditions.Condition) bool { return c.Atoms[1] == 2 })
	b := &block{words: make([][]uint64, atoms)}
	for _, rows := range []int{1, 8, 63, 64, 65, 128, 200} {
		g := &blockGame{from: 2, to: 2 + (rows+63)/64, rows: rows}
		k := newSummer(summing{null: &nullModel{axis: &axis{}}, set: set}, &clusters{}, nil)
		k.rest = make([]int32, 64*(g.to-g.from))
		for i := range rows {
			k.rest[i] = int32(r.IntN(2*unit) - unit)
		}
		for a := range b.words {
			if a == 2 {
				continue
			}
			b.words[a] = make([]uint64, words)
			for row := range 64 * words { // of other games, too
				if row < 64*g.from || row >= 64*g.to || row < 64*g.from+rows {
					b.words[a][row/64] |= r.Uint64() & (1 << (row % 64))
				}
			}
		}
		k.conditions(b, g)
		for c, one := range set.All {
			sum, n := 0.0, int32(0)
			for i := range rows {
				if first, second := b.holding(one); inBoth(first, second, 64*g.from+i) {
					sum, n = sum+float64(k.rest[i]), n+1
				}
			}
			if k.shift[c] != sum || k.counts[c] != n {
				t.Errorf("%d rows, atoms %d: %v of %d positions, want %v of %d", rows, one.Atoms, k.shift[c], k.counts[c], sum, n)
			}
		}
	}
}
