package othello

import "kifu/games"

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
