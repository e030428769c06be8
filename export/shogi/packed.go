package shogi

import (
	"kifu/export"
	"kifu/games"
	"kifu/internal/hcp"
)

// Packed writes positions of Shogi as training data of its engines, a record each: hcpe or,
// with PSV, psv, as HCPE writes the moves of games.
type Packed struct {
	PSV bool
	// Letters unpacks a board, as package games/shogi does.
	Letters func(board []byte) (squares [81]byte, hands [2][7]byte, side games.Side, err error)
}

// Name is "hcpe" or "psv".
func (f Packed) Name() string { return HCPE{PSV: f.PSV}.Name() }

// handKinds are the places in hcp.Kinds of what Letters has in hand, from pawn to gold.
var handKinds = [7]int{0, 1, 2, 3, 5, 6, 4}

// Pack implements export.Training.
func (f Packed) Pack(dst []byte, p *export.Position) ([]byte, error) {
	m, ok := hcp.ParseUSI(p.Move)
	if !ok {
		return dst, export.NoMove
	}
	squares, hands, side, err := f.Letters(p.Board)
	if err != nil {
		return dst, err
	}
	pos := hcp.Position{Squares: squares, White: side == games.Second}
	for i := range hands {
		for k, n := range hands[i] {
			pos.Hands[i][handKinds[k]] = n
		}
	}
	return HCPE{PSV: f.PSV}.appendRecord(dst, &pos, m, p.Score, p.Ply+1, p.Result)
}

// Append implements export.Line.
func (f Packed) Append(dst []byte, p *export.Position) []byte { return export.AppendPacked(f, dst, p) }
