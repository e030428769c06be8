package chess

import (
	"kifu/games"
	"kifu/games/chess"
)

// view is the position as seen by one player, turned so that its pawns go up: ranks count
// from its own side. It holds what the term functions share.
type view struct {
	sign int          // 1 for White, -1 for Black
	turn chess.Square // a square of the view, exclusive or turn, is the board's

	men     [8]chess.Bitboard // own men by Kind; all of them at 0
	foe     [8]chess.Bitboard // the other's
	occ     chess.Bitboard
	king    chess.Square
	foeKing chess.Square
	toMove  bool
	castle  chess.Bitboard // own rooks that may castle

	facts    *pawnFacts
	foeSpan  chess.Bitboard // squares that the other's pawns attack or may attack later
	files    chess.Bitboard // files of the own pawns
	foeFiles chess.Bitboard // files of the other's pawns
	pawns    int            // number of own pawns
	area     chess.Bitboard // squares that count as mobility
	pinned   chess.Bitboard // own men pinned to the king

	// Attacks by Kind, of all men at 0; twice are the squares that two men attack. They are
	// complete after the pieces of both players have been processed.
	by, foeBy       [8]chess.Bitboard
	twice, foeTwice chess.Bitboard

	// The attack on the other's king, as far as pieces contribute.
	zone      chess.Bitboard
	attackers int
	units     int
}

// one counts a term once for the player of v and returns its weight. Term functions add up
// the results of one and times, and the values of men, in a local sum: a sum in memory would cost more than
// the counting.
func (e *evaluator) one(v *view, slot int) packed {
	if e.counting {
		e.tally.add(slot, v.sign)
	}
	return e.weights[slot&(slots-1)]
}

// times counts a term n times.
func (e *evaluator) times(v *view, slot, n int) packed {
	if e.counting {
		e.tally.add(slot, n*v.sign)
	}
	return e.weights[slot&(slots-1)] * packed(n)
}

// extract walks p once and returns the packed sum of all terms, White's less Black's. It
// sets e.phase. Value and Trace both use it.
func (e *evaluator) extract(p *chess.Position) packed {
	e.phase = p.Phase()
	w, b := &e.views[0], &e.views[1]
	look(p, w, b)
	sum := e.structure(w, b)
	sum += e.pieces(w) - e.pieces(b)
	exchangeAttacks(w, b)
	sum += e.attack(w) - e.attack(b)
	sum += e.defence(w, p) - e.defence(b, p)
	sum += e.passedPawns(w) - e.passedPawns(b)
	sum += e.threats(w, p) - e.threats(b, p)
	sum += e.space(w) - e.space(b)
	sum += e.countersOf(false, w, b)
	if w.toMove {
		return sum + e.one(w, tempo)
	}
	return sum - e.one(b, tempo)
}

// look sets up both views.
func look(p *chess.Position, w, b *view) {
	black := p.Side(chess.Black)
	w.men[0], w.foe[0] = p.Occupied()&^black, black
	b.men[0], b.foe[0] = black.Flip(), w.men[0].Flip()
	split := func(k chess.Kind, men chess.Bitboard) {
		own, foe := men&^black, men&black
		w.men[k], w.foe[k] = own, foe
		b.men[k], b.foe[k] = foe.Flip(), own.Flip()
	}
	split(chess.Pawn, p.Pawns())
	split(chess.Knight, p.Knights())
	split(chess.Bishop, p.Bishops())
	split(chess.Rook, p.Rooks())
	split(chess.Queen, p.Queens())
	split(chess.King, p.Kings())
	w.occ, b.occ = w.men[0]|black, b.men[0]|b.foe[0]
	w.king, w.foeKing = w.men[chess.King].First(), w.foe[chess.King].First()
	b.king, b.foeKing = w.foeKing.Flip(), w.king.Flip()
	rooks := p.CastlingRooks()
	w.castle, b.castle = rooks&chess.Rank1, (rooks & chess.Rank8).Flip()
	w.toMove = p.ToMove() == games.First
	b.toMove = !w.toMove
	w.sign, b.sign = 1, -1
	w.turn, b.turn = 0, 56
	w.seePawns()
	b.seePawns()
	w.area = ^(w.men[chess.Pawn] | w.men[chess.King] | b.by[chess.Pawn].Flip())
	b.area = ^(b.men[chess.Pawn] | b.men[chess.King] | w.by[chess.Pawn].Flip())
}

// seePawns sets the attacks of pawns and king, the pins and the zone of the attack. Those of pieces are empty.
func (v *view) seePawns() {
	v.attackers, v.units = 0, 0
	v.by = [8]chess.Bitboard{}
	pawns := v.men[chess.Pawn]
	west, east := pawns.West().North(), pawns.East().North()
	king := chess.KingAttacks(v.king)
	v.by[chess.Pawn], v.by[chess.King] = west|east, king
	v.by[0] = west | east | king
	v.twice = west&east | (west|east)&king

	ring := chess.KingAttacks(v.foeKing)
	v.zone = ring | ring.South() | v.foeKing.Bit()

	v.pinned = 0
	snipers := chess.BishopRays(v.king)&(v.foe[chess.Bishop]|v.foe[chess.Queen]) |
		chess.RookRays(v.king)&(v.foe[chess.Rook]|v.foe[chess.Queen])
	for ; snipers != 0; snipers = snipers.Rest() {
		if b := chess.Between(v.king, snipers.First()) & v.occ; b != 0 && b.Rest() == 0 {
			v.pinned |= b & v.men[0]
		}
	}
}

// mark adds the attacks of one man.
func (v *view) mark(k chess.Kind, attacks chess.Bitboard) {
	v.twice |= v.by[0] & attacks
	v.by[0] |= attacks
	v.by[k&7] |= attacks
}

// exchangeAttacks gives each player the attacks of the other.
func exchangeAttacks(w, b *view) {
	exchange := func(k chess.Kind) { w.foeBy[k], b.foeBy[k] = b.by[k].Flip(), w.by[k].Flip() }
	exchange(chess.NoKind)
	exchange(chess.Pawn)
	exchange(chess.Knight)
	exchange(chess.Bishop)
	exchange(chess.Rook)
	exchange(chess.Queen)
	w.foeTwice, b.foeTwice = b.twice.Flip(), w.twice.Flip()
}
