package weiqi

import "kifu/games/weiqi"

// field is a number for every point of a board, Black's positive, White's negative: Bouzy's
// mathematical morphology (Bruno Bouzy, "Mathematical morphology applied to computer Go",
// International Journal of Pattern Recognition and Artificial Intelligence 17(2), 2003). A
// stone is worth 128. Dilations carry influence outwards, where the other side has none;
// erosions remove it from points with open neighbours. 5 dilations and 21 erosions leave
// territory, 5 and 10 a moyo; 21 leave nothing of a single stone.
//
// Numbers are stored as bit planes over all points: bit k of the absolute value of a point
// is its bit in planes[k].
type field struct {
	board        weiqi.Bitboard
	black, white weiqi.Bitboard // above and below 0
	planes       [8]weiqi.Bitboard
}

// stoneBit is the bit of the value of a stone, 128: after five dilations, which add four
// each, no value exceeds the planes available.
const stoneBit = 7

func newField(board, black, white weiqi.Bitboard) field {
	f := field{board: board, black: black, white: white}
	f.planes[stoneBit] = black.Or(&white)
	return f
}

// dilate adds to every point without a neighbour of the other colour the number of its
// neighbours of its own colour; a point at 0 has either colour.
func (f *field) dilate() {
	nearBlack, nearWhite := f.black.Neighbours(), f.white.Neighbours()
	b, w := towards(&f.black), towards(&f.white)
	for i := range f.board {
		forBlack := f.board[i] &^ f.white[i] &^ nearWhite[i]
		forWhite := f.board[i] &^ f.black[i] &^ nearBlack[i]
		b1, b2, b4 := sum(b[0][i]&forBlack, b[1][i]&forBlack, b[2][i]&forBlack, b[3][i]&forBlack)
		w1, w2, w4 := sum(w[0][i]&forWhite, w[1][i]&forWhite, w[2][i]&forWhite, w[3][i]&forWhite)
		add := [3]uint64{b1 | w1, b2 | w2, b4 | w4}
		carry := uint64(0)
		for k := range f.planes {
			x, y := f.planes[k][i], uint64(0)
			if k < len(add) {
				y = add[k]
			}
			f.planes[k][i] = x ^ y ^ carry
			carry = x&y | carry&(x^y)
		}
		f.black[i] |= b1 | b2 | b4
		f.white[i] |= w1 | w2 | w4
	}
}

// erode subtracts from every point the number of its neighbours that are at 0 or of the
// other colour, and stops at 0.
func (f *field) erode() {
	notBlack, notWhite := f.board.Without(&f.black), f.board.Without(&f.white)
	b, w := towards(&notBlack), towards(&notWhite)
	for i := range f.board {
		black, white := f.black[i], f.white[i]
		b1, b2, b4 := sum(b[0][i]&black, b[1][i]&black, b[2][i]&black, b[3][i]&black)
		w1, w2, w4 := sum(w[0][i]&white, w[1][i]&white, w[2][i]&white, w[3][i]&white)
		take := [3]uint64{b1 | w1, b2 | w2, b4 | w4}
		borrow := uint64(0)
		for k := range f.planes {
			x, y := f.planes[k][i], uint64(0)
			if k < len(take) {
				y = take[k]
			}
			f.planes[k][i] = x ^ y ^ borrow
			borrow = ^x&(y|borrow) | y&borrow
		}
		left := uint64(0)
		for k := range f.planes {
			f.planes[k][i] &^= borrow
			left |= f.planes[k][i]
		}
		f.black[i] &= left
		f.white[i] &= left
	}
}

// difference returns the number of points above 0 less the number of points below.
func (f *field) difference() int32 { return int32(f.black.Count() - f.white.Count()) }

// moyoAndTerritory returns the differences of f, a moyo, and of the territory that further
// erosions leave of it.
func (f field) moyoAndTerritory() (moyo, territory int32) {
	moyo = f.difference()
	for range territoryErosions - moyoErosions {
		f.erode()
	}
	return moyo, f.difference()
}

// towards returns the points with a neighbour in b, by direction.
func towards(b *weiqi.Bitboard) (shifted [4]weiqi.Bitboard) {
	return [4]weiqi.Bitboard{b.East(), b.West(), b.South(), b.North()}
}

// sum adds four bits for every point, into ones, twos and fours.
func sum(a, b, c, d uint64) (ones, twos, fours uint64) {
	ab, cd := a^b, c^d
	ones = ab ^ cd
	both, carry := a&b, c&d
	third := ab & cd
	twos = both ^ carry ^ third
	return ones, twos, both&carry | third&(both|carry)
}
