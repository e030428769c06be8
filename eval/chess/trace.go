package chess

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"kifu/eval"
	"kifu/games/chess"
)

// trace counts terms, by slot: each has 16 bits, the low byte first, so that four are
// seen in one look. A note of which slots were touched would cost the counting, done a
// hundred times a position, more than it spares when the counts are taken.
type trace [slots * 2]byte

// slotCount is how often a slot was counted.
type slotCount struct {
	slot  uint16
	count int16
}

func (t *trace) add(slot, n int) {
	i := slot * 2 & (len(t) - 2)
	count := uint16(t[i]) | uint16(t[i+1])<<8 + uint16(n)
	t[i], t[i+1] = byte(count), byte(count>>8)
}

func (t *trace) addMan(k chess.Kind, s chess.Square, n int) {
	t.add(material+int(k), n)
	t.add(pst-64+64*int(k)+int(s), n)
}

// word are the counts of four neighbouring slots.
func (t *trace) word(i int) uint64 { return binary.LittleEndian.Uint64(t[i*8:]) }

// record writes down what was counted so far; ok is false when it does not fit.
func (t *trace) record(dst []slotCount) (n uint8, ok bool) {
	for i := range slots / 4 {
		for word := t.word(i); word != 0; {
			lane := bits.TrailingZeros64(word) &^ 15
			if int(n) == len(dst) {
				return 0, false
			}
			dst[n] = slotCount{uint16(i*4 + lane/16), int16(word >> lane)}
			n++
			word &^= math.MaxUint16 << lane
		}
	}
	return n, true
}

// replay counts what was recorded.
func (t *trace) replay(counts []slotCount) {
	for _, c := range counts {
		t.add(int(c.slot), int(c.count))
	}
}

// take appends the terms that were counted, in ascending order, and forgets them.
func (t *trace) take(termOf *[slots]int16, dst []eval.Feature) []eval.Feature {
	first := len(dst)
	dst = slices.Grow(dst, slots)[:first+slots]
	n, counters := first, first
	for i := range slots / 4 {
		if i == builtIn/4 {
			counters = n
		}
		for word := t.word(i); word != 0; {
			lane := bits.TrailingZeros64(word) &^ 15
			term := termOf[i*4+lane/16]
			dst[n] = eval.Feature{Term: uint16(term), Count: int16(word >> lane)}
			n += 1 + int(term)>>15 // by 1 if there is a term; no branch could foretell it
			word &^= math.MaxUint16 << lane
		}
	}
	*t = trace{}
	// Slots come in the order of the terms but for those of the counters.
	dst = dst[:n]
	for i := counters; i < n; i++ {
		f, j := dst[i], i
		for ; j > first && dst[j-1].Term > f.Term; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = f
	}
	return dst
}
