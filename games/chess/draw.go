package chess

import (
	"slices"

	"kifu/games"
)

var (
	_ games.Drawer[Position]       = Rules{}
	_ games.PieceCounter[Position] = Rules{}
)

var layout = func() *games.Layout {
	l := &games.Layout{
		Columns: 8, Rows: 8, Grid: games.Checkered,
		Colours: [3]string{"#f0dcb8", "#b98a62", "#6b4a2f"},
		Files:   []string{"a", "b", "c", "d", "e", "f", "g", "h"},
		Ranks:   []string{"8", "7", "6", "5", "4", "3", "2", "1"},
		Sides:   [2]string{"White", "Black"}, Pairs: true,
		Light: White, Bottom: White, Exchange: games.UpsideDown,
		Analysis: "https://lichess.org/analysis/",
	}
	for i := range 64 {
		l.Names = append(l.Names, Square(i).Flip().String())
	}
	return l
}()

// Layout returns the board with White below.
func (Rules) Layout(Position) *games.Layout { return layout }

// Pieces returns the white men by Kind, then the black ones.
func (Rules) Pieces() []games.Piece { return pieces }

// blackMen is the distance in Pieces from a white man to the black one.
const blackMen = int(King)

// AppendCells appends the men.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	dst = append(dst, empty[:]...)
	cells := (*[64]uint8)(dst[len(dst)-64:])
	for men := p.Occupied(); men != 0; men &= men - 1 {
		s := men.First()
		k := uint8(p.KindAt(s))
		if p.SideAt(s) == Black {
			k += uint8(blackMen)
		}
		cells[s.Flip()&63] = k // the upper rank comes first
	}
	return dst
}

var empty [64]uint8

// PieceCount returns the number of men.
func (Rules) PieceCount(p Position) int { return p.Occupied().Count() }

// AppendMarks appends the squares that the man, in castling the king, leaves and enters.
func (Rules) AppendMarks(dst []int, p Position, m games.Move) []int {
	from, to := From(m), To(m)
	if IsCastling(m) {
		file := 6
		if to.File() < from.File() {
			file = 2
		}
		to = SquareAt(file, from.Rank())
	}
	return append(dst, int(from.Flip()), int(to.Flip()))
}

var _ games.Placer[Position] = Rules{}

// homes are the squares from which kings and rooks castle in the usual game.
const (
	homeKings Bitboard = 1<<4 | 1<<60
	homeRooks Bitboard = 1 | 1<<7 | 1<<56 | 1<<63
)

// Place returns the positions of these men. First all kings and rooks at home may castle. Then
// come positions without some of these rights, with the rights of Chess960, and after a double
// push.
func (Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) (all []Position, err error) {
	if len(cells) != 64 {
		return nil, UnreadablePosition
	}
	p := Position{side: toMove, plies: uint16(toMove)}
	for i, piece := range cells {
		switch {
		case int(piece) > 2*blackMen:
			return nil, UnreadablePosition
		case int(piece) > blackMen:
			p.toggle(Black, Kind(int(piece)-blackMen), Square(i).Flip())
		case piece > 0:
			p.toggle(White, Kind(piece), Square(i).Flip())
		}
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	p.parseCastling([]byte("KQkq"))
	for _, rights := range rightsOf(&p) {
		p.castle, p.ep = rights, 0
		p.hash = p.computeHash()
		all = append(all, p)
		for file := range 8 {
			q := p
			if q.parsePassing(SquareAt(file, 5-3*int(toMove))); q.ep != 0 {
				all = append(all, q)
			}
		}
	}
	return all, nil
}

// rightsOf returns the sets of rooks of p that may castle, the usual one first.
func rightsOf(p *Position) (all []Bitboard) {
	usual := p.castle & homeRooks
	for side := White; side <= Black; side++ {
		if p.Kings()&p.Side(side)&homeKings&backRank(side) == 0 {
			usual &^= backRank(side)
		}
	}
	for rights := p.castle; ; rights = (rights - 1) & p.castle {
		all = append(all, rights)
		if rights == 0 {
			break
		}
	}
	i := slices.Index(all, usual)
	return slices.Insert(slices.Delete(all, i, i+1), 0, usual)
}
