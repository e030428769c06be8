package chess

import (
	"math/bits"
	"slices"

	"kifu/eval"
	"kifu/games/chess"
)

// trace counts terms, by slot, and marks the slots that were touched, so that taking the counts goes
// through these alone. Material and squares are counted when they are taken.
type trace struct {
	counts  [slots]int16
	touched [slots / 64]uint64
	termed  [slots / 64]uint64   // slots with a term; the others' counts mean nothing
	men     [2][8]chess.Bitboard // as each player sees its own
}

// reset makes all counts 0.
func (t *trace) reset() {
	clear(t.counts[:])
	clear(t.touched[:])
}

// slotCount is the count of a slot.
type slotCount struct {
	slot  uint16
	count int16
}

func (t *trace) add(slot, n int) {
	slot &= slots - 1
	t.counts[slot] += int16(n)
	t.touched[slot/64] |= 1 << (slot % 64)
}

// record copies the counts so far; ok is false when they do not fit.
func (t *trace) record(dst []slotCount) (n uint8, ok bool) {
	for i, word := range t.touched {
		for word &= t.termed[i]; word != 0; word &= word - 1 {
			slot := i*64 + bits.TrailingZeros64(word)
			count := t.counts[slot&(slots-1)]
			if count == 0 {
				continue
			}
			if int(n) == len(dst) {
				return 0, false
			}
			dst[n] = slotCount{uint16(slot), count}
			n++
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

// appendTerms appends the terms that were counted, in ascending order, and resets them.
func (t *trace) appendTerms(termOf *[slots]int16, dst []eval.Feature) []eval.Feature {
	first := len(dst)
	dst = slices.Grow(dst, slots)[:first+slots]
	n := t.takeMen(termOf, dst, first)
	for i, word := range t.touched {
		t.touched[i] = 0
		terms, counts := (*[64]int16)(termOf[64*i:]), (*[64]int16)(t.counts[64*i:])
		for word &= t.termed[i]; word != 0; word &= word - 1 {
			s := bits.TrailingZeros64(word) & 63
			count := counts[s]
			counts[s] = 0
			dst[n] = eval.Feature{Term: uint32(terms[s]), Count: count}
			n += int(uint16(count|-count) >> 15) // if there is a count; a branch would be unpredictable
		}
	}
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

// takeMen writes the terms of material and squares to dst from n on and returns where they end.
func (t *trace) takeMen(termOf *[slots]int16, dst []eval.Feature, n int) int {
	own, foe := &t.men[0], &t.men[1]
	for k := chess.Pawn; k < chess.King; k++ {
		if count := own[k].Count() - foe[k].Count(); count != 0 {
			dst[n] = eval.Feature{Term: uint32(termOf[material+int(k)]), Count: int16(count)}
			n++
		}
	}
	for k := chess.Pawn; k <= chess.King; k++ {
		// Squares that both have, seen from their own sides, cancel.
		for b := own[k] ^ foe[k]; b != 0; b = b.Rest() {
			s := b.First()
			term := termOf[(pst-64+64*int(k)+int(s))&(slots-1)]
			dst[n] = eval.Feature{Term: uint32(term), Count: int16(own[k]>>(s&63)&1)<<1 - 1}
			n += 1 + int(term)>>15 // if it has a term
		}
	}
	return n
}
