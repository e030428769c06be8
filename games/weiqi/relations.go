package weiqi

import "kifu/games"

var _ games.Relations[Position] = Rules{}

// Relations returns those between stones and their liberties.
func (Rules) Relations() []games.Relation[Position] { return relations }

var relations = []games.Relation[Position]{
	{Name: "chains", Params: []string{"men"}, Doc: "chains of stones with a stone of `men`",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelected(&a[0], func(*chosenChain) { n++ })
			return n
		}},
	{Name: "liberties", Params: []string{"men"}, Doc: "fewest liberties of a chain with a stone of `men`; 0 without such a stone",
		Count: func(p Position, a []games.Selection) (least int) {
			p.eachSelected(&a[0], func(c *chosenChain) {
				if n := c.liberties.Count(); least == 0 || n < least {
					least = n
				}
			})
			return least
		}},
	{Name: "in_atari", Params: []string{"men"}, Doc: "stones of `men` whose chain has one liberty",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelected(&a[0], func(c *chosenChain) {
				if c.liberties.Count() == 1 {
					n += c.chosen.Count()
				}
			})
			return n
		}},
	{Name: "in_ladder", Params: []string{"men"}, Doc: "stones of `men` whose chain a ladder takes, with the other side to move at two liberties, its own at one",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelected(&a[0], func(c *chosenChain) {
				if p.inLadder(c) {
					n += c.chosen.Count()
				}
			})
			return n
		}},
	{Name: "cutting_points", Params: []string{"men"}, Doc: "empty points next to two or more chains of one side, each with a stone of `men`",
		Count: func(p Position, a []games.Selection) int {
			var once, twice [2]Bitboard
			p.eachSelected(&a[0], func(c *chosenChain) {
				again := once[c.side].And(&c.liberties)
				twice[c.side], once[c.side] = twice[c.side].Or(&again), once[c.side].Or(&c.liberties)
			})
			all := twice[0].Or(&twice[1])
			return all.Count()
		}},
	{Name: "eyes", Params: []string{"men"}, Doc: "empty points with neighbours of only one side, a stone of `men` among them, and at most one enemy stone on a diagonal (none at the edge)",
		Count: func(p Position, a []games.Selection) (n int) {
			p.eachSelectedSide(&a[0], func(side games.Side, chosen Bitboard) {
				p.side = side
				near, empty := chosen.Neighbours(), p.Empty()
				near = near.And(&empty)
				for at, ok := near.Pop(); ok; at, ok = near.Pop() {
					if p.fillsEye(at) {
						n++
					}
				}
			})
			return n
		}},
}

// longLadderMoves are the moves that are tried to read a ladder of a relation: searches read shorter (ladderMoves).
const longLadderMoves = 1 << 16

// inLadder reports whether a chain is taken in a ladder. A ko counts as open.
func (p Position) inLadder(c *chosenChain) bool {
	p.ko, p.passes = noPoint, 0
	budget, stone := longLadderMoves, c.chosen.First()
	switch c.liberties.Count() {
	case 1:
		p.side = c.side
		_, saved := p.escape(stone, &budget)
		return !saved
	case 2:
		p.side = c.side ^ 1
		_, caught := p.chase(stone, c.liberties, &budget)
		return caught
	}
	return false
}

// chosenChain is a chain of which some stones are selected.
type chosenChain struct {
	side              games.Side
	chosen, liberties Bitboard
}

// eachSelectedSide calls f for each side with its selected stones.
func (p *Position) eachSelectedSide(s *games.Selection, f func(side games.Side, chosen Bitboard)) {
	for side := Black; side <= White; side++ {
		var chosen Bitboard
		for rest := p.stones[side]; ; {
			at, ok := rest.Pop()
			if !ok {
				break
			}
			if s.Has(at.Row()*int(p.size)+at.Column(), uint8(side)+1) {
				chosen.Add(at)
			}
		}
		f(side, chosen)
	}
}

// eachSelected calls f for each chain that has selected stones.
func (p *Position) eachSelected(s *games.Selection, f func(c *chosenChain)) {
	p.eachSelectedSide(s, func(side games.Side, all Bitboard) {
		p.EachChain(side, func(chain, liberties Bitboard) {
			if chosen := chain.And(&all); !chosen.Empty() {
				f(&chosenChain{side, chosen, liberties})
			}
		})
	})
}
