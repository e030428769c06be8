package chess

import "kifu/games"

// The attack tables are computed once when the program starts and never written again. They
// are small. Sliders are computed along lines, by subtraction (Peshkov, "Hyperbola
// Quintessence", 2007): a table of their attacks has 860 kB, and who reads it waits for memory
// more often than for the multiplication that finds the place.
var (
	pawnAttacks   [2][64]Bitboard
	knightAttacks [64]Bitboard
	kingAttacks   [64]Bitboard
	bishopRays    [64]Bitboard // on an empty board
	rookRays      [64]Bitboard
	between       [64][64]Bitboard
	line          [64][64]Bitboard

	lines       [64]squareLines
	rankAttacks [64][8]uint8 // by the men on b to h of a rank, and the file
)

// squareLines holds a square as a set, the same upside down, and its lines without itself.
type squareLines struct {
	bit, flipped          Bitboard
	file, rising, falling Bitboard
}

// along returns the squares attacked on one of l's lines. Subtracting the square borrows from the
// next man above it and changes all between them; upside down the same finds the men below.
func (l *squareLines) along(line, occ Bitboard) Bitboard {
	men := occ & line
	return (men - l.bit ^ (men.Flip() - l.flipped).Flip()) & line
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
	l := &lines[s&63]
	return l.along(l.rising, occ) | l.along(l.falling, occ)
}

// RookAttacks returns the squares that a rook on s attacks when occ is occupied.
func RookAttacks(s Square, occ Bitboard) Bitboard {
	l := &lines[s&63]
	return l.along(l.file, occ) | Bitboard(rankAttacks[occ>>(s&56)>>1&63][s&7])<<(s&56)
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

// knightsAttack returns the squares that the knights attack.
func knightsAttack(knights Bitboard) Bitboard {
	one := knights.East() | knights.West()
	two := knights.East().East() | knights.West().West()
	return one<<16 | one>>16 | two<<8 | two>>8
}

func fillAttacks() {
	for s := Square(0); s < 64; s++ {
		pawnAttacks[White][s] = PawnsAttack(White, s.Bit())
		pawnAttacks[Black][s] = PawnsAttack(Black, s.Bit())
		knightAttacks[s] = knightsAttack(s.Bit())
		row := s.Bit() | s.Bit().East() | s.Bit().West()
		kingAttacks[s] = (row | row.North() | row.South()) &^ s.Bit()
		bishopRays[s] = slide(s, 0, diagonals[:])
		rookRays[s] = slide(s, 0, straights[:])
	}
	for s := range Square(64) {
		lines[s] = squareLines{bit: s.Bit(), flipped: s.Bit().Flip(), file: slide(s, 0, straights[:2]),
			rising: slide(s, 0, []step{diagonals[0], diagonals[3]}), falling: slide(s, 0, diagonals[1:3])}
	}
	for men := range rankAttacks {
		for f := range Square(8) {
			rankAttacks[men][f] = uint8(slide(f, Bitboard(men)<<1, straights[2:]))
		}
	}
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
func slide(s Square, occ Bitboard, directions []step) Bitboard {
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
