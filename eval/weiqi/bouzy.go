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
	black, white := f.black, f.white
	for i := range f.board {
		bn, be, bs, bw := black.Sides(i)
		wn, we, ws, ww := white.Sides(i)
		forBlack := f.board[i] &^ (white[i] | wn | we | ws | ww)
		forWhite := f.board[i] &^ (black[i] | bn | be | bs | bw)
		b1, b2, b4 := sum(bn&forBlack, be&forBlack, bs&forBlack, bw&forBlack)
		w1, w2, w4 := sum(wn&forWhite, we&forWhite, ws&forWhite, ww&forWhite)
		carry := uint64(0)
		for k, y := range [3]uint64{b1 | w1, b2 | w2, b4 | w4} {
			x := f.planes[k][i]
			f.planes[k][i] = x ^ y ^ carry
			carry = x&y | carry&(x^y)
		}
		for k := 3; k < len(f.planes) && carry != 0; k++ {
			x := f.planes[k][i]
			f.planes[k][i] = x ^ carry
			carry &= x
		}
		f.black[i] |= b1 | b2 | b4
		f.white[i] |= w1 | w2 | w4
	}
}

// erode subtracts from every point the number of its neighbours that are at 0 or of the
// other colour, and stops at 0.
func (f *field) erode() {
	notBlack, notWhite := f.board.Without(&f.black), f.board.Without(&f.white)
	for i := range f.board {
		black, white := f.black[i], f.white[i]
		if black|white == 0 {
			continue
		}
		bn, be, bs, bw := notBlack.Sides(i)
		wn, we, ws, ww := notWhite.Sides(i)
		b1, b2, b4 := sum(bn&black, be&black, bs&black, bw&black)
		w1, w2, w4 := sum(wn&white, we&white, ws&white, ww&white)
		borrow := uint64(0)
		for k, y := range [3]uint64{b1 | w1, b2 | w2, b4 | w4} {
			x := f.planes[k][i]
			f.planes[k][i] = x ^ y ^ borrow
			borrow = ^x&(y|borrow) | y&borrow
		}
		for k := 3; k < len(f.planes) && borrow != 0; k++ {
			x := f.planes[k][i]
			f.planes[k][i] = x ^ borrow
			borrow &^= x
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

// sum adds four bits for every point, into ones, twos and fours.
func sum(a, b, c, d uint64) (ones, twos, fours uint64) {
	ab, cd := a^b, c^d
	ones = ab ^ cd
	both, carry := a&b, c&d
	third := ab & cd
	twos = both ^ carry ^ third
	return ones, twos, both&carry | third&(both|carry)
}
