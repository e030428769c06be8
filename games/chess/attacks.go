package chess

import "kifu/games"

// The attack tables are computed once when the program starts and never written
// again. Attacks of the sliders are indexed by "fancy" magic multiplication (Kannan,
// "Magic Move-Bitboard Generation in Computer Chess", 2007): the relevant
// occupancy times the square's magic number gives, in its top bits, an index without
// harmful collisions.
var (
	pawnAttacks   [2][64]Bitboard
	knightAttacks [64]Bitboard
	kingAttacks   [64]Bitboard
	bishopRays    [64]Bitboard // on an empty board
	rookRays      [64]Bitboard
	between       [64][64]Bitboard
	line          [64][64]Bitboard

	bishopMagic [64]magic
	rookMagic   [64]magic
	sliders     [1 << 17]Bitboard // 107,648 entries are used; the size spares a bounds check
)

// magic finds the attack set of a slider on one square.
type magic struct {
	mask   Bitboard // squares whose occupancy matters
	factor Bitboard
	offset uint32 // of the square's part of sliders
	shift  uint8
}

// PawnAttacks returns the squares that a pawn of side on s attacks.
func PawnAttacks(side games.Side, s Square) Bitboard { return pawnAttacks[side&1][s&63] }

// KnightAttacks returns the squares that a knight on s attacks.
func KnightAttacks(s Square) Bitboard { return knightAttacks[s&63] }

// KingAttacks returns the squares next to s.
func KingAttacks(s Square) Bitboard { return kingAttacks[s&63] }

// BishopAttacks returns the squares that a bishop on s attacks when occ is occupied; the
// first occupied square in each direction belongs to them.
func BishopAttacks(s Square, occ Bitboard) Bitboard {
	m := &bishopMagic[s&63]
	return sliders[(m.offset+uint32((occ&m.mask)*m.factor>>(m.shift&63)))&(1<<17-1)]
}

// RookAttacks returns the squares that a rook on s attacks when occ is occupied.
func RookAttacks(s Square, occ Bitboard) Bitboard {
	m := &rookMagic[s&63]
	return sliders[(m.offset+uint32((occ&m.mask)*m.factor>>(m.shift&63)))&(1<<17-1)]
}

// QueenAttacks returns the squares that a queen on s attacks when occ is occupied.
func QueenAttacks(s Square, occ Bitboard) Bitboard {
	return BishopAttacks(s, occ) | RookAttacks(s, occ)
}

// BishopRays and RookRays are the attacks on an empty board.
func BishopRays(s Square) Bitboard { return bishopRays[s&63] }

// RookRays: see BishopRays.
func RookRays(s Square) Bitboard { return rookRays[s&63] }

// Between returns the squares strictly between a and b, empty when they are on no common
// line.
func Between(a, b Square) Bitboard { return between[a&63][b&63] }

// Line returns the whole rank, file or diagonal through a and b, edge to edge, empty when
// they are on none.
func Line(a, b Square) Bitboard { return line[a&63][b&63] }

// PawnsAttack returns the squares that the pawns of side attack.
func PawnsAttack(side games.Side, pawns Bitboard) Bitboard {
	if side == White {
		return pawns.East().North() | pawns.West().North()
	}
	return pawns.East().South() | pawns.West().South()
}

// KnightsAttack returns the squares that the knights attack.
func KnightsAttack(knights Bitboard) Bitboard {
	one := knights.East() | knights.West()
	two := knights.East().East() | knights.West().West()
	return one<<16 | one>>16 | two<<8 | two>>8
}

func fillAttacks() {
	for s := Square(0); s < 64; s++ {
		pawnAttacks[White][s] = PawnsAttack(White, s.Bit())
		pawnAttacks[Black][s] = PawnsAttack(Black, s.Bit())
		knightAttacks[s] = KnightsAttack(s.Bit())
		row := s.Bit() | s.Bit().East() | s.Bit().West()
		kingAttacks[s] = (row | row.North() | row.South()) &^ s.Bit()
		bishopRays[s] = slide(s, 0, diagonals)
		rookRays[s] = slide(s, 0, straights)
	}
	offset := fillMagics(&bishopMagic, &bishopFactors, diagonals, 0)
	fillMagics(&rookMagic, &rookFactors, straights, offset)
	for a := Square(0); a < 64; a++ {
		for b := Square(0); b < 64; b++ {
			switch {
			case a == b:
			case bishopRays[a].Has(b):
				line[a][b] = bishopRays[a]&bishopRays[b] | a.Bit() | b.Bit()
				between[a][b] = BishopAttacks(a, b.Bit()) & BishopAttacks(b, a.Bit())
			case rookRays[a].Has(b):
				line[a][b] = rookRays[a]&rookRays[b] | a.Bit() | b.Bit()
				between[a][b] = RookAttacks(a, b.Bit()) & RookAttacks(b, a.Bit())
			}
		}
	}
}

// step moves a set one square in a direction.
type step func(Bitboard) Bitboard

var (
	straights = [4]step{Bitboard.North, Bitboard.South, Bitboard.East, Bitboard.West}
	diagonals = [4]step{
		func(b Bitboard) Bitboard { return b.North().East() },
		func(b Bitboard) Bitboard { return b.North().West() },
		func(b Bitboard) Bitboard { return b.South().East() },
		func(b Bitboard) Bitboard { return b.South().West() },
	}
)

// slide walks from s in each direction to the first occupied square: the definition
// of what the tables hold, too slow to fill them with.
func slide(s Square, occ Bitboard, directions [4]step) Bitboard {
	var reached Bitboard
	for _, next := range directions {
		for b := next(s.Bit()); b != 0; b = next(b) {
			reached |= b
			if b&occ != 0 {
				break
			}
		}
	}
	return reached
}

func fillMagics(magics *[64]magic, factors *[64]Bitboard, directions [4]step, offset uint32) uint32 {
	var rays [4][64]Bitboard
	for d, next := range directions {
		for s := Square(0); s < 64; s++ {
			rays[d][s] = slide(s, 0, [4]step{next, next, next, next})
		}
	}
	for s := Square(0); s < 64; s++ {
		var mask Bitboard // the last square of a ray never matters
		for _, next := range directions {
			for b := next(s.Bit()); next(b) != 0; b = next(b) {
				mask |= b
			}
		}
		m := magic{mask: mask, factor: factors[s], offset: offset, shift: uint8(64 - mask.Count())}
		magics[s] = m
		for occ := Bitboard(0); ; {
			var attacks Bitboard
			for d := range rays {
				ray := rays[d][s]
				attacks |= ray
				switch blockers := ray & occ; {
				case blockers == 0:
				case ray > s.Bit(): // towards higher squares
					attacks ^= rays[d][blockers.First()&63]
				default:
					attacks ^= rays[d][blockers.Last()&63]
				}
			}
			sliders[offset+uint32(occ*m.factor>>m.shift)] = attacks
			if occ = (occ - mask) & mask; occ == 0 {
				break
			}
		}
		offset += 1 << mask.Count()
	}
	return offset
}

// Distance returns the number of king's moves between two squares on an empty board.
func Distance(a, b Square) int { return int(distances[a&63][b&63]) }

var distances = func() (d [64][64]uint8) {
	abs := func(x int) int { return max(x, -x) }
	for a := range Square(64) {
		for b := range Square(64) {
			d[a][b] = uint8(max(abs(a.File()-b.File()), abs(a.Rank()-b.Rank())))
		}
	}
	return d
}()
