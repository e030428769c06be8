package othello

import "kifu/games"

var _ games.Relations[Position] = Rules{}

// Relations returns those between discs and the empty squares.
func (Rules) Relations() []games.Relation[Position] { return relations }

var relations = []games.Relation[Position]{
	{Name: "frontier", Params: []string{"men"}, Doc: "discs of `men` next to an empty square",
		Count: func(p Position, a []games.Selection) int {
			return (p.selected(&a[0]) &^ p.Empty() & p.Empty().Neighbours()).Count()
		}},
	{Name: "stable", Params: []string{"men"}, Doc: "discs of `men` that can never turn, judged by full lines and stable neighbours",
		Count: func(p Position, a []games.Selection) int {
			black, white := Stable(p.Discs(Black), p.Discs(White))
			return (p.selected(&a[0]) & (black | white)).Count()
		}},
	{Name: "odd_regions", Doc: "regions of an odd number of empty squares, connected along rows and columns",
		Count: func(p Position, _ []games.Selection) int {
			_, n := p.Empty().OddRegions()
			return n
		}},
}

// selected returns the squares of a selection.
func (p Position) selected(s *games.Selection) (all Bitboard) {
	for piece, squares := range [...]Bitboard{p.Empty(), p.Discs(Black), p.Discs(White)} {
		if s.Pieces>>piece&1 != 0 {
			all |= squares & Bitboard(s.Cells[0])
		}
	}
	return all
}
