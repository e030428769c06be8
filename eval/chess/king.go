package chess

import "kifu/games/chess"

// attack adds the attack of v's men on the other king. The danger is counted in units:
// the units of the attacking pieces (attackUnits), two for every safe check and for every weak
// square next to the king; two units make a bucket.
func (e *Evaluator) attack(v *view) (sum packed) {
	king := v.foeKing
	sum += e.one(v, attackers+min(v.attackers, 5))
	ring := chess.KingAttacks(king) | king.Bit()
	// Weak squares are those defended at most by king or queen.
	held := v.foeBy[chess.Pawn] | v.foeBy[chess.Knight] | v.foeBy[chess.Bishop] | v.foeBy[chess.Rook]
	weak := v.by[0] &^ held &^ v.foeTwice
	ringWeak := (weak & ring).Count()
	sum += e.one(v, weakRing+min(ringWeak, 6))
	units := v.units + 2*ringWeak

	safe := ^v.men[0] & (^v.foeBy[0] | weak&v.twice)
	straight, diagonal := chess.RookAttacks(king, v.occ), chess.BishopAttacks(king, v.occ)
	checks := [4]chess.Bitboard{
		chess.KnightAttacks(king) & v.by[chess.Knight] &^ v.men[0],
		diagonal & v.by[chess.Bishop] &^ v.men[0],
		straight & v.by[chess.Rook] &^ v.men[0],
		(straight | diagonal) & v.by[chess.Queen] &^ v.men[0],
	}
	unsafe := 0
	for i, check := range checks {
		n := some(check & safe)
		sum += e.times(v, safeCheck+int(chess.Knight)+i, n)
		units += 2 * n
		unsafe += some(check) - n
	}
	sum += e.times(v, unsafeChecks, unsafe)
	return sum + e.one(v, danger+min(units/2, 15))
}

// defence adds the terms of v's own king: flight squares, pins, the wing around it.
func (e *Evaluator) defence(v *view, p *chess.Position) (sum packed) {
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
