package shogi

import "kifu/games"

// Black (先手) moves first from the usual start and is at the bottom; White (後手)
// moves first in handicap games.
const (
	Black = games.First
	White = games.Second
)

// Kind is a kind of piece. The fourth bit is set in promoted pieces, and in the king.
type Kind uint8

// The kinds; a promoted one is its base plus Promoted.
const (
	NoKind Kind = iota
	Pawn
	Lance
	Knight
	Silver
	Bishop
	Rook
	Gold
	King
	Tokin          // a promoted pawn
	PromotedLance  // moves as a gold, like Tokin
	PromotedKnight // ditto
	PromotedSilver // ditto
	Horse          // a promoted bishop
	Dragon         // a promoted rook

	Promoted Kind = 8
)

// Base returns the kind that k has in hand.
func (k Kind) Base() Kind {
	if k > King {
		return k - Promoted
	}
	return k
}

// CanPromote reports whether pieces of the kind promote.
func (k Kind) CanPromote() bool { return k >= Pawn && k <= Rook }

// GoldLike reports whether pieces of the kind move as a gold.
func (k Kind) GoldLike() bool { return k == Gold || k >= Tokin && k <= PromotedSilver }

// handOrder is the order in which SFEN lists hands.
var handOrder = [7]Kind{Rook, Bishop, Gold, Silver, Knight, Lance, Pawn}

// total is how many pieces of a kind a full set has, promoted ones included.
var total = [8]int{Pawn: 18, Lance: 4, Knight: 4, Silver: 4, Bishop: 2, Rook: 2, Gold: 4}

// Hand is the pieces in hand of one side: counts by kind, in 21 bits.
type Hand uint32

var (
	handShift = [8]uint8{Pawn: 0, Lance: 5, Knight: 8, Silver: 11, Bishop: 14, Rook: 16, Gold: 18}
	handMask  = [8]uint32{Pawn: 31, Lance: 7, Knight: 7, Silver: 7, Bishop: 3, Rook: 3, Gold: 7}
)

// Count returns the number of pieces of kind k, Pawn to Gold.
func (h Hand) Count(k Kind) int { return int(uint32(h) >> handShift[k&7] & handMask[k&7]) }

// one returns a hand with a single piece of kind k, to add or to subtract.
func one(k Kind) Hand { return 1 << handShift[k&7] }
