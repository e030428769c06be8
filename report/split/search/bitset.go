package search

import "math/bits"

// bitset is a set of row numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

func (b bitset) count() (n int) { return b.common(b) }

func (b bitset) common(c bitset) (n int) {
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}
