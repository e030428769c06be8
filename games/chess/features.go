package chess

import "kifu/games"

var _ games.MoveFeatures[Position] = Rules{}

// Features of moves that people look for, or overlook. Exchanges are static ones (ExchangeAtLeast).
const (
	movesKnight = iota
	movesBishop
	movesRook
	movesQueen
	movesKing
	castlesShort
	castlesLong
	twoSquares
	advancesPassed
	pawnAttacksMan
	pushesShelter
	toQueen
	toLess
	takesPawn
	takesMinor
	takesRook
	takesQueen
	winsExchange
	evenExchange
	losesExchange
	takesHanging
	hangsItself
	fleesLess
	fleesHanging
	fleesLast
	defendsFromLast
	defendsHanging
	unguards
	attacksMore
	attacksHanging
	attacksTwo
	nearKing
	takesChecker
	interposes
	discovers
	develops
	toOpenFile
	toHalfOpenFile
	toSeventh
	toRim
	givesUpCastling
	returnsHome
	doubleCheck
	mates
)

var featureNames = []string{"moves a knight", "moves a bishop", "moves a rook", "moves the queen", "moves the king", "castles short", "castles long",
	"pawn moves two squares", "advances a passed pawn", "pawn attacks a piece", "moves a pawn in front of the castled king", "promotes to a queen", "promotes to less than a queen",
	"takes a pawn", "takes a knight or bishop", "takes a rook", "takes a queen", "takes and wins the exchange", "takes in an even exchange", "takes and loses the exchange", "takes a man that hangs",
	"moves to where it is lost", "moves a man that a lesser one attacks", "moves a man that hangs", "moves a man that the last move attacks", "defends a man that the last move attacks", "defends a man that hung", "leaves a man without defence",
	"attacks a man worth more", "attacks a man that hangs", "attacks two pieces", "attacks next to the enemy king", "takes the checking man", "interposes against a check",
	"discovers an attack on a piece", "develops a knight or bishop", "rook to an open file", "rook to a half-open file", "rook or queen to the seventh rank", "knight to the rim",
	"gives up castling", "returns to the first rank", "gives double check", "mates"}

// MoveFeatures implements games.MoveFeatures.
func (Rules) MoveFeatures() []string { return featureNames }

// EachMoveFeature implements games.MoveFeatures.
func (Rules) EachMoveFeature(p Position, moves []games.Move, last int, f func(move, feature int)) {
	facts := manFacts{Position: &p, own: p.Side(p.side), their: p.Side(p.side ^ 1), checkers: p.Checkers()}
	facts.ownGuard, facts.theirGuard = p.attacksOf(facts.own, p.Occupied()), p.attacksOf(facts.their, p.Occupied())
	facts.hung = facts.own & facts.theirGuard &^ facts.ownGuard &^ p.Kings()
	if last >= 0 && facts.their.Has(Square(last).Flip()) {
		facts.attacked = p.AttacksFrom(Square(last).Flip(), p.Occupied()) & facts.own
	}
	for i, m := range moves {
		next := p.Play(m)
		add := func(feature int, is bool) {
			if is {
				f(i, feature)
			}
		}
		facts.kind(m, add)
		facts.capture(m, add)
		after := next.attacksOf(next.Side(p.side^1), next.Occupied())
		facts.safety(&next, after, m, add)
		facts.attack(&next, after, m, add)
		facts.place(m, add)
	}
}

// manFacts holds what the men of a position do, before a move.
type manFacts struct {
	*Position
	own, their, checkers Bitboard
	ownGuard, theirGuard Bitboard // squares attacked
	hung, attacked       Bitboard // own men that are attacked and not defended; that the man moved last attacks
}

// kind adds what moves, and how.
func (t *manFacts) kind(m games.Move, add func(int, bool)) {
	k, from, to := KindOf(m), From(m), To(m)
	if k != Pawn {
		add(movesKnight+int(k-Knight), true)
	}
	if IsCastling(m) {
		add(castlesShort, to.File() > from.File())
		add(castlesLong, to.File() < from.File())
	}
	home := RankOf(7 * int(t.side))
	add(givesUpCastling, !IsCastling(m) && t.castle&home != 0 && (k == King || t.castle.Has(from)))
	add(develops, (k == Knight || k == Bishop) && home.Has(from))
	add(returnsHome, k != King && k != Pawn && home.Has(to) && !home.Has(from))
	if k != Pawn {
		return
	}
	add(twoSquares, to-from == 16 || from-to == 16)
	mine, theirs := t.Pawns()&t.own, t.Pawns()&t.their
	if t.side == Black {
		add(advancesPassed, passedPawns(mine.Flip(), theirs.Flip()).Has(from.Flip()))
	} else {
		add(advancesPassed, passedPawns(mine, theirs).Has(from))
	}
	add(pushesShelter, KingAttacks(t.King(t.side)).Has(from) && home.Has(t.King(t.side)))
	add(toQueen, Promotion(m) == Queen)
	add(toLess, Promotion(m) != NoKind && Promotion(m) != Queen)
}

