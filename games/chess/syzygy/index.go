package syzygy

import (
	"slices"

	"kifu/games/chess"
)

// Positions are numbered up to symmetry. Without pawns the first man is in the triangle a1,
// d1, d4, with pawns the leading pawn on the files a to d. Groups of equal men follow, each as the
// number of its combination of the squares that are left.

// maxMen bounds the men of a table.
const maxMen = 7

// Maps of squares to numbers; those that do not occur are zero.
var (
	triangle [64]int     // a1, d1, d4: squares below the diagonal first
	lower    [64]int     // below the diagonal h8, a1
	kings    [10][64]int // by triangle of the first, the second: pairs of kings
	flap     [64]int     // leading pawn: by file, then rank
	twist    [64]int     // pawns: the nearer to the edge and to the own side, the higher
	binomial [maxMen][64]int

	pawnIndex  [5][24]int // by number of leading pawns less one and flap of the first
	pawnFactor [5][4]int  // and by its file: how many there are
)

// offDiagonal is negative below the diagonal a1, h8, positive above.
func offDiagonal(s int) int { return s>>3 - s&7 }

func mirrorDiagonal(s int) int { return s>>3 | s&7<<3 }

func init() {
	fillBinomial()
	fillTriangle()
	fillKings()
	fillPawns()
}

func fillBinomial() {
	for i := range maxMen {
		for n := range 64 {
			v := 1
			for k := range i + 1 {
				v = v * (n - k) / (k + 1)
			}
			binomial[i][n] = v
		}
	}
}

func fillTriangle() {
	n := 0
	for s := range 32 {
		if s&7 < 4 && offDiagonal(s) < 0 {
			triangle[s] = n
			n++
		}
	}
	for s := 0; s < 32; s += 9 {
		triangle[s] = n
		n++
	}
	n = 0
	for s := range 64 {
		if offDiagonal(s) < 0 {
			lower[s], lower[mirrorDiagonal(s)] = n, n
			n++
		}
	}
}

func fillKings() {
	n := 0
	var diagonal [][2]int
	for number := range 10 {
		for s := range 32 {
			if s&7 > 3 || offDiagonal(s) > 0 || triangle[s] != number {
				continue
			}
			for t := range 64 {
				near := chess.KingAttacks(chess.Square(s)) | chess.Square(s).Bit()
				switch {
				case near.Has(chess.Square(t)), offDiagonal(s) == 0 && offDiagonal(t) > 0:
				case offDiagonal(s) == 0 && offDiagonal(t) == 0:
					diagonal = append(diagonal, [2]int{number, t})
				default:
					kings[number][t] = n
					n++
				}
			}
		}
	}
	for _, d := range diagonal {
		kings[d[0]][d[1]] = n
		n++
	}
}

func fillPawns() {
	for file := range 4 {
		for rank := 1; rank < 7; rank++ {
			f := file*6 + rank - 1
			flap[rank<<3|file], flap[rank<<3|7-file] = f, f
			n := 47 - 12*file - 2*(rank-1)
			twist[rank<<3|file], twist[rank<<3|7-file] = n, n-1
		}
	}
	for i := range pawnIndex {
		for file := range 4 {
			n := 0
			for rank := 1; rank < 7; rank++ {
				pawnIndex[i][file*6+rank-1] = n
				if i == 0 {
					n++
				} else {
					n += binomial[i-1][twist[rank<<3|file]]
				}
			}
			pawnFactor[i][file] = n
		}
	}
}

// half is one side's half of a table, of pawns on one file: how positions are numbered, and where
// their values are.
type half struct {
	pieces []byte // the men in order: kind, and 8 for Black's
	groups []int  // where a group begins, its length
	factor []int  // and what its number counts
	pairs  pairs
}

// combinations is the number of ways to put k men on n squares.
func combinations(k, n int) int { return binomial[k-1][n] }

