package weiqi

import "kifu/games"

// Features of moves that patterns do not see: Stern, Herbrich and Graepel (2006, section 2)
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
	passes
	passesToo
)

var featureNames = []string{"takes one stone", "takes two or three stones", "takes four stones or more", "saves a chain in atari", "extends a chain that is lost in a ladder",
	"begins a ladder that works", "atari from which the chain escapes", "self-atari", "pass", "pass after a pass"}

// MoveFeatures implements games.MoveFeatures.
func (Rules) MoveFeatures() []string { return featureNames }

// EachMoveFeature implements games.MoveFeatures.
func (Rules) EachMoveFeature(p Position, moves []games.Move, _ int, f func(move, feature int)) {
	var facts pointFacts
	facts.read(&p)
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
		if facts.selfAtari(&p, at) {
			f(i, selfAtari)
		}
	}
}

// pointFacts holds what stones on the points of a position do.
type pointFacts struct {
	taken                        [stride * MaxSize]int // stones
	saves, vain, ladders, ataris Bitboard
}

func (t *pointFacts) read(p *Position) {
	p.EachChain(p.side^1, func(chain, liberties Bitboard) {
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

// selfAtari reports whether the stone on at, which takes none, belongs to a chain with one
// liberty.
func (t *pointFacts) selfAtari(p *Position, at Point) bool {
	if t.taken[at] > 0 {
		return false
	}
	one, empty := At(at), p.Empty()
	around := one.Neighbours()
	if around.CountAnd(&empty) > 1 {
		return false
	}
	next := p.Play(Move(at))
	_, liberties := next.Chain(p.side, at)
	return liberties.Count() == 1
}
