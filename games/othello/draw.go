package othello

import (
	"encoding/binary"

	"kifu/games"
)

var (
	_ games.Drawer[Position]       = Rules{}
	_ games.PieceCounter[Position] = Rules{}
)

var layout = func() *games.Layout {
	l := &games.Layout{
		Columns: 8, Rows: 8, Grid: games.Boxed,
		Colours: [3]string{"#4f9a63", "#4f9a63", "#173d22"},
		Files:   []string{"a", "b", "c", "d", "e", "f", "g", "h"},
		Ranks:   []string{"1", "2", "3", "4", "5", "6", "7", "8"},
		Sides:   [2]string{"Black", "White"},
		Light:   White, Symmetric: true,
	}
	for s := range Square(64) {
		l.Names = append(l.Names, s.String())
	}
	return l
}()

var pieces = []games.Piece{
	{},
	{Letter: "X", Symbol: "●", Name: "black disc", Side: Black, Drawing: `<circle cx="22.5" cy="22.5" r="18" fill="#1a1a1a" stroke="#000" stroke-width="1.5"/>`},
	{Letter: "O", Symbol: "○", Name: "white disc", Side: White, Drawing: `<circle cx="22.5" cy="22.5" r="18" fill="#fff" stroke="#333" stroke-width="1.5"/>`},
}

// Layout returns the board with a1 in the upper left corner.
func (Rules) Layout(Position) *games.Layout { return layout }

// Pieces returns the empty square, the black and the white disc.
func (Rules) Pieces() []games.Piece { return pieces }

// AppendCells appends the discs.
func (Rules) AppendCells(dst []uint8, p Position) []uint8 {
	black, white := p.Discs(Black), p.Discs(White)
	for row := 0; row < 64; row += 8 {
		dst = binary.LittleEndian.AppendUint64(dst, spread[uint8(black>>row)]|spread[uint8(white>>row)]<<1)
	}
	return dst
}

// spread has the bits of a byte in a byte each.
var spread = func() (t [256]uint64) {
	for b := range t {
		for k := range 8 {
			t[b] |= uint64(b) >> k & 1 << (8 * k)
		}
	}
	return t
}()

// PieceCount returns the number of discs.
func (Rules) PieceCount(p Position) int { return (p.own | p.opp).Count() }

// AppendMarks appends the square of the new disc.
func (Rules) AppendMarks(dst []int, _ Position, m games.Move) []int {
	if m == Pass {
		return dst
	}
	return append(dst, int(To(m)))
}

var _ games.Placer[Position] = Rules{}

// Place returns the one position of these discs.
func (Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) ([]Position, error) {
	if len(cells) != 64 {
		return nil, unreadableText
	}
	var discs [2]Bitboard
	for i, piece := range cells {
		if int(piece) >= len(pieces) {
			return nil, unreadableText
		}
		if piece > 0 {
			discs[pieces[piece].Side] |= Square(i).Bit()
		}
	}
	return []Position{{own: discs[toMove], opp: discs[toMove.Other()], side: toMove}}, nil
}
