package weiqi

import (
	"slices"

	"kifu/games"
)

// Features of moves that patterns do not see, or see only by their size: Stern, Herbrich and Graepel (2006, section 2)
// and Araki, Yoshida, Tsuruoka and Tsujii (2007) have most of them. Ladders are read to their
// end, in at most ladderMoves moves.
const (
	takesOne = iota
	takesSome
	takesMany
	savesFromAtari // extends or captures, and is not taken in a ladder
	extendsInVain
	ladderBegins // atari on a chain that does not escape
	atariOnly
	selfAtari
	onLine // the first; the next are lines 2 to lastLine
	_
	_
	_
	_
	breaths // the stone's chain has fewestBreaths liberties; the next to mostBreaths
	_
	_
	pressed // a chain of the other side is left fewestBreaths liberties; one more
	_
	joins
	parts
	strengthens // a chain of fewestBreaths liberties; of one more
	_
	follows // takes a liberty of the chain played last, which is left 1; 2; more
	_
	_
	answers // extends a chain of fewestBreaths liberties that the last move touches; of one more
	_
	retakes // the chain played last
	opensKo
	threatens // gives atari, or takes more than one stone, while a ko may not be retaken
	passes
	passesToo
)

// Bounds of what is counted.
const lastLine, fewestBreaths, mostBreaths = 5, 2, 4

var featureNames = []string{"takes one stone", "takes two or three stones", "takes four stones or more", "saves a chain in atari", "extends a chain that is lost in a ladder",
	"begins a ladder that works", "atari from which the chain escapes", "self-atari",
	"on line 1", "on line 2", "on line 3", "on line 4", "on line 5",
	"makes a chain of two liberties", "makes a chain of three liberties", "makes a chain of four liberties",
	"leaves a chain two liberties", "leaves a chain three liberties", "joins chains", "touches two chains of the other side",
	"extends a chain of two liberties", "extends a chain of three liberties",
	"leaves the chain played last one liberty", "leaves the chain played last two liberties", "takes a liberty of the chain played last, which has more",
	"extends a touched chain of two liberties", "extends a touched chain of three liberties",
	"takes the chain played last", "opens a ko", "gives atari or takes stones while a ko stands",
	"pass", "pass after a pass"}

// MoveFeatures implements games.MoveFeatures.
func (Rules) MoveFeatures() []string { return featureNames }

// EachMoveFeature implements games.MoveFeatures.
func (Rules) EachMoveFeature(p Position, moves []games.Move, last int, f func(move, feature int)) {
	var facts pointFacts
	facts.read(&p)
	if last >= 0 {
		facts.follow(&p, PointAt(last%p.Size(), last/p.Size()))
	}
	for i, m := range moves {
		if m == Pass {
			if f(i, passes); p.passes > 0 {
				f(i, passesToo)
			}
			continue
		}
		at := To(m)
		switch n := facts.taken[at]; {
		case n >= 4:
			f(i, takesMany)
		case n >= 2:
			f(i, takesSome)
		case n == 1:
			f(i, takesOne)
		}
		for _, x := range [...]struct {
			feature int
			points  *Bitboard
		}{{savesFromAtari, &facts.saves}, {extendsInVain, &facts.vain}, {ladderBegins, &facts.ladders}, {atariOnly, &facts.ataris}} {
			if x.points.Has(at) {
				f(i, x.feature)
			}
		}
		if p.ko != noPoint && (facts.ladders.Has(at) || facts.ataris.Has(at) || facts.taken[at] > 1) {
			f(i, threatens)
		}
		if line := 1 + min(at.Column(), at.Row(), p.Size()-1-at.Column(), p.Size()-1-at.Row()); line <= lastLine {
			f(i, onLine+line-1)
		}
		facts.eachOfChains(&p, at, func(feature int) { f(i, feature) })
	}
}

