package chess

import (
	"kifu/games"
	"kifu/games/chess/polyglot"
)

// BookKey returns the key of p in Polyglot's opening books. An en passant square counts where such a capture is legal;
// in Polyglot it also counts where the capturing pawn is pinned.
func (Rules) BookKey(p Position) (key uint64) {
	numbers := polyglot.Numbers()
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
		at := polyglot.Castling + 2*int(p.SideAt(s))
		if s < p.King(p.SideAt(s)) {
			at++ // the long side
		}
		key ^= numbers[at]
	}
	if s := p.EnPassant(); s != NoSquare {
		key ^= numbers[polyglot.Passing+int(s)%8]
	}
	if p.ToMove() == games.First {
		key ^= numbers[polyglot.Turn]
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
