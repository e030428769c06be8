package chess

import (
	"math/bits"

	"kifu/games/chess"
)

const (
	rank4to6     chess.Bitboard = 0x0000ffffff000000
	rank6to7     chess.Bitboard = 0x00ffff0000000000
	rank5to8     chess.Bitboard = 0xffffffff00000000
	centre       chess.Bitboard = 0x0000001818000000 // d4, e4, d5, e5
	centralFiles chess.Bitboard = 0x3c3c3c3c3c3c3c3c // c to f
	rank2        chess.Bitboard = 0x000000000000ff00
	rank7        chess.Bitboard = 0x00ff000000000000
)

// attackUnits is the danger added by a piece that attacks the king's zone, besides one unit
// for every square next to the king that it attacks.
var attackUnits = [8]int{chess.Knight: 2, chess.Bishop: 2, chess.Rook: 3, chess.Queen: 4}

// pieces adds the terms of knights to queens and of the king's square, and collects their
// attacks.
func (e *evaluator) pieces(v *view) (sum packed) {
	sum += e.man[chess.King][v.king&63]
	if v.men[chess.Knight] != 0 {
		sum += e.knights(v)
	}
	if v.men[chess.Bishop] != 0 {
		sum += e.bishops(v)
	}
	if v.men[chess.Rook] != 0 {
		sum += e.rooks(v)
	}
	if v.men[chess.Queen] != 0 {
		sum += e.queens(v)
	}
	return sum
}

// move records the attacks of a piece: mobility, danger to the king, maps. free is the
// number of squares that the piece can go to.
func (e *evaluator) move(v *view, k chess.Kind, s chess.Square, attacks chess.Bitboard, mobility int) (free int, sum packed) {
	v.mark(k, attacks)
	area := attacks & v.area
	if v.pinned.Has(s) {
		area &= chess.Line(v.king, s)
	}
	free = area.Count()
	sum = e.one(v, mobility+free)
	if attacks&v.zone != 0 {
		v.attackers++
		v.units += attackUnits[k&7] + (attacks & chess.KingAttacks(v.foeKing)).Count()
		sum += e.one(v, attackBy+int(k))
	}
	return free, sum
}

// some returns 1 if b has a square, else 0.
func some(b chess.Bitboard) int { return int((b | -b) >> 63) }

func (e *evaluator) knights(v *view) (sum packed) {
	own, pawns := v.men[chess.Knight], v.men[chess.Pawn]
	reached := v.by[chess.Pawn] &^ v.men[0]
	outposts := rank4to6 &^ v.foeSpan
	for b := own; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.man[chess.Knight][s&63]
		attacks := chess.KnightAttacks(s)
		_, moving := e.move(v, chess.Knight, s, attacks, knightMobility)
		sum += moving
		reach := attacks & outposts & reached
		sum += e.times(v, knightOutpostReach, some(reach)&^some(outposts&s.Bit()))
		sum += e.times(v, knightFromKing, chess.Distance(v.king, s))
	}
	sum += e.times(v, knightOutpost, (own & outposts & v.by[chess.Pawn]).Count())
	sum += e.times(v, knightOutpostLoose, (own & outposts &^ v.by[chess.Pawn]).Count())
	sum += e.times(v, knightBehindPawn, (own & (pawns | v.foe[chess.Pawn]).South()).Count())
	return sum + e.times(v, knightPawns, own.Count()*v.pawns)
}