// group finds the groups of men after the first, and what they count. order gives the place the
// first has among them, order2 which the other side's pawns have.
func (tb *table) group(h *half, order, order2, file int) (size int) {
	n := len(h.pieces)
	h.groups, h.factor = make([]int, n), make([]int, n)
	first := 2
	if tb.pawns[0] > 0 {
		first = tb.pawns[0]
	} else if tb.unique >= 3 {
		first = 3
	}
	h.groups[0] = first
	at := first
	if tb.pawns[1] > 0 {
		h.groups[first] = tb.pawns[1]
		at += tb.pawns[1]
	}
	for i := at; i < n; i += h.groups[i] {
		for j := i; j < n && h.pieces[j] == h.pieces[i]; j++ {
			h.groups[i]++
		}
	}
	free, size := 64-at, 1
	for k := 0; at < n || k == order || k == order2; k++ {
		switch {
		case k == order:
			h.factor[0] = size
			size *= tb.firstFactor(file)
		case k == order2:
			h.factor[first] = size
			size *= combinations(tb.pawns[1], 48-first)
		default:
			h.factor[at] = size
			size *= combinations(h.groups[at], free)
			free -= h.groups[at]
			at += h.groups[at]
		}
	}
	return size
}

// firstFactor is the number of places of the first group.
func (tb *table) firstFactor(file int) int {
	switch {
	case tb.pawns[0] > 0:
		return pawnFactor[tb.pawns[0]-1][file]
	case tb.unique >= 3:
		return 31332
	}
	return 462
}

// number numbers men on squares, in the order of the pieces. It changes squares.
func (tb *table) number(h *half, squares []int) int {
	n, at := 0, 0
	if tb.pawns[0] > 0 {
		n, at = tb.leading(h, squares)
	} else {
		n, at = tb.firstMen(h, squares)
	}
	for at < len(squares) {
		group := squares[at : at+h.groups[at]]
		slices.Sort(group)
		s := 0
		for i, p := range group {
			s += binomial[i][p-below(squares[:at], p)]
		}
		n += s * h.factor[at]
		at += len(group)
	}
	return n
}

// below counts the squares before p.
func below(squares []int, p int) (n int) {
	for _, s := range squares {
		if s < p {
			n++
		}
	}
	return n
}

func eachSquare(squares []int, f func(int) int) {
	for i := range squares {
		squares[i] = f(squares[i])
	}
}

// firstMen numbers three different men, or the kings.
func (tb *table) firstMen(h *half, squares []int) (n, at int) {
	if squares[0]&4 != 0 {
		eachSquare(squares, func(s int) int { return s ^ 7 })
	}
	if squares[0]&0x20 != 0 {
		eachSquare(squares, func(s int) int { return s ^ 0x38 })
	}
	at = h.groups[0]
	for _, s := range squares[:at] {
		if off := offDiagonal(s); off > 0 {
			eachSquare(squares, mirrorDiagonal)
		} else if off == 0 {
			continue
		}
		break
	}
	a, b := squares[0], squares[1]
	if at == 2 {
		return kings[triangle[a]][b] * h.factor[0], 2
	}
	c := squares[2]
	i, j := below([]int{a}, b), below([]int{a, b}, c)
	switch {
	case offDiagonal(a) != 0:
		n = triangle[a]*63*62 + (b-i)*62 + c - j
	case offDiagonal(b) != 0:
		n = 6*63*62 + a>>3*28*62 + lower[b]*62 + c - j
	case offDiagonal(c) != 0:
		n = 6*63*62 + 4*28*62 + a>>3*7*28 + (b>>3-i)*28 + lower[c]
	default:
		n = 6*63*62 + 4*28*62 + 4*7*28 + a>>3*7*6 + (b>>3-i)*6 + c>>3 - j
	}
	return n * h.factor[0], 3
}

// lead puts the leading pawn first and returns its file, of a to d.
func lead(pawns []int) (file int) {
	for i := range pawns {
		if flap[pawns[0]] > flap[pawns[i]] {
			pawns[0], pawns[i] = pawns[i], pawns[0]
		}
	}
	file = pawns[0] & 7
	return min(file, 7-file)
}

// leading numbers the pawns; lead has put the leading one first.
func (tb *table) leading(h *half, squares []int) (n, at int) {
	if squares[0]&4 != 0 {
		eachSquare(squares, func(s int) int { return s ^ 7 })
	}
	at = tb.pawns[0]
	slices.SortFunc(squares[1:at], func(a, b int) int { return twist[b] - twist[a] })
	n = pawnIndex[at-1][flap[squares[0]]]
	for i := 1; i < at; i++ {
		n += binomial[at-1-i][twist[squares[i]]]
	}
	n *= h.factor[0]
	if others := squares[at : at+tb.pawns[1]]; len(others) > 0 {
		slices.Sort(others)
		s := 0
		for i, p := range others {
			s += binomial[i][p-below(squares[:at], p)-8]
		}
		n += s * h.factor[at]
		at += len(others)
	}
	return n, at
}
