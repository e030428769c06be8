package weiqi

import "math/bits"

// Point is a point of the board: 20 times its row, counted from the top, plus its
// column, counted from the left. The twentieth column is never on a board, so that a
// step off the right or the left edge leads nowhere.
type Point int16

// MinSize and MaxSize bound the number of lines of a board.
const (
	MinSize = 2
	MaxSize = 19
)

const (
	stride = MaxSize + 1
	words  = 6
)

// PointAt returns the point in a column from the left and a row from the top, both from 0.
func PointAt(column, row int) Point { return Point(row*stride + column) }

// Column returns the column of p from the left, from 0.
func (p Point) Column() int { return int(p) % stride }

// Row returns the row of p from the top, from 0.
func (p Point) Row() int { return int(p) / stride }

// Bitboard is a set of points.
type Bitboard [words]uint64

// boards are the points of each size of board. Only its initialiser writes it.
var boards = func() (all [MaxSize + 1]Bitboard) {
	for size := MinSize; size <= MaxSize; size++ {
		for row := range size {
			for column := range size {
				all[size].Add(PointAt(column, row))
			}
		}
	}
	return all
}()

// Board returns the set of all points of a board of size lines, from MinSize to MaxSize.
func Board(size int) Bitboard { return boards[size] }

// At returns the set of p alone.
func At(p Point) (b Bitboard) {
	b.Add(p)
	return b
}

// Add puts p into b.
func (b *Bitboard) Add(p Point) { b[uint(p)/64%words] |= 1 << (uint(p) % 64) }

// Remove takes p out of b.
func (b *Bitboard) Remove(p Point) { b[uint(p)/64%words] &^= 1 << (uint(p) % 64) }

// Has reports whether p is in b.
func (b *Bitboard) Has(p Point) bool { return b[uint(p)/64%words]>>(uint(p)%64)&1 != 0 }

// Empty reports whether b has no point.
func (b *Bitboard) Empty() bool { return b[0]|b[1]|b[2]|b[3]|b[4]|b[5] == 0 }

// Count returns the number of points.
func (b *Bitboard) Count() int {
	n := 0
	for i := range b {
		n += bits.OnesCount64(b[i])
	}
	return n
}

// First returns the lowest point; b must have one.
func (b *Bitboard) First() Point {
	for i := range b {
		if b[i] != 0 {
			return Point(64*i + bits.TrailingZeros64(b[i]))
		}
	}
	return 0
}

// Pop takes the lowest point out of b; ok is false when b is empty.
func (b *Bitboard) Pop() (p Point, ok bool) {
	for i, w := range b {
		if w != 0 {
			b[i] = w & (w - 1)
			return Point(64*i + bits.TrailingZeros64(w)), true
		}
	}
	return 0, false
}

// And returns the set of the points that are in both.
func (b Bitboard) And(c *Bitboard) Bitboard {
	for i := range b {
		b[i] &= c[i]
	}
	return b
}

// Or returns the set of the points that are in either.
func (b Bitboard) Or(c *Bitboard) Bitboard {
	for i := range b {
		b[i] |= c[i]
	}
	return b
}

// Without returns the set of the points of b that are not in c.
func (b Bitboard) Without(c *Bitboard) Bitboard {
	for i := range b {
		b[i] &^= c[i]
	}
	return b
}

// Meets reports whether b and c have a point in common.
func (b *Bitboard) Meets(c *Bitboard) bool {
	return b[0]&c[0]|b[1]&c[1]|b[2]&c[2]|b[3]&c[3]|b[4]&c[4]|b[5]&c[5] != 0
}

// CountAnd returns the number of points that are in both.
func (b *Bitboard) CountAnd(c *Bitboard) int {
	n := 0
	for i := range b {
		n += bits.OnesCount64(b[i] & c[i])
	}
	return n
}

