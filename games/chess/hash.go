package chess

import "kifu/games"

// Zobrist keys (Zobrist, "A New Hashing Method with Application for Game Playing",
// 1970), from a fixed seed: they are part of the datasets and must never change.
var (
	menKeys     [16 * 64]uint64 // by side, kind and square; zero for NoKind
	castleKeys  [64]uint64      // by square of the rook
	epKeys      [8]uint64       // by file
	blackToMove uint64
)

func fillKeys() {
	random := splitMix(0x6b696675) // "kifu"
	for i := range menKeys {
		if k := Kind(i >> 6 & 7); k >= Pawn && k <= King {
			menKeys[i] = random.next()
		}
	}
	for f := 0; f < 8; f++ {
		castleKeys[f] = random.next()
		castleKeys[56+f] = random.next()
		epKeys[f] = random.next()
	}
	blackToMove = random.next()
}

// splitMix is SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
// Generators", 2014).
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// manKey returns the key of a man, by address so that indexing inlines without a copy.
func manKey(side games.Side, k Kind, s Square) *uint64 {
	return &menKeys[(uint(side)<<3|uint(k))<<6&0x3ff|uint(s&63)]
}

// computeHash returns the hash from scratch; Play keeps it up to date by differences.
func (p *Position) computeHash() uint64 {
	var h uint64
	for men := p.Occupied(); men != 0; men = men.Rest() {
		s := men.First()
		h ^= *manKey(p.SideAt(s), p.KindAt(s), s)
	}
	for rooks := p.castle; rooks != 0; rooks = rooks.Rest() {
		h ^= castleKeys[rooks.First()&63]
	}
	if p.ep != 0 {
		h ^= epKeys[p.ep&7]
	}
	if p.side == Black {
		h ^= blackToMove
	}
	return h
}
