package weiqi

import "kifu/games"

var _ games.Relations[Position] = Rules{}

// Relations returns those between stones and their liberties.
func (Rules) Relations() []games.Relation[Position] { return relations }

var relations = []games.Relation[Position]{
	{Name: "chains", Params: []string{"men"}, Doc: "chains of stones with a stone of `men`",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelected(&a[0], func(_, _ Bitboard) { n++ })
			return n
		}},
	{Name: "liberties", Params: []string{"men"}, Doc: "fewest liberties of a chain with a stone of `men`; 0 without such a stone",
		Count: func(p Position, a []games.Selection) (least int) {
			p.eachSelected(&a[0], func(_, liberties Bitboard) {
				if n := liberties.Count(); least == 0 || n < least {
					least = n
				}
			})
			return least
		}},
	{Name: "in_atari", Params: []string{"men"}, Doc: "stones of `men` whose chain has one liberty",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelected(&a[0], func(chosen, liberties Bitboard) {
				if liberties.Count() == 1 {
					n += chosen.Count()
				}
			})
			return n
		}},
}

// eachSelected calls f for each chain that has selected stones, with these and the chain's liberties.
func (p *Position) eachSelected(s *games.Selection, f func(chosen, liberties Bitboard)) {
	for side := Black; side <= White; side++ {
		p.EachChain(side, func(chain, liberties Bitboard) {
			var chosen Bitboard
			for rest := chain; ; {
				at, ok := rest.Pop()
				if !ok {
					break
				}
				if s.Has(at.Row()*int(p.size)+at.Column(), uint8(side)+1) {
					chosen.Add(at)
				}
			}
			if !chosen.Empty() {
				f(chosen, liberties)
			}
		})
	}
}
