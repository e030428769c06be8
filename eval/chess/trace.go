package chess

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"kifu/eval"
	"kifu/games/chess"
)

// trace counts terms, by slot: each has 16 bits, the low byte first, so that one load reads
// four. Recording which slots were touched, a hundred times per position, would cost more
// than it saves when the counts are taken.
type trace [slots * 2]byte

// slotCount is the count of a slot.
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

// block is the number of slots that are first tested as a whole: in most blocks all counts
// are 0.
const block = 16

// words returns the counts of a block from slot i on, four adjacent slots in each.
func (t *trace) words(i int) (a, b, c, d uint64) {
	from, le := (*[2 * block]byte)(t[2*i:]), binary.LittleEndian
	return le.Uint64(from[0:8]), le.Uint64(from[8:16]), le.Uint64(from[16:24]), le.Uint64(from[24:32])
}

// record copies the counts so far; ok is false when they do not fit.
func (t *trace) record(dst []slotCount) (n uint8, ok bool) {
	for from := 0; from < slots; from += block {
		a, b, c, d := t.words(from)
		if a|b|c|d == 0 {
			continue
		}
		for i, word := range [block / 4]uint64{a, b, c, d} {
			for word != 0 {
				lane := bits.TrailingZeros64(word) & 48
				if int(n) == len(dst) {
					return 0, false
				}
				dst[n] = slotCount{uint16(from + i*4 + lane/16), int16(word >> lane)}
				n++
				word &^= math.MaxUint16 << lane
			}
		}
	}
	return n, true
}

// replay adds recorded counts.
func (t *trace) replay(counts []slotCount) {
	for _, c := range counts {
		t.add(int(c.slot), int(c.count))
	}
}

// take appends the terms that were counted, in ascending order, and resets them.
func (t *trace) take(termOf *[slots]int16, dst []eval.Feature) []eval.Feature {
	first := len(dst)
	dst = slices.Grow(dst, slots)[:first+slots]
	n := first
	for from := 0; from < slots; from += block {
		a, b, c, d := t.words(from)
		if a|b|c|d == 0 {
			continue
		}
		for i, word := range [block / 4]uint64{a, b, c, d} {
			for word != 0 {
				lane := bits.TrailingZeros64(word) & 48
				term := termOf[(from+i*4+lane/16)&(slots-1)]
				dst[n] = eval.Feature{Term: uint32(term), Count: int16(word >> lane)}
				n += 1 + int(term)>>15 // by 1 if there is a term; a branch would be unpredictable
				word &^= math.MaxUint16 << lane
			}
		}
	}
	*t = trace{}
	// Slots are in the order of the terms, but the counters' are last.
	dst = dst[:n]
	for i := max(first, n-len(counters)); i < n; i++ {
		f, j := dst[i], i
		for ; j > first && dst[j-1].Term > f.Term; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = f
	}
	return dst
}