// Neighbours returns the points one step from a point of b, on the board or just off it; a
// point of b is one only if it has a neighbour in b.
func (b *Bitboard) Neighbours() (n Bitboard) {
	var before uint64
	for i := range b {
		w, behind := b[i], uint64(0)
		if i+1 < words {
			behind = b[i+1]
		}
		n[i] = w<<1 | before>>63 | w>>1 | behind<<63 | w<<stride | before>>(64-stride) | w>>stride | behind<<(64-stride)
		before = w
	}
	return n
}

// Sides returns those points of word i, on the board or just off it, that have a neighbour in b, by where it is.
func (b *Bitboard) Sides(i int) (north, east, south, west uint64) {
	w, before, behind := b[i], uint64(0), uint64(0)
	if i > 0 {
		before = b[i-1]
	}
	if i+1 < words {
		behind = b[i+1]
	}
	return w<<stride | before>>(64-stride), w>>1 | behind<<63, w>>stride | behind<<(64-stride), w<<1 | before>>63
}

// neighbours has those of each point, on the board or just off it.
var neighbours = func() (all [words * 64]Bitboard) {
	for at := range all {
		one := At(Point(at))
		all[at] = one.Neighbours()
	}
	return all
}()

// Fill returns all that can be reached from seed by steps within the set b, of which seed
// must be a part. It looks only at the words around what it has reached, and fills each before the
// next: most chains are in one or two.
func (b *Bitboard) Fill(seed Bitboard) Bitboard {
	low, high := 0, words-1
	for low < high && seed[low] == 0 {
		low++
	}
	for high > low && seed[high] == 0 {
		high--
	}
	for {
		low, high = max(low-1, 0), min(high+1, words-1)
		var before uint64
		grown := false
		if low > 0 {
			before = seed[low-1]
		}
		for i := low; i <= high; i++ {
			w, behind := seed[i], uint64(0)
			if i+1 < words {
				behind = seed[i+1]
			}
			n := (w<<1|before>>63|w>>1|behind<<63|w<<stride|before>>(64-stride)|w>>stride|behind<<(64-stride))&b[i] | w
			if n != w {
				for m := uint64(0); m != n; {
					m = n
					n |= (m<<1 | m>>1 | m<<stride | m>>stride) & b[i]
				}
				grown = true
			}
			seed[i], before = n, n
		}
		if !grown {
			return seed
		}
		if seed[low] == 0 {
			low++
		}
		if seed[high] == 0 {
			high--
		}
	}
}

// East returns the points one step to the right of b, on the board or just off it.
func (b *Bitboard) East() Bitboard { return b.up(1) }

// South returns the points one step below b, on the board or just off it.
func (b *Bitboard) South() Bitboard { return b.up(stride) }

// West returns the points one step to the left of b, on the board or just off it.
func (b *Bitboard) West() Bitboard { return b.down(1) }

// North returns the points one step above b, on the board or just off it.
func (b *Bitboard) North() Bitboard { return b.down(stride) }

// up moves every point n numbers up.
func (b *Bitboard) up(n uint) (s Bitboard) {
	var before uint64
	for i, w := range b {
		s[i] = w<<(n&63) | before>>(64-n&63)
		before = w
	}
	return s
}

// down moves every point n numbers down.
func (b *Bitboard) down(n uint) (s Bitboard) {
	var behind uint64
	for i := words - 1; i >= 0; i-- {
		s[i] = b[i]>>(n&63) | behind<<(64-n&63)
		behind = b[i]
	}
	return s
}

// bits returns 19 points, one bit each, the first one lowest.
func (b *Bitboard) bits(first uint) uint64 {
	i, n := first/64, first%64
	w := b[i] >> n
	if i+1 < words {
		w |= b[i+1] << 1 << (63 - n)
	}
	return w & (1<<MaxSize - 1)
}

// spread puts a 0 above each of the lowest 32 bits.
func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000_ffff_0000_ffff
	x = (x | x<<8) & 0x00ff_00ff_00ff_00ff
	x = (x | x<<4) & 0x0f0f_0f0f_0f0f_0f0f
	x = (x | x<<2) & 0x3333_3333_3333_3333
	return (x | x<<1) & 0x5555_5555_5555_5555
}
