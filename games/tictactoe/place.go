package tictactoe

import "kifu/games"

var _ games.Placer[Position] = Rules{}

// Place returns the one position of these marks, whose number gives the side to move.
func (Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) ([]Position, error) {
	if len(cells) != 9 {
		return nil, unreadableText
	}
	var p Position
	for i, piece := range cells {
		if int(piece) >= len(pieces) {
			return nil, unreadableText
		}
		if piece > 0 {
			p.marks[piece-1] |= 1 << (3*(2-i/3) + i%3)
		}
	}
	x, o := p.marks[X].Count(), p.marks[O].Count()
	if x != o && x != o+1 {
		return nil, games.Reason("marks that do not take turns")
	}
	if p.ToMove() != toMove {
		return nil, games.Reason("the other side is to move by the number of marks")
	}
	return []Position{p}, nil
}
