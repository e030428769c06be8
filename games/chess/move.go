package chess

import "kifu/games"

// A games.Move of chess encodes from the high bits to the low: the kind that moves, a flag, the
// origin, the target and the promotion. A generator that goes by kind, flag and square
// therefore yields moves in ascending order without sorting.
//
//	bits  0–2  promotion (Kind)
//	bits  3–8  to; in castling the square of the own rook
//	bits  9–14 from
//	bits 15–17 flag
//	bits 18–20 Kind that moves
const (
	toShift   = 3
	fromShift = 9
	flagShift = 15
	kindShift = 18
)

// Flags, in the order in which the generator goes through a kind's moves.
const (
	flagPlain    = iota // a king's or piece's move, a pawn's single step
	flagDouble          // a pawn's double step
	flagTakeWest        // a pawn takes towards the a-file
	flagTakeEast        // a pawn takes towards the h-file
	flagPassing         // a pawn takes in passing
	flagCastle
)

func newMove(k Kind, flag int, from, to Square, promo Kind) games.Move {
	return games.Move(k)<<kindShift | games.Move(flag)<<flagShift | games.Move(from)<<fromShift | games.Move(to)<<toShift | games.Move(promo)
}

// From returns the square that m leaves.
func From(m games.Move) Square { return Square(m >> fromShift & 63) }

// To returns the square that m goes to; when m castles, the square of the own rook.
func To(m games.Move) Square { return Square(m >> toShift & 63) }

// KindOf returns the kind of man that m moves, Pawn when it promotes.
func KindOf(m games.Move) Kind { return Kind(m >> kindShift & 7) }

// Promotion returns the kind that the pawn becomes, NoKind when m does not promote.
func Promotion(m games.Move) Kind { return Kind(m & 7) }

// IsCastling reports whether m castles.
func IsCastling(m games.Move) bool { return flagOf(m) == flagCastle }

// IsPassing reports whether m takes in passing.
func IsPassing(m games.Move) bool { return flagOf(m) == flagPassing }

func flagOf(m games.Move) int { return int(m >> flagShift & 7) }

// IsCapture reports whether m, legal in p, takes a man.
func (p *Position) IsCapture(m games.Move) bool {
	return p.Taken(m) != NoKind
}

// Taken returns the kind of man that m, legal in p, takes; NoKind when none.
func (p *Position) Taken(m games.Move) Kind {
	switch flagOf(m) {
	case flagPassing:
		return Pawn
	case flagCastle:
		return NoKind
	}
	return p.KindAt(To(m))
}
