package weiqi

import "kifu/games"

// Area returns the number of a side's stones and of the empty points that border on its
// stones alone, all stones on the board counted alive.
func (p *Position) Area(side games.Side) int {
	return p.stones[side&1].Count() + p.surrounded(side)
}

// Territory returns the number of empty points that border only on a side's stones, plus the
// stones that it has taken. All stones on the board count as alive.
func (p *Position) Territory(side games.Side) int {
	return p.surrounded(side) + p.Prisoners(side)
}

// surrounded returns the number of empty points that paths over empty points connect to a stone
// of side, but to none of the other side.
func (p *Position) surrounded(side games.Side) int {
	empty := p.Empty()
	reached := func(side games.Side) Bitboard {
		return empty.Fill(p.stones[side].Neighbours().And(&empty))
	}
	own, other := reached(side&1), reached(side&1^1)
	own = own.Without(&other)
	return own.Count()
}

// Settled reports whether the board shows that no stones are left to agree upon: no empty
// region of more than one point borders on both colours, as the points around a dead stone
// would. Dead stones without a point of their own, and a seki with two open points, mislead
// it. In GNU Go's 5,407 games on 9 lines, played to two passes, 2,819 end settled; in
// 98.8 % of these Count gives the winner named by GNU Go, in the others in 42 %.
func (p *Position) Settled() bool {
	empty := p.Empty()
	for rest := empty; !rest.Empty(); {
		region := empty.Fill(At(rest.First()))
		rest = rest.Without(&region)
		around := region.Neighbours()
		if region.Count() > 1 && around.Meets(&p.stones[Black]) && around.Meets(&p.stones[White]) {
			return false
		}
	}
	return true
}

// Count returns Black's points less White's and the komi, in hundredths, by area or by
// territory according to the set of rules. It is exact for the board itself: dead
// stones that were not taken off are counted as alive. It leaves out any compensation of
// White for handicap stones.
func (p *Position) Count() int {
	count := p.Area
	if rulesets[p.ruleset].territory {
		count = p.Territory
	}
	return 100*(count(Black)-count(White)) - int(p.komi)
}

// Score returns Count after two passes: under the rules of Tromp and Taylor always, under
// others on a settled board.
func (Rules) Score(p Position) (score int32, ok bool) {
	if p.passes < 2 || !rulesets[p.ruleset].final && !p.Settled() {
		return 0, false
	}
	return int32(p.Count()), true
}

// counted returns the winner by Count.
func (p *Position) counted() games.Outcome {
	switch n := p.Count(); {
	case n > 0:
		return games.FirstWins
	case n < 0:
		return games.SecondWins
	}
	return games.Drawn
}
