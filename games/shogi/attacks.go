package shogi

import "kifu/games"

// The tables are indexed with stride 128 so that a masked square needs no bounds check.
var (
	pawnAttacks   [2][128]Bitboard // by the side of the piece
	knightAttacks [2][128]Bitboard
	silverAttacks [2][128]Bitboard
	goldAttacks   [2][128]Bitboard
	kingAttacks   [128]Bitboard
	bishopRays    [128]Bitboard // diagonals on an empty board
	rookRays      [128]Bitboard
	ahead         [2][128]Bitboard // the rest of the file before a piece of the side
	lines         [128][8]Bitboard // by direction
	directionOf   [128][128]uint8  // from one square to another on a line with it; else noDirection
	fileAttacks   [16][128]uint16  // by rank and the occupied inner squares of the file
)

// Directions: the first four towards higher squares, direction d+4 is the opposite of
// d. Files run to the left as Black sees them.
const (
	down     = iota // towards rank 9
	leftUp          // file + 1, rank - 1
	left            // file + 1
	leftDown        // file + 1, rank + 1
	up
	rightDown
	right
	rightUp
	noDirection
)

var steps = [8][2]int{down: {0, 1}, leftUp: {1, -1}, left: {1, 0}, leftDown: {1, 1},
	up: {0, -1}, rightDown: {-1, 1}, right: {-1, 0}, rightUp: {-1, -1}}

// Steps of Black's pieces; White's are mirrored.
var (
	silverSteps = []int{up, leftUp, rightUp, leftDown, rightDown}
	goldSteps   = []int{up, leftUp, rightUp, left, right, down}
)

func fillAttacks() {
	for s := Square(0); s < NoSquare; s++ {
		for d, step := range steps {
			line := walk(s, step[0], step[1])
			for b := line; !b.Empty(); b = b.Rest() {
				directionOf[s][b.First()] = uint8(d)
			}
			lines[s][d] = line
			if step[0]*step[1] != 0 {
				bishopRays[s] = bishopRays[s].Or(line)
			} else {
				rookRays[s] = rookRays[s].Or(line)
			}
			kingAttacks[s] = kingAttacks[s].Or(hop(s, step[0], step[1]))
		}
		for side := Black; side <= White; side++ {
			towards := int(side.Sign())
			ahead[side][s] = walk(s, 0, -towards)
			pawnAttacks[side][s] = hop(s, 0, -towards)
			knightAttacks[side][s] = hop(s, -1, -2*towards).Or(hop(s, 1, -2*towards))
			for _, d := range silverSteps {
				silverAttacks[side][s] = silverAttacks[side][s].Or(hop(s, steps[d][0], steps[d][1]*towards))
			}
			for _, d := range goldSteps {
				goldAttacks[side][s] = goldAttacks[side][s].Or(hop(s, steps[d][0], steps[d][1]*towards))
			}
		}
		for t := Square(0); t < NoSquare; t++ {
			if !bishopRays[s].Or(rookRays[s]).Has(t) {
				directionOf[s][t] = noDirection
			}
		}
	}
	for rank := range 9 {
		for inner := range 128 {
			fileAttacks[rank][inner] = fileAttack(rank, inner<<1)
		}
	}
}

// hop returns the square that is so many files and ranks away, if it is on the board.
func hop(s Square, files, ranks int) Bitboard {
	f, r := s.File()+files, s.Rank()+ranks
	if f < 0 || f > 8 || r < 0 || r > 8 {
		return Bitboard{}
	}
	return At(f, r).Bit()
}

// walk returns the squares met by such steps until the edge.
func walk(s Square, files, ranks int) Bitboard {
	var b Bitboard
	for next := hop(s, files, ranks); !next.Empty(); next = hop(next.First(), files, ranks) {
		b = b.Or(next)
	}
	return b
}

