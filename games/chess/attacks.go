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

// bishopFactors and rookFactors are magic numbers for the smallest tables (one entry a
// subset of the mask), found by trying sparse random numbers; a test proves them.
var bishopFactors = [64]Bitboard{
	0x4002a00202124304, 0x2008102420404110, 0x0008588502080100, 0x0004040084040160,
	0x8004050420100a31, 0x0188411010000020, 0x00410530300d0001, 0x0810420084200280,
	0x0000040842040400, 0x0110082111020208, 0x2008040404005000, 0x0000040408880810,
	0xc0008a1210002220, 0x08005a0184210000, 0x00c0244904104006, 0x2020002402280426,
	0x0108016012500242, 0x0020005284040584, 0x000200100a920008, 0x4248092401242080,
	0x0019040820080058, 0x8000800900a00100, 0x0201000400821020, 0x4806002080808840,
	0xd004110004109002, 0x1010502105140480, 0x00002a001c080200, 0x0802008020100440,
	0x8101001001004000, 0xe410820000880420, 0x0020812002080200, 0x4204920021045204,
	0x00c2104009062880, 0x0889300200500400, 0x8010464805100a20, 0x420c400a00002200,
	0x8024008400060102, 0x0002080201011049, 0x1088020400005100, 0x2008020120014310,
	0x1801440240106008, 0x04008208200002e0, 0x2002011644010800, 0x0800c02018000903,
	0x4840088100400400, 0x1520600148c01080, 0x013002025c000240, 0x201022004442d100,
	0x3040cc500c100042, 0x00c3140114020200, 0x0000304044100014, 0x0040408484040002,
	0x02084020020c8008, 0x0001442008224800, 0xa223081014908004, 0x0454100664410001,
	0x802200808c016002, 0x7000085108011000, 0x0010000044241410, 0x42402a0d00421a00,
	0x040241a012020202, 0x0088028902080201, 0x0000042022140100, 0x0004011802208200,
}

var rookFactors = [64]Bitboard{
	0x0080008020104002, 0x0840002008401000, 0x6080200080100008, 0x4480100018004481,
	0x0100100801000402, 0x2100080204000100, 0x020003342a860018, 0x008003000827c880,
	0x0002802240028000, 0x0050804000200880, 0x1102001200204080, 0x002100201001000a,
	0x2408800800c40080, 0xc00a001002000408, 0x0121008401000200, 0x80010000a0410002,
	0x0080848000400034, 0x2810084020004000, 0x00a0008080100020, 0x0201010020081002,
	0x0e00808008000400, 0x0002010100040008, 0x0a20040022012810, 0x100006000910844c,
	0x0052004200208100, 0x8200200040005001, 0x6000100080200080, 0x4002024200200810,
	0x3241080180040080, 0x9046020080040080, 0x0000481400a10210, 0x8004040200004081,
	0x0000400080800020, 0x0004400082802000, 0x0020482001001100, 0x8100084202002010,
	0x0012800402800800, 0x1182000400808002, 0x200018030c003006, 0x2300104c02002081,
	0x004280c000248001, 0x000020015000c000, 0x8010201200820040, 0x0580080010008080,
	0x0044004080080800, 0x0094000201004040, 0x440010082154000a, 0x001021104082000c,
	0x0140204000801180, 0x0020209201004a00, 0x3b00802000100080, 0x004505a010000900,
	0x000900100800c700, 0x0240040080020080, 0x5040080210010400, 0x00200100a0440200,
	0x0002a18000184301, 0x0029001020844001, 0x0000090010200041, 0x001008100084a101,
	0x0001004800100245, 0x2005006824000201, 0x000008a60d081004, 0x051004028508c122,
}
