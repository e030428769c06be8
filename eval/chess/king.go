package chess

import "kifu/games/chess"

// attack adds the attack of v's men on the other king. The danger is counted in units:
// the units of the attacking pieces (attackUnits), two for every safe check and for every weak
// square next to the king; two units make a bucket.
func (e *evaluator) attack(v *view) (sum packed) {
	king := v.foeKing
	sum += e.one(v, attackers+min(v.attackers, 5))
	ring := chess.KingAttacks(king) | king.Bit()
	// Weak squares are those defended at most by king or queen.
	held := v.foeBy[chess.Pawn] | v.foeBy[chess.Knight] | v.foeBy[chess.Bishop] | v.foeBy[chess.Rook]
	weak := v.by[0] &^ held &^ v.foeTwice
	ringWeak := (weak & ring).Count()
	sum += e.one(v, weakRing+min(ringWeak, 6))
	units := v.units + 2*ringWeak

	free := ^v.men[0]
	safe := free & (^v.foeBy[0] | weak&v.twice)
	straight, diagonal := chess.RookAttacks(king, v.occ), chess.BishopAttacks(king, v.occ)
	knight, bishop := chess.KnightAttacks(king)&v.by[chess.Knight], diagonal&v.by[chess.Bishop]
	rook, queen := straight&v.by[chess.Rook], (straight|diagonal)&v.by[chess.Queen]
	knights, bishops, rooks, queens := some(knight&safe), some(bishop&safe), some(rook&safe), some(queen&safe)
	sum += e.times(v, safeCheck+int(chess.Knight), knights)
	sum += e.times(v, safeCheck+int(chess.Bishop), bishops)
	sum += e.times(v, safeCheck+int(chess.Rook), rooks)
	sum += e.times(v, safeCheck+int(chess.Queen), queens)
	checks := knights + bishops + rooks + queens
	units += 2 * checks
	sum += e.times(v, unsafeChecks, some(knight&free)+some(bishop&free)+some(rook&free)+some(queen&free)-checks)
	return sum + e.one(v, danger+min(units/2, 15))
}

// defence adds the terms of v's own king: flight squares, pins, the wing around it.
func (e *evaluator) defence(v *view, p *chess.Position) (sum packed) {
	sum += e.one(v, kingFlight+(v.by[chess.King]&^v.men[0]&^v.foeBy[0]).Count())
	sum += e.byKind(v, p, pinned, v.pinned)
	wing := wings[v.king.File()] & 0x000000ffffffffff
	sum += e.times(v, flankAttack, (wing & v.foeBy[0]).Count())
	sum += e.times(v, flankDefence, (wing & v.by[0]).Count())
	short := (v.castle >> (v.king & 63)).Count()
	sum += e.times(v, castleShort, short)
	return sum + e.times(v, castleLong, v.castle.Count()-short)
}

// wings are four files around a king's file: a–d, c–f or e–h.
var wings = [8]chess.Bitboard{
	0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f,
	centralFiles, centralFiles,
	0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0,
}
