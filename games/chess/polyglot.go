package chess

import (
	"sync"

	"kifu/games"
)

// BookKey returns the key of p in Polyglot's opening books. An en passant square counts where such a capture is legal;
// in Polyglot it also counts where the capturing pawn is pinned.
func (Rules) BookKey(p Position) (key uint64) {
	numbers := bookNumbers()
	for men := p.Occupied(); men != 0; men = men.Rest() {
		s := men.First()
		kind := 2 * int(p.KindAt(s)-Pawn)
		if p.SideAt(s) == games.First {
			kind++
		}
		key ^= numbers[64*kind+int(s)]
	}
	for rooks := p.CastlingRooks(); rooks != 0; rooks = rooks.Rest() {
		s := rooks.First()
		at := castleNumbers + 2*int(p.SideAt(s))
		if s < p.King(p.SideAt(s)) {
			at++ // the long side
		}
		key ^= numbers[at]
	}
	if s := p.EnPassant(); s != NoSquare {
		key ^= numbers[passingNumbers+int(s)%8]
	}
	if p.ToMove() == games.First {
		key ^= numbers[turnNumber]
	}
	return key
}

// BookMove returns the code of m in Polyglot's books: target, origin and promotion, six bits, six and three. In
// castling the target is the own rook's square.
func (Rules) BookMove(m games.Move) uint16 {
	code := uint16(To(m)) | uint16(From(m))<<6
	if k := Promotion(m); k != NoKind {
		code |= uint16(k-Pawn) << 12
	}
	return code
}

// The numbers of the men on squares come first; these are where the others begin.
const (
	castleNumbers  = 768
	passingNumbers = 772
	turnNumber     = 780
)

// bookNumbers returns the numbers of Polyglot's keys: ISAAC-64 (R. Jenkins, "ISAAC", 1996) generates
// them from the seed 0, each block of 256 from its end.
var bookNumbers = sync.OnceValue(func() []uint64 {
	var numbers []uint64
	var a, b, c uint64
	state := seeded()
	for len(numbers) <= turnNumber {
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