// fileAttack returns the ranks that a rook on rank reaches on its file.
func fileAttack(rank, occupied int) uint16 {
	var a int
	for r := rank + 1; r < 9; r++ {
		if a |= 1 << r; occupied>>r&1 != 0 {
			break
		}
	}
	for r := rank - 1; r >= 0; r-- {
		if a |= 1 << r; occupied>>r&1 != 0 {
			break
		}
	}
	return uint16(a)
}

// between returns the squares strictly between s and t, which are on a line.
func between(s, t Square) Bitboard {
	d := directionOf[s&127][t&127]
	return lines[s&127][d&7].And(lines[t&127][d&7^4])
}

// lineThrough returns the squares of the line through s and t, which are on one, without s.
func lineThrough(s, t Square) Bitboard {
	d := directionOf[s&127][t&127]
	return lines[s&127][d&7].Or(lines[s&127][d&7^4])
}

// alongFile returns what a rook on s reaches on its file.
func alongFile(s Square, occupied Bitboard) Bitboard {
	if s < lowSize {
		shift := fileShift[s&127] & 63
		return Bitboard{uint64(fileAttacks[s-shift][occupied.Lo>>(shift+1)&127]) << shift, 0}
	}
	shift := fileShift[s&127] & 63
	return Bitboard{0, uint64(fileAttacks[(s-lowSize-shift)&15][occupied.Hi>>(shift+1)&127]) << shift}
}

// lanceAttacks returns what a lance of side on s reaches.
func lanceAttacks(side games.Side, s Square, occupied Bitboard) Bitboard {
	return alongFile(s, occupied).And(ahead[side&1][s&127])
}

// bishopAttacks returns what a bishop on s reaches.
func bishopAttacks(s Square, occupied Bitboard) Bitboard {
	l := &lines[s&127]
	a := upTo(l[leftUp], occupied).Or(upTo(l[leftDown], occupied))
	mirrored := occupied.reverse()
	m := &mirroredLines[s&127]
	return a.Or(upTo(m.falling, mirrored).Or(upTo(m.rising, mirrored)).reverse())
}

// rookAttacks returns what a rook on s reaches.
func rookAttacks(s Square, occupied Bitboard) Bitboard {
	a := alongFile(s, occupied).Or(upTo(lines[s&127][left], occupied))
	return a.Or(upTo(mirroredLines[s&127].right, occupied.reverse()).reverse())
}

// horseAttacks returns what a promoted bishop on s reaches.
func horseAttacks(s Square, occupied Bitboard) Bitboard {
	return bishopAttacks(s, occupied).Or(kingAttacks[s&127])
}

// dragonAttacks returns what a promoted rook on s reaches.
func dragonAttacks(s Square, occupied Bitboard) Bitboard {
	return rookAttacks(s, occupied).Or(kingAttacks[s&127])
}

// Attacks returns what a piece of kind k and side on s attacks.
func Attacks(k Kind, side games.Side, s Square, occupied Bitboard) Bitboard {
	switch k {
	case Pawn:
		return pawnAttacks[side&1][s&127]
	case Lance:
		return lanceAttacks(side, s, occupied)
	case Knight:
		return knightAttacks[side&1][s&127]
	case Silver:
		return silverAttacks[side&1][s&127]
	case Bishop:
		return bishopAttacks(s, occupied)
	case Rook:
		return rookAttacks(s, occupied)
	case King:
		return kingAttacks[s&127]
	case Horse:
		return horseAttacks(s, occupied)
	case Dragon:
		return dragonAttacks(s, occupied)
	case NoKind:
		return Bitboard{}
	}
	return goldAttacks[side&1][s&127]
}

var (
	fileShift     [128]Square // of a square's file within its word
	mirroredLines [128]struct{ falling, rising, right Bitboard }
)

func fillLines() {
	for s := Square(0); s < NoSquare; s++ {
		fileShift[s] = Square(9 * (s.File() % 7))
		m := &mirroredLines[s]
		m.falling, m.rising, m.right = lines[s][rightDown].reverse(), lines[s][rightUp].reverse(), lines[s][right].reverse()
	}
}
