// Package polyglot makes the random numbers that the keys of Polyglot's opening books are sums of.
//
// In goes nothing. Out come the numbers, first one for each man on each square, and the places of the others. Reads no
// book.
package polyglot

import "sync"

// The numbers of the men on squares come first; these are where the others begin.
const (
	Castling = 768
	Passing  = 772
	Turn     = 780
)

// Numbers returns the numbers of Polyglot's keys: ISAAC-64 (R. Jenkins, "ISAAC", 1996) generates
// them from the seed 0, each block of 256 from its end.
var Numbers = sync.OnceValue(func() []uint64 {
	var numbers []uint64
	var a, b, c uint64
	state := seeded()
	for len(numbers) <= Turn {
		var block [256]uint64
		c++
		b += c
		for i := range state {
			x := state[i]
			a = [4]uint64{^(a ^ a<<21), a ^ a>>5, a ^ a<<12, a ^ a>>33}[i%4] + state[(i+128)%256]
			state[i] += state[x>>3%256] + a + b - x
			b = state[state[i]>>11%256] + x
			block[len(block)-1-i] = b
		}
		numbers = append(numbers, block[:]...)
	}
	return numbers
})

// seeded is the state of ISAAC-64 with the seed 0.
func seeded() (state [256]uint64) {
	var s [8]uint64
	for i := range s {
		s[i] = 0x9e3779b97f4a7c13 // the golden ratio
	}
	for range 4 {
		mix(&s)
	}
	for range 2 {
		for i := 0; i < len(state); i += len(s) {
			for k := range s {
				s[k] += state[i+k] // 0 at first
			}
			mix(&s)
			copy(state[i:], s[:])
		}
	}
	return state
}

// mix is ISAAC-64's mixing of eight numbers.
func mix(s *[8]uint64) {
	for i, shift := range [8]int{9, 9, 23, 15, 14, 20, 17, 14} {
		before, to := (i+7)%8, (i+5)%8
		s[i] -= s[(i+4)%8]
		if i%2 == 0 {
			s[to] ^= s[before] >> shift
		} else {
			s[to] ^= s[before] << shift
		}
		s[before] += s[i]
	}
}
