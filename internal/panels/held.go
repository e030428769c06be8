package panels

import "math/bits"

// Words are the words of a bit set from one to before another.
type Words struct{ From, To uint32 }

// Held is a sum of lines of a table, and the number of these lines.
type Held struct {
	Sum Pair
	N   int
}

// HeldEach overwrites sums[i] with that of the lines of the table whose bits are in the words of both sets that spans[i] names, one
// line after the other. Each bit has a code, by which lines are found and counted.
func HeldEach(sums []Held, spans []Words, first, second []uint64, codes []uint16, table []Pair, counts []uint32) {
	for i, s := range spans {
		var sum Held
		for w := s.From; w < s.To; w++ {
			word := first[w] & second[w]
			sum.N += bits.OnesCount64(word)
			for ; word != 0; word &= word - 1 {
				code := codes[int(w)<<6+bits.TrailingZeros64(word)]
				t := &table[code]
				sum.Sum[0] += t[0]
				sum.Sum[1] += t[1]
				counts[code]++
			}
		}
		sums[i] = sum
	}
}
