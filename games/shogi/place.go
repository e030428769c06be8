package shogi

import "kifu/games"

var _ games.Placer[Position] = Rules{}

// Place returns the one position of these pieces.
func (Rules) Place(_ Position, cells []uint8, hands [2][]uint8, toMove games.Side) ([]Position, error) {
	if len(cells) != 81 {
		return nil, unreadableSFEN
	}
	p := Position{side: toMove, plies: uint16(toMove)}
	kind := func(piece uint8) (Kind, games.Side, bool) {
		if piece > 2*uint8(Dragon) {
			return NoKind, 0, false
		}
		return Kind((piece-1)%uint8(Dragon) + 1), pieces[piece].Side, true
	}
	for i, piece := range cells {
		if piece == 0 {
			continue
		}
		k, side, ok := kind(piece)
		if !ok {
			return nil, unreadableSFEN
		}
		p.put(k, side, squareOf(i).Bit())
	}
	for side, hand := range hands {
		for _, piece := range hand {
			k, of, ok := kind(piece)
			if !ok || of != games.Side(side) || k < Pawn || k > Gold {
				return nil, unreadableSFEN
			}
			if err := p.give(of, k, 1); err != nil {
				return nil, err
			}
		}
	}
	return []Position{p}, p.validate()
}

// Holdable returns the kinds that can be in hand, the strongest first.
func (Rules) Holdable(side games.Side) (all []uint8) {
	for _, k := range handOrder {
		all = append(all, number(k, side))
	}
	return all
}
