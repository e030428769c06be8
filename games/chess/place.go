package chess

import (
	"slices"

	"kifu/games"
)

var _ games.Placer[Position] = Rules{}

// homes are the squares from which kings and rooks castle in the usual game.
const (
	homeKings Bitboard = 1<<4 | 1<<60
	homeRooks Bitboard = 1 | 1<<7 | 1<<56 | 1<<63
)

// Place returns the positions of these men: first with every right to castle of kings and rooks
// that are at home, then without some of them, with the rights of Chess960, and after a double push.
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
