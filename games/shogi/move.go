package shogi

import "kifu/games"

// A games.Move of Shogi has in its low bits, from the lowest: promotion (1 bit), the
// square it goes to (7), the square it comes from (7; 0 for a drop), its class (5). The
// class orders a generator that works kind by kind; for a drop it is dropClass plus the
// kind. Pieces that move as golds are one class: the piece on the square decides which.
const (
	toShift    = 1
	fromShift  = 8
	classShift = 15
)

// Classes of moves. The other pieces' classes are their kinds.
const (
	goldClass   = games.Move(Gold)
	kingClass   = games.Move(King)
	horseClass  = games.Move(Horse)
	dragonClass = games.Move(Dragon)
	dropClass   = 16
)

// From returns the square that a move comes from; 0 for a drop.
func From(m games.Move) Square { return Square(m >> fromShift & 127) }

// To returns the square that a move or a drop goes to.
func To(m games.Move) Square { return Square(m >> toShift & 127) }

// Promotes reports whether m promotes.
func Promotes(m games.Move) bool { return m&1 != 0 }

// IsDrop reports whether m is a drop.
func IsDrop(m games.Move) bool { return m>>classShift >= dropClass }

// Dropped returns the kind that a drop puts on the board.
func Dropped(m games.Move) Kind { return Kind(m >> classShift & 7) }

// Drop returns the drop of a piece of kind k on s.
func Drop(k Kind, s Square) games.Move {
	return (dropClass+games.Move(k))<<classShift | games.Move(s)<<toShift
}

// classOf returns the class of the board moves of kind k.
func classOf(k Kind) games.Move {
	if k.GoldLike() {
		return goldClass
	}
	return games.Move(k)
}

// boardMove returns the move of a piece of kind k.
func boardMove(k Kind, from, to Square, promote bool) games.Move {
	m := classOf(k)<<classShift | games.Move(from)<<fromShift | games.Move(to)<<toShift
	if promote {
		m |= 1
	}
	return m
}

// Moved returns the kind of the piece that m, legal in p, moves or drops, before a
// promotion.
func (p *Position) Moved(m games.Move) Kind {
	if IsDrop(m) {
		return Dropped(m)
	}
	return p.KindAt(From(m))
}

// Taken returns the kind that m, legal in p, captures; NoKind for none.
func (p *Position) Taken(m games.Move) Kind { return p.KindAt(To(m)) }
