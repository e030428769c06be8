package draughts

import "kifu/games"

var _ games.Placer[Position] = Checkers

// Place returns the one position of these men.
func (r Rules) Place(_ Position, cells []uint8, _ [2][]uint8, toMove games.Side) ([]Position, error) {
	v := r.of()
	if len(cells) != v.width*v.width {
		return nil, unreadableFEN
	}
	pieces := r.Pieces()
	var men setup
	placed := 0
	for n := 1; n <= v.count; n++ {
		s := v.squareOf[n]
		if piece := cells[v.cell(s)]; int(piece) >= len(pieces) {
			return nil, unreadableFEN
		} else if piece > 0 {
			men.put(pieces[piece].Side, s, piece%2 == 0)
			placed++
		}
	}
	for _, piece := range cells {
		if piece > 0 {
			placed--
		}
	}
	if placed < 0 {
		return nil, games.Reason("a man on a square that is not played on")
	}
	p, err := men.position(r, toMove)
	return []Position{p}, err
}