// capture adds what is taken, and what the exchange comes to.
func (t *manFacts) capture(m games.Move, add func(int, bool)) {
	if !t.IsCapture(m) {
		return
	}
	switch t.Taken(m) {
	case Pawn:
		add(takesPawn, true)
	case Knight, Bishop:
		add(takesMinor, true)
	case Rook:
		add(takesRook, true)
	case Queen:
		add(takesQueen, true)
	}
	switch {
	case t.ExchangeAtLeast(m, 1):
		add(winsExchange, true)
	case t.ExchangeAtLeast(m, 0):
		add(evenExchange, true)
	default:
		add(losesExchange, true)
	}
	add(takesHanging, !t.theirGuard.Has(To(m)))
	add(takesChecker, t.checkers.Has(To(m)))
}

// safety adds what the move does for the own men, of which the other side then attacks some.
func (t *manFacts) safety(next *Position, attacked Bitboard, m games.Move, add func(int, bool)) {
	from, to := From(m), To(m)
	add(hangsItself, !t.IsCapture(m) && !IsCastling(m) && !t.ExchangeAtLeast(m, 0))
	add(fleesHanging, t.hung.Has(from))
	add(fleesLess, !t.hung.Has(from) && t.attackedByLess(from))
	add(fleesLast, t.attacked.Has(from))
	own := next.Side(t.side)
	guard := next.attacksOf(own, next.Occupied())
	add(defendsFromLast, t.attacked&own&^from.Bit()&guard&^t.ownGuard != 0)
	add(defendsHanging, t.hung&own&^from.Bit()&guard != 0)
	add(unguards, own&attacked&^guard&^next.Kings()&^to.Bit()&^t.hung != 0)
	add(interposes, t.checkers != 0 && KindOf(m) != King && !t.checkers.Has(to) && !IsPassing(m))
}

// attackedByLess reports whether a man of less value attacks one's own man on s.
func (t *manFacts) attackedByLess(s Square) bool {
	own := ExchangeValues[t.KindAt(s)]
	for men := t.Attackers(s, t.Occupied()) & t.their; men != 0; men = men.Rest() {
		if ExchangeValues[t.KindAt(men.First())] < own {
			return true
		}
	}
	return false
}

// attack adds what the man that moved attacks, and the line it opened; guard is what the other side's men then attack.
func (t *manFacts) attack(next *Position, guard Bitboard, m games.Move, add func(int, bool)) {
	to := To(m)
	their := next.Side(t.side ^ 1)
	reach := next.AttacksFrom(to, next.Occupied())
	kind := next.KindAt(to)
	pieces, more := reach&their&^next.Pawns()&^next.Kings(), false
	for men := pieces; men != 0; men = men.Rest() {
		more = more || ExchangeValues[next.KindAt(men.First())] > ExchangeValues[kind]
	}
	add(pawnAttacksMan, KindOf(m) == Pawn && pieces != 0)
	add(attacksMore, more)
	add(attacksHanging, reach&their&^guard&^next.Kings() != 0)
	add(attacksTwo, pieces.Rest() != 0 || pieces != 0 && reach&their&next.Kings() != 0)
	add(nearKing, reach&KingAttacks(next.King(t.side^1)) != 0)
	checkers := next.Checkers()
	add(doubleCheck, checkers.Rest() != 0)
	add(mates, checkers != 0 && next.Outcome() != games.Undecided)
	behind := Bitboard(0)
	for men := (next.Diagonal() | next.Straight()) & next.Side(t.side) &^ to.Bit(); men != 0; men = men.Rest() {
		s := men.First()
		behind |= next.AttacksFrom(s, next.Occupied()) &^ t.AttacksFrom(s, t.Occupied())
	}
	add(discovers, behind&their&^next.Pawns() != 0)
}

// place adds where the man goes.
func (t *manFacts) place(m games.Move, add func(int, bool)) {
	k, to := KindOf(m), To(m)
	file := FileOf(to.File())
	switch k {
	case Rook:
		open := file&t.Pawns() == 0
		add(toOpenFile, open)
		add(toHalfOpenFile, !open && file&t.Pawns()&t.own == 0)
	case Knight:
		add(toRim, to.File() == 0 || to.File() == 7)
	}
	add(toSeventh, (k == Rook || k == Queen) && to.Rank() == 6-5*int(t.side))
}
