package conjunctions

import (
	"math/bits"
	"slices"
)

// Sample is a set of positions.
type Sample struct {
	N    int
	Bits [][]uint64 // by atom: the positions in which it is true
	Won  []uint64   // the positions that are won, or whose target is above 0
	Y    []float64  // 1, ½ and 0 for a win, a draw and a loss; or the target
	Game []int64
}

func newSample(atoms int) *Sample { return &Sample{Bits: make([][]uint64, atoms)} }

// add appends a position in which these atoms are true.
func (s *Sample) add(true_ []uint16, game int64, y float64, won bool) {
	if s.N&63 == 0 {
		for i := range s.Bits {
			s.Bits[i] = append(s.Bits[i], 0)
		}
		s.Won = append(s.Won, 0)
	}
	word, bit := s.N>>6, uint64(1)<<(s.N&63)
	for _, a := range true_ {
		s.Bits[a][word] |= bit
	}
	if won {
		s.Won[word] |= bit
	}
	s.Y, s.Game = append(s.Y, y), append(s.Game, game)
	s.N++
}

// and returns the words from from to to of the positions in which all atoms are true, in dst. Without an atom all bits are ones.
func (s *Sample) and(dst []uint64, atoms []uint32, from, to int) []uint64 {
	if len(atoms) == 0 {
		return append(dst[:0], slices.Repeat([]uint64{^uint64(0)}, to-from)...)
	}
	dst = append(dst[:0], s.Bits[atoms[0]][from:to]...)
	for _, a := range atoms[1:] {
		for i, w := range s.Bits[a][from:to] {
			dst[i] &= w
		}
	}
	return dst
}

// count returns the number of ones.
func count(a []uint64) (n int) {
	for _, w := range a {
		n += bits.OnesCount64(w)
	}
	return n
}

// countBoth returns the number of ones that a and b have in common.
func countBoth(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// countThree returns the number of ones that a and b have in common, and how many of them c has.
func countThree(a, b, c []uint64) (n, m int) {
	b, c = b[:len(a)], c[:len(a)]
	for i, w := range a {
		w &= b[i]
		n += bits.OnesCount64(w)
		m += bits.OnesCount64(w & c[i])
	}
	return n, m
}

// blockWords is the number of words of a block of positions.
const blockWords = 64

// truths calls f for each position of block b of s, with the conjunctions that are true in it,
// ascending. It may keep nothing.
func (s *Sample) truths(b int, sets []Set, f func(row int, at []uint32)) {
	from, to := b*blockWords, min((b+1)*blockWords, len(s.Won))
	lists := make([][]uint32, (to-from)*64)
	var words []uint64
	for j, set := range sets {
		words = s.and(words, set.Atoms, from, to)
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				row := i*64 + bits.TrailingZeros64(w)
				if list := lists[row]; len(list) == 0 || !sets[list[len(list)-1]].Decides {
					lists[row] = append(list, uint32(j))
				}
			}
		}
	}
	for i, list := range lists {
		if row := from*64 + i; row < s.N {
			f(row, list)
		}
	}
}

// blocks returns the number of blocks of s.
func (s *Sample) blocks() int { return (len(s.Won) + blockWords - 1) / blockWords }