func (e *evaluator) bishops(v *view) (sum packed) {
	own, pawns, foePawns := v.men[chess.Bishop], v.men[chess.Pawn], v.foe[chess.Pawn]
	for b := own; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.man[chess.Bishop][s&63]
		attacks := chess.BishopAttacks(s, v.occ)
		_, moving := e.move(v, chess.Bishop, s, attacks, bishopMobility)
		sum += moving
		rays := chess.BishopRays(s)
		sum += e.times(v, bishopXray, (foePawns & rays).Count())
		sum += e.times(v, bishopFromKing, chess.Distance(v.king, s))
		if (rays & centre).Rest() != 0 {
			through := chess.BishopAttacks(s, pawns|foePawns) & centre
			sum += e.times(v, bishopLongDiagonal, some(through.Rest()))
		}
	}
	dark, light := (own & chess.DarkSquares).Count(), (own &^ chess.DarkSquares).Count()
	sum += e.times(v, bishopPawns, dark*int(v.facts.dark)+light*(v.pawns-int(v.facts.dark)))
	blocked := pawns & v.occ.South() & centralFiles
	sum += e.times(v, bishopBlockedPawns, dark*(blocked&chess.DarkSquares).Count()+light*(blocked&^chess.DarkSquares).Count())
	sum += e.times(v, bishopPair, min(dark, light, 1))
	sum += e.times(v, bishopOutpost, (own & rank4to6 & v.by[chess.Pawn] &^ v.foeSpan).Count())
	sum += e.times(v, bishopBehindPawn, (own & (pawns | foePawns).South()).Count())
	// Trapped: on a7 or a6 behind a pawn on b6 or b5; likewise on the h-file.
	if edge := own & rank6to7 & (chess.FileA | chess.FileH); edge != 0 {
		sum += e.times(v, bishopTrapped, (edge & (chess.FileA&(foePawns<<7) | chess.FileH&(foePawns<<9))).Count())
	}
	if v.oppositeBishops() {
		sum += e.times(v, oppositeBishops, v.pawns)
	}
	return sum
}

// oppositeBishops reports whether each player has one bishop, on squares of different
// colours, and no other piece.
func (v *view) oppositeBishops() bool {
	own, foe := v.men[chess.Bishop], v.foe[chess.Bishop]
	rest := v.occ &^ (own | foe | v.men[chess.Pawn] | v.foe[chess.Pawn] | v.men[chess.King] | v.foe[chess.King])
	return rest == 0 && own.Count() == 1 && foe.Count() == 1 && ((own|foe)&chess.DarkSquares).Count() == 1
}

func (e *evaluator) rooks(v *view) (sum packed) {
	own, pawns, foePawns := v.men[chess.Rook], v.men[chess.Pawn], v.foe[chess.Pawn]
	closed := v.files // by an own pawn
	for b := own; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.man[chess.Rook][s&63]
		attacks := chess.RookAttacks(s, v.occ)
		free, moving := e.move(v, chess.Rook, s, attacks, rookMobility)
		sum += moving
		sum += e.times(v, rookConnected, some(attacks&own))
		if free <= 3 && v.castle == 0 && closed.Has(s) && (v.king.File() < 4) == (s.File() < v.king.File()) {
			sum += e.one(v, rookTrapped)
		}
	}
	half := v.foeFiles
	sum += e.times(v, rookOpen, (own &^ closed &^ half).Count())
	sum += e.times(v, rookSemiOpen, (own & half &^ closed).Count())
	sum += e.times(v, rookBlocked, (own & (pawns & v.occ.South()).FileFill()).Count())
	if v.foeKing.Rank() == 7 || foePawns&rank7 != 0 {
		sum += e.times(v, rookSeventh, (own & rank7).Count())
	}
	sum += e.times(v, rookOnQueenFile, (own & v.foe[chess.Queen].FileFill()).Count())
	sum += e.times(v, rookOnKingFile, (own & chess.FileOf(v.foeKing.File())).Count())
	return sum + e.times(v, rookPawns, own.Count()*v.pawns)
}

func (e *evaluator) queens(v *view) (sum packed) {
	own := v.men[chess.Queen]
	for b := own; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.man[chess.Queen][s&63]
		_, moving := e.move(v, chess.Queen, s, chess.QueenAttacks(s, v.occ), queenMobility)
		sum += moving
		sum += e.times(v, queenNearKing, chess.Distance(s, v.foeKing))
		snipers := chess.BishopRays(s)&v.foe[chess.Bishop] | chess.RookRays(s)&v.foe[chess.Rook]
		for ; snipers != 0; snipers = snipers.Rest() {
			if b := chess.Between(s, snipers.First()) & v.occ; b != 0 && b.Rest() == 0 {
				sum += e.one(v, queenShadowed)
				break
			}
		}
	}
	early := (v.men[chess.Knight] | v.men[chess.Bishop]) & chess.Rank1
	sum += e.times(v, queenEarly, (own&^(chess.Rank1|rank2)).Count()*early.Count())
	return sum + e.times(v, queenInside, (own&rank5to8&^v.foeSpan).Count())
}

