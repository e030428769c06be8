package shogi

import "kifu/games"

var _ games.Relations[Position] = Rules{}

// Relations returns those between pieces on the board.
func (Rules) Relations() []games.Relation[Position] { return relations }

var relations = append(attacks, castleRelations()...)

var attacks = []games.Relation[Position]{
	{Name: "attackers", Params: []string{"target", "by"}, Doc: "pieces of `by` that attack a square of `target`",
		Count: func(p Position, a []games.Selection) int {
			var all Bitboard
			for target := p.selected(&a[0]); !target.Empty(); target = target.Rest() {
				all = all.Or(p.attackersOf(target.First()))
			}
			return all.And(p.selected(&a[1])).Count()
		}},
	{Name: "attacked", Params: []string{"target", "by"}, Doc: "squares of `target` that a piece of `by` attacks",
		Count: func(p Position, a []games.Selection) (n int) {
			by := p.selected(&a[1])
			for target := p.selected(&a[0]); !target.Empty(); target = target.Rest() {
				if p.attackersOf(target.First()).Meets(by) {
					n++
				}
			}
			return n
		}},
	{Name: "pinned", Params: []string{"men"}, Doc: "pieces alone between their king and an enemy piece that attacks along that line",
		Count: func(p Position, a []games.Selection) int {
			return p.selected(&a[0]).And(p.Pinned(Black).Or(p.Pinned(White))).Count()
		}},
	{Name: "checkers", Doc: "pieces that give check",
		Count: func(p Position, _ []games.Selection) int { return p.Checkers().Count() }},
}

// attackersOf returns the pieces of both sides that attack s.
func (p *Position) attackersOf(s Square) Bitboard {
	occ := p.Occupied()
	return p.Attackers(Black, s, occ).Or(p.Attackers(White, s, occ))
}

// selected returns the squares of a selection.
func (p *Position) selected(s *games.Selection) (all Bitboard) {
	for cell := range 81 {
		square, piece := squareOf(cell), uint8(0)
		if k := p.KindAt(square); k != NoKind {
			piece = number(k, p.SideAt(square))
		}
		if s.Has(cell, piece) {
			all = all.Or(square.Bit())
		}
	}
	return all
}
