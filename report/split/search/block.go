package search

import (
	"math/bits"

	"kifu/report/split/conditions"
)

// block is whole games for the tests, each from a new word of 64 rows on. The passes go through a block
// condition by condition. So the sums of one condition stay in the processor's nearest cache, which is far
// too small for all conditions.
type block struct {
	games []blockGame
	keys  []uint16   // of a row, at the place of its bit: three times its part of the axis and its points
	words [][]uint64 // of an atom: the rows in which it holds
}

// blockGame is a game of a block.
type blockGame struct {
	id       int64
	side     int
	from, to int // of words; the last is filled up
	rows     int
}

// keys is the number of keys, three results a part. They fit 16 bits (mostParts).
func (x *axis) keys() int { return 3 * len(x.value) }

// blockOf makes a block of rows with their columns; given has the rows of the given conditions.
func (x *axis) blockOf(rows *rowBlock, set *conditions.Set, given []bitset) *block {
	b := &block{words: make([][]uint64, len(set.Atoms))}
	for _, g := range rows.games {
		one := blockGame{id: g.id, side: g.side, from: len(b.keys) / 64, rows: g.to - g.from}
		for row := g.from; row < g.to; row++ {
			b.keys = append(b.keys, uint16(3*x.part(fineOf(rows.value[row], x.bin))+int(rows.won[row])))
		}
		for len(b.keys)%64 != 0 {
			b.keys = append(b.keys, 0)
		}
		one.to = len(b.keys) / 64
		b.games = append(b.games, one)
	}
	var column []float64
	for i, a := range set.Atoms {
		if a.Given < 0 && (i == 0 || set.Atoms[i-1].Given >= 0 || set.Atoms[i-1].Column != a.Column) { // else that of the atom before
			column = rows.column(column, a.Column, 0, len(rows.value))
		}
		b.words[i] = make([]uint64, 0, len(b.keys)/64)
		for _, g := range rows.games {
			for from := g.from; from < g.to; from += 64 {
				to := min(from+64, g.to)
				if a.Given >= 0 {
					b.words[i] = append(b.words[i], bitsOf(given[a.Given], rows.number[from:to]))
				} else {
					b.words[i] = append(b.words[i], conditions.Compare(column[from:to], a.Op, a.At))
				}
			}
		}
	}
	return b
}

// bitsOf has the bit of every row, at most 64, that is in a set.
func bitsOf(set bitset, rows []int) (word uint64) {
	for i, row := range rows {
		if set.has(row) {
			word |= 1 << i
		}
	}
	return word
}

// holding returns where the atoms of a condition hold, one atom twice.
func (b *block) holding(c conditions.Condition) (first, second []uint64) {
	first = b.words[c.Atoms[0]]
	if c.Atoms[1] < 0 {
		return first, first
	}
	return first, b.words[c.Atoms[1]]
}

// inBoth reports whether a row is in both sets of bits.
func inBoth(first, second []uint64, row int) bool {
	return (first[row>>6]&second[row>>6])>>(row&63)&1 != 0
}

// eachRow calls do with the rows of a game in which a condition holds.
func (g *blockGame) eachRow(first, second []uint64, do func(row int)) {
	for w := g.from; w < g.to; w++ {
		for word := first[w] & second[w]; word != 0; word &= word - 1 {
			do(w<<6 + bits.TrailingZeros64(word))
		}
	}
}