// threats adds what v's men attack.
func (e *evaluator) threats(v *view, p *chess.Position) (sum packed) {
	foe, weakPawns := v.foe[0], v.foe[chess.Pawn]&^v.foeBy[chess.Pawn]
	if hit := foe & v.by[chess.Pawn] &^ v.foe[chess.Pawn]; hit != 0 {
		sum += e.byKind(v, p, threatByPawn, hit)
	}
	soft := foe &^ v.foe[chess.Pawn] &^ v.foe[chess.King]
	if hit := v.by[chess.Knight] & (soft&^v.foe[chess.Knight] | weakPawns); hit != 0 {
		sum += e.byKind(v, p, threatByKnight, hit)
	}
	if hit := v.by[chess.Bishop] & (soft&^v.foe[chess.Bishop] | weakPawns); hit != 0 {
		sum += e.byKind(v, p, threatByBishop, hit)
	}
	if hit := v.by[chess.Rook] & (soft&^v.foe[chess.Rook] | weakPawns) &^ (v.foeBy[chess.Pawn] &^ v.foe[chess.Queen]); hit != 0 {
		sum += e.byKind(v, p, threatByRook, hit)
	}
	open := foe &^ v.foeBy[0]
	if hit := v.by[chess.King] & open; hit != 0 {
		sum += e.byKind(v, p, threatByKing, hit)
	}
	if hit := v.by[0] & open &^ v.foe[chess.King]; hit != 0 {
		sum += e.byKind(v, p, hanging, hit)
		if v.toMove {
			sum += e.byKind(v, p, hangingToMove, hit)
		}
	}
	sum += e.times(v, loose, (open & (soft &^ v.foe[chess.Queen])).Count())

	safe := ^v.foeBy[chess.Pawn] & (v.by[0] | ^v.foeBy[0])
	push := v.men[chess.Pawn].North() &^ v.occ
	push |= (push & (rank2 << 8)).North() &^ v.occ
	pushes := chess.PawnsAttack(chess.White, push&safe) & (soft | v.foe[chess.King])
	sum += e.times(v, pushThreat, pushes.Count())
	strong := v.foeBy[chess.Pawn] | v.foeTwice&^v.twice
	sum += e.times(v, restricted, (v.by[0] & v.foeBy[0] &^ strong &^ v.occ).Count())
	if q := v.foe[chess.Queen]; q != 0 && q.Rest() == 0 {
		s := q.First()
		// Bishops and rooks attack her from the squares that she attacks on their lines.
		lines := v.foeBy[chess.Queen] & (chess.BishopRays(s)&v.by[chess.Bishop] | chess.RookRays(s)&v.by[chess.Rook])
		chase := chess.KnightAttacks(s)&v.by[chess.Knight] | lines
		sum += e.times(v, queenChased, (chase & safe &^ v.men[0]).Count())
	}
	return sum
}

// byKind counts men by their kind.
func (e *evaluator) byKind(v *view, p *chess.Position, slot int, men chess.Bitboard) (sum packed) {
	for ; men != 0; men = men.Rest() {
		sum += e.one(v, slot+int(p.KindAt(men.First()^v.turn)))
	}
	return sum
}

// space adds room behind the pawns and hold on the centre.
func (e *evaluator) space(v *view) (sum packed) {
	camp := centralFiles & (rank2 | rank2<<8 | rank2<<16) &^ v.men[chess.Pawn] &^ v.foeBy[chess.Pawn]
	behind := v.men[chess.Pawn].South()
	behind |= behind.South()
	behind |= behind.South()
	sum += e.times(v, spaceSafe, camp.Count())
	sum += e.times(v, spaceBehind, (camp & behind &^ v.foeBy[0]).Count())
	sum += e.times(v, centrePawns, (v.by[chess.Pawn] & centre).Count())
	pieces := v.by[chess.Knight] | v.by[chess.Bishop] | v.by[chess.Rook] | v.by[chess.Queen]
	sum += e.times(v, centrePieces, bits.OnesCount64(uint64(pieces&centre)))
	return sum
}
