package weiqi

import "kifu/games"

// maxTactics bounds what AppendTactics appends, ladderMoves the moves that are tried to
// read one ladder: more than a ladder across the board needs. Chains below fewStones are
// captured, but neither rescued nor chased: it is rarely worth a move.
const (
	maxTactics  = 24
	ladderMoves = 160
	fewStones   = 2
)

// AppendTactics appends what the quiescence search follows, at most 24 moves, those about the
// most stones first:
//
//	captures
//	for chains of two stones and more in atari: escapes, by moving or by capturing
//	ataris on such chains that begin a working ladder
//
// Ladders are read to their end here, 160 moves each, so that the search need not follow those
// that fail. A game that has ended is forced, without moves.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	if p.ended() {
		return dst, true
	}
	t := tactics{p: &p}
	t.attacks()
	t.rescues()
	for _, c := range t.found[:t.n] {
		dst = append(dst, Move(c.at))
	}
	return dst, false
}

// tactics gathers points with the number of stones in question, in order.
type tactics struct {
	p     *Position
	found [maxTactics]struct {
		at     Point
		stones int
	}
	n int
}

// add puts a legal point into the list, once: before those about fewer stones, after those
// found earlier. When the list is full the last one drops out.
func (t *tactics) add(at Point, stones int) {
	for _, c := range t.found[:t.n] {
		if c.at == at {
			return
		}
	}
	i := t.n
	for i > 0 && t.found[i-1].stones < stones {
		i--
	}
	if i == maxTactics {
		return
	}
	t.n = min(t.n+1, maxTactics)
	copy(t.found[i+1:t.n], t.found[i:t.n-1])
	t.found[i].at, t.found[i].stones = at, stones
}

// attacks adds captures of the other side's chains, and ataris that begin a working
// ladder.
func (t *tactics) attacks() {
	t.p.eachTight(t.p.side^1, 2, func(chain, liberties Bitboard) {
		switch liberties.Count() {
		case 1:
			if at := liberties.First(); t.p.legal(at) {
				t.add(at, chain.Count())
			}
		case 2:
			if chain.Count() < fewStones {
				return
			}
			budget := ladderMoves
			if at, ok := t.p.chase(chain.First(), liberties, &budget); ok {
				t.add(at, chain.Count())
			}
		}
	})
}

// rescues adds the moves by which own chains in atari are not captured at once or in a
// ladder.
func (t *tactics) rescues() {
	t.p.eachTight(t.p.side, 1, func(chain, liberties Bitboard) {
		if liberties.Count() != 1 || chain.Count() < fewStones {
			return
		}
		budget := ladderMoves
		if at, ok := t.p.escape(chain.First(), &budget); ok {
			t.add(at, chain.Count())
		}
	})
}

// escape finds the first move by which the side to move saves its chain on stone, which
// is in atari: at its liberty, or by a capture next to it. A chain with three liberties
// is safe from ladders, one with two is if none of the other's ataris works. Every move
// tried is taken off the budget; without a budget the chain counts as safe.
func (p *Position) escape(stone Point, budget *int) (at Point, ok bool) {
	side := p.side
	chain, liberties := p.Chain(side, stone)
	tries := liberties
	around := chain.Neighbours().And(&p.stones[side^1])
	for !around.Empty() {
		other, breath := p.Chain(side^1, around.First())
		around = around.Without(&other)
		if breath.Count() == 1 {
			tries = tries.Or(&breath)
		}
	}
	for {
		at, more := tries.Pop()
		if !more {
			return 0, false
		}
		if !p.legal(at) {
			continue
		}
		if *budget--; *budget < 0 {
			return at, true
		}
		next := p.Play(Move(at))
		_, liberties := next.Chain(side, stone)
		switch liberties.Count() {
		case 0, 1:
			continue
		case 2:
			if _, caught := next.chase(stone, liberties, budget); caught {
				continue
			}
		}
		return at, true
	}
}

// chase finds the first atari by which the side to move captures the chain on stone,
// which has those two liberties, in a ladder.
func (p *Position) chase(stone Point, liberties Bitboard, budget *int) (at Point, ok bool) {
	for {
		at, more := liberties.Pop()
		if !more {
			return 0, false
		}
		if !p.legal(at) {
			continue
		}
		if *budget--; *budget < 0 {
			return 0, false
		}
		next := p.Play(Move(at))
		if _, breath := next.Chain(p.side^1, stone); breath.Count() != 1 {
			continue
		}
		if _, saved := next.escape(stone, budget); !saved {
			return at, true
		}
	}
}