// eachOfChains calls f for each feature of the stone on at that tells of the chains next to it.
func (t *pointFacts) eachOfChains(p *Position, at Point, f func(feature int)) {
	var own, others [4]uint16
	ours, theirs := 0, 0
	weakest, extended, answered := mostBreaths, mostBreaths, mostBreaths
	empty := p.Empty()
	around := neighbours[at]
	breath := around.And(&empty)
	stones := p.stones[0].Or(&p.stones[1])
	around = around.And(&stones)
	for next, ok := around.Pop(); ok; next, ok = around.Pop() {
		id := t.chainOf[next]
		switch c := &t.chains[id-1]; {
		case c.side == p.side:
			if !slices.Contains(own[:ours], id) {
				own[ours] = id
				ours++
				breath = breath.Or(&c.liberties)
				extended = min(extended, c.n)
				if c.touched {
					answered = min(answered, c.n)
				}
			}
		case !slices.Contains(others[:theirs], id):
			others[theirs] = id
			theirs++
			left := c.n - 1
			if left == 0 {
				if c.last {
					f(retakes)
				}
				continue
			}
			weakest = min(weakest, left)
			if c.last {
				f(follows + min(left, 3) - 1)
			}
		}
	}
	breath.Remove(at)
	n := breath.Count()
	if t.taken[at] > 0 {
		next := p.Play(Move(at))
		_, liberties := next.Chain(p.side, at)
		n = liberties.Count()
		if next.ko != noPoint {
			f(opensKo)
		}
	}
	switch {
	case n == 1 && t.taken[at] == 0:
		f(selfAtari)
	case n >= fewestBreaths && n <= mostBreaths:
		f(breaths + n - fewestBreaths)
	}
	for _, x := range [...]struct{ feature, n int }{{pressed, weakest}, {strengthens, extended}, {answers, answered}} {
		if x.n >= fewestBreaths && x.n < mostBreaths {
			f(x.feature + x.n - fewestBreaths)
		}
	}
	if ours > 1 {
		f(joins)
	}
	if theirs > 1 {
		f(parts)
	}
}

// pointFacts holds what stones on the points of a position do.
type pointFacts struct {
	taken                        [stride * MaxSize]int // stones
	saves, vain, ladders, ataris Bitboard
	chains                       []chainFacts
	chainOf                      [stride * MaxSize]uint16 // number of the chain on each point, from 1
}

// chainFacts tells of a chain.
type chainFacts struct {
	side      games.Side
	n         int // liberties
	liberties Bitboard
	last      bool // the last stone is in it
	touched   bool // next to the last stone
}

// add adds a chain.
func (t *pointFacts) add(side games.Side, chain, liberties Bitboard) {
	t.chains = append(t.chains, chainFacts{side: side, n: liberties.Count(), liberties: liberties})
	for at, ok := chain.Pop(); ok; at, ok = chain.Pop() {
		t.chainOf[at] = uint16(len(t.chains))
	}
}

// follow marks the chains that the last stone, on at, belongs to and touches.
func (t *pointFacts) follow(p *Position, at Point) {
	id := t.chainOf[at]
	if id == 0 { // a pass
		return
	}
	t.chains[id-1].last = true
	around := neighbours[at].And(&p.stones[p.side])
	for next, ok := around.Pop(); ok; next, ok = around.Pop() {
		t.chains[t.chainOf[next]-1].touched = true
	}
}

func (t *pointFacts) read(p *Position) {
	p.EachChain(p.side^1, func(chain, liberties Bitboard) {
		t.add(p.side^1, chain, liberties)
		switch liberties.Count() {
		case 1:
			t.taken[liberties.First()] += chain.Count()
		case 2:
			both := liberties
			for at, ok := both.Pop(); ok; at, ok = both.Pop() {
				if !p.legal(at) {
					continue
				}
				budget := ladderMoves
				if p.catches(chain.First(), at, &budget) {
					t.ladders.Add(at)
				} else {
					t.ataris.Add(at)
				}
			}
		}
	})
	p.EachChain(p.side, func(chain, liberties Bitboard) {
		t.add(p.side, chain, liberties)
		if liberties.Count() != 1 {
			return
		}
		tries := liberties
		around := chain.Neighbours().And(&p.stones[p.side^1])
		for !around.Empty() {
			other, breath := p.Chain(p.side^1, around.First())
			around = around.Without(&other)
			if breath.Count() == 1 {
				tries = tries.Or(&breath)
			}
		}
		for at, ok := tries.Pop(); ok; at, ok = tries.Pop() {
			if !p.legal(at) {
				continue
			}
			budget := ladderMoves
			if p.frees(chain.First(), at, &budget) {
				t.saves.Add(at)
			} else {
				t.vain.Add(at)
			}
		}
	})
}

// catches reports whether an atari on at, one of its two liberties, begins a ladder that takes
// the other side's chain on stone.
func (p *Position) catches(stone, at Point, budget *int) bool {
	next := p.Play(Move(at))
	if _, breath := next.Chain(p.side^1, stone); breath.Count() != 1 {
		return false
	}
	_, saved := next.escape(stone, budget)
	return !saved
}

// frees reports whether a stone on at saves the own chain on stone, which is in atari.
func (p *Position) frees(stone, at Point, budget *int) bool {
	next := p.Play(Move(at))
	_, liberties := next.Chain(p.side, stone)
	switch liberties.Count() {
	case 0, 1:
		return false
	case 2:
		_, caught := next.chase(stone, liberties, budget)
		return !caught
	}
	return true
}
