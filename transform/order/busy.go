package order

import (
	"sync/atomic"

	"kifu/datasets/columns"
)

// busy finds which of a game's players has more games in the dataset. Sorting by this player groups a
// player's games of either side. Sorting by the first player would scatter half of each player's games over
// all opponents.
//
// Players are counted by a hash of the name, so memory does not depend on their number. Two players with one
// hash count as one. Their games may then be grouped by the less busy player: a query reads more row groups,
// but its answer is the same.
type busy struct{ counts []uint32 }

const busySlots = 1 << 22

// add counts the players of b. It may be called from several goroutines.
func (p *busy) add(b *columns.Batch) {
	for _, v := range []*columns.Vec{b.Col("first_player"), b.Col("second_player")} {
		for i := range b.Rows {
			if !v.IsNull(i) {
				atomic.AddUint32(&p.counts[slotOf(v.Value(i))], 1)
			}
		}
	}
}

// slotOf returns the 64-bit FNV-1a hash of a name, folded.
func slotOf(name []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range name {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return (h ^ h>>32) % busySlots
}

// column returns the column of the busier player of row i; if both are equally busy, the name that sorts
// first decides.
func (p *busy) column(b *columns.Batch, i int) *columns.Vec {
	first, second := b.Col("first_player"), b.Col("second_player")
	switch {
	case second.IsNull(i):
		return first
	case first.IsNull(i):
		return second
	}
	x, y := first.Value(i), second.Value(i)
	m, n := p.counts[slotOf(x)], p.counts[slotOf(y)]
	if n > m || n == m && string(y) < string(x) {
		return second
	}
	return first
}

// key sorts by the busier player, then by date.
func (p *busy) key(dst []byte, b *columns.Batch, i int) []byte {
	return textKey(textKey(dst, p.column(b, i), i), b.Col("date"), i)
}
