package chess

import "kifu/games/chess"

// attack adds the attack of v's men on the other king. The danger is counted in units:
// the units of the attacking pieces (attackUnits), two for every safe check and for every weak
// square next to the king; two units make a bucket.
func (e *Evaluator) attack(v *view) (sum packed) {
	king := v.foeKing
	if v.attackers > 1 {
		sum += e.one(v, attackers+min(v.attackers, 5))
	}
	units := v.units
	ring := chess.KingAttacks(king) | king.Bit()
	// Weak squares are those defended at most by king or queen.
	held := v.foeBy[chess.Pawn] | v.foeBy[chess.Knight] | v.foeBy[chess.Bishop] | v.foeBy[chess.Rook]
	weak := v.by[0] &^ held &^ v.foeTwice
	if n := (weak & ring).Count(); n > 0 {
		sum += e.one(v, weakRing+min(n, 6))
		units += 2 * n
	}

	safe := ^v.men[0] & (^v.foeBy[0] | weak&v.twice)
	straight, diagonal := chess.RookAttacks(king, v.occ), chess.BishopAttacks(king, v.occ)
	checks := [4]chess.Bitboard{
		chess.KnightAttacks(king) & v.by[chess.Knight] &^ v.men[0],
		diagonal & v.by[chess.Bishop] &^ v.men[0],
		straight & v.by[chess.Rook] &^ v.men[0],
		(straight | diagonal) & v.by[chess.Queen] &^ v.men[0],
	}
	if checks[0]|checks[1]|checks[2]|checks[3] != 0 {
		unsafe := 0
		for i, check := range checks {
			switch {
			case check == 0:
			case check&safe != 0:
				sum += e.one(v, safeCheck+int(chess.Knight)+i)
				units += 2
			default:
				unsafe++
			}
		}
		sum += e.times(v, unsafeChecks, unsafe)
	}
	if bucket := min(units/2, 15); bucket > 0 {
		sum += e.one(v, danger+bucket)
	}
	return sum
}

// defence adds the terms of v's own king: flight squares, pins, the wing around it.
func (e *Evaluator) defence(v *view, p *chess.Position) (sum packed) {
	sum += e.one(v, kingFlight+(v.by[chess.King]&^v.men[0]&^v.foeBy[0]).Count())
	sum += e.byKind(v, p, pinned, v.pinned)
	wing := wings[v.king.File()] & 0x000000ffffffffff
	sum += e.times(v, flankAttack, (wing & v.foeBy[0]).Count())
	sum += e.times(v, flankDefence, (wing & v.by[0]).Count())
	for b := v.castle; b != 0; b = b.Rest() {
		if b.First() > v.king {
			sum += e.one(v, castleShort)
		} else {
			sum += e.one(v, castleLong)
		}
	}
	return sum
}

// wings are four files around a king's file: a–d, c–f or e–h.
var wings = [8]chess.Bitboard{
	0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f,
	centralFiles, centralFiles,
	0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0, 0xf0f0f0f0f0f0f0f0,
}
