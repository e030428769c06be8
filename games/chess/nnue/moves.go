package nnue

import (
	"math/bits"

	"kifu/games"
	"kifu/games/chess"
)

// A chain is a packed entry, the number of plies that follow it (two bytes, big-endian), and
// the plies. These are read bit by bit, from the highest of a byte. Each ply has three numbers:
//
//	the man that moves, among its side's, in the fewest bits for all
//	its target, among its pseudo-legal ones, in the fewest bits for all
//	the change of the value, from the same side: four bits at a time, the lowest first, each
//	after a bit that is set if more follow

// targets are the squares that the man on from could go to, in order; castling comes after
// them, to the a-file first.
type targets struct {
	squares chess.Bitboard
	castle  chess.Bitboard // rooks with which it may still castle
	promote bool           // each square counts four times
}

func targetsOf(p *chess.Position, from chess.Square) targets {
	us := p.ToMove()
	own, occ := p.Side(us), p.Occupied()
	switch p.KindAt(from) {
	case chess.Pawn:
		return pawnTargets(p, us, from, occ)
	case chess.Knight:
		return targets{squares: chess.KnightAttacks(from) &^ own}
	case chess.Bishop:
		return targets{squares: chess.BishopAttacks(from, occ) &^ own}
	case chess.Rook:
		return targets{squares: chess.RookAttacks(from, occ) &^ own}
	case chess.Queen:
		return targets{squares: chess.QueenAttacks(from, occ) &^ own}
	case chess.King:
		return targets{squares: chess.KingAttacks(from) &^ own, castle: p.CastlingRooks() & own}
	}
	return targets{}
}

func pawnTargets(p *chess.Position, us games.Side, from chess.Square, occ chess.Bitboard) (t targets) {
	victims := p.Side(us ^ 1)
	if ep := p.EnPassant(); ep != chess.NoSquare {
		victims |= ep.Bit()
	}
	t.squares = chess.PawnAttacks(us, from) & victims
	one, step, home := from.Bit().North(), chess.Bitboard.North, 1
	if us == games.Second {
		one, step, home = from.Bit().South(), chess.Bitboard.South, 6
	}
	if one &^= occ; one != 0 {
		t.squares |= one
		if from.Rank() == home {
			t.squares |= step(one) &^ occ
		}
	}
	t.promote = from.Rank() == 7-home
	return t
}

// count is the number of targets.
func (t *targets) count() int {
	n := t.squares.Count()
	if t.promote {
		return 4 * n
	}
	return n + t.castle.Count()
}

// number returns the number of the target of m.
func (t *targets) number(m games.Move) int {
	to := chess.To(m)
	before := (t.squares & (to.Bit() - 1)).Count()
	switch {
	case t.promote:
		return 4*before + int(chess.Promotion(m)-chess.Knight)
	case chess.IsCastling(m):
		return t.squares.Count() + (t.castle & (to.Bit() - 1)).Count()
	}
	return before
}

// target returns the target of that number, and what a pawn becomes there.
func (t *targets) target(i int) (to chess.Square, promo chess.Kind, ok bool) {
	set := t.squares
	if t.promote {
		promo = chess.Knight + chess.Kind(i&3)
		i >>= 2
	} else if n := set.Count(); i >= n {
		set, i = t.castle, i-n
	}
	if i >= set.Count() {
		return 0, 0, false
	}
	return nth(set, i), promo, true
}

// nth returns the square of the set that i others precede.
func nth(set chess.Bitboard, i int) chess.Square {
	for ; i > 0; i-- {
		set = set.Rest()
	}
	return set.First()
}

// width returns the number of bits that distinguish n things.
func width(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

const valueBits = 4 // of a value's difference that are written together

// bitWriter appends bits to bytes.
type bitWriter struct {
	data []byte
	free int // bits of the last byte
}

func (w *bitWriter) add(value, n int) {
	for n > 0 {
		if w.free == 0 {
			w.data, w.free = append(w.data, 0), 8
		}
		k := min(n, w.free)
		part := byte(value>>(n-k)) & (1<<k - 1)
		w.data[len(w.data)-1] |= part << (w.free - k)
		w.free -= k
		n -= k
	}
}

func (w *bitWriter) addValue(u uint16) {
	for {
		more := 0
		if u >= 1<<valueBits {
			more = 1
		}
		w.add(more<<valueBits|int(u&(1<<valueBits-1)), valueBits+1)
		if u >>= valueBits; u == 0 {
			return
		}
	}
}

// bitReader reads them.
type bitReader struct {
	data []byte
	at   int // bit
}

// read returns the next n bits, 0 to 8.
func (r *bitReader) read(n int) (value int, ok bool) {
	if r.at+n > 8*len(r.data) {
		return 0, false
	}
	if n == 0 {
		return 0, true
	}
	i, shift := r.at>>3, r.at&7
	word := uint16(r.data[i]) << 8
	if i+1 < len(r.data) {
		word |= uint16(r.data[i+1])
	}
	r.at += n
	return int(word << shift >> (16 - n)), true
}

func (r *bitReader) takeValue() (u uint16, ok bool) {
	for shift := 0; shift < 20; shift += valueBits {
		v, ok := r.read(valueBits + 1)
		if !ok {
			return 0, false
		}
		u |= uint16(v&(1<<valueBits-1)) << shift
		if v>>valueBits == 0 {
			return u, true
		}
	}
	return 0, false
}

// size is the number of bytes that were begun.
func (r *bitReader) size() int { return (r.at + 7) >> 3 }
