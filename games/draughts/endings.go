package draughts

import (
	"fmt"
	"slices"

	"kifu/games"
)

var (
	_ games.Tabled[Position] = Checkers
	_ games.Solver[Position] = (*Endings)(nil)
)

// Endings has the results of all positions of a few men and kings under the best play of both
// sides, without rules that count moves or repetitions. It may be used by many goroutines.
//
// It is made by retrograde analysis (Thompson, "Retrograde Analysis of Certain Endgames", ICCA
// Journal 1986; Lake, Schaeffer and Lu, "Solving Large Retrograde Analysis Problems Using a
// Network of Workstations", 1994). Classes of positions with the same men and kings are passed
// repeatedly until nothing changes, those with fewer men first. A position is won if a move
// leads to a lost one, and lost if all moves lead to won ones; the others are drawn.
type Endings struct {
	rules   Rules
	most    int
	bits    uint                       // of a square in an index
	results [classes * classes][]uint8 // by class and index, for the side to move
}

// The results, for the side to move.
const (
	drawn uint8 = iota // or not known yet
	won
	lost
)

// mostEndings is the greatest number of men and kings on 64 squares, on 100 squares one more
// than half of it.
const mostEndings = 4

const classes = (mostEndings + 1) * (mostEndings + 1)

// group counts the men and kings of one side.
type group struct{ men, kings int }

func (g group) pieces() int { return g.men + g.kings }
func (g group) number() int { return g.men*(mostEndings+1) + g.kings }

// ending is a position of a class, seen by its side to move, which goes up.
type ending struct {
	position Position
	index    uint32
}

// Tables works out all endings of at most so many men and kings, 2 to mostEndings: 4 on 64
// squares take half a minute and 30 MB. Frisian draughts have none.
func (r Rules) Tables(pieces int) (games.Solver[Position], error) {
	e := &Endings{rules: r, most: pieces, bits: 5}
	most := mostEndings
	if r.variant().count > 32 {
		e.bits, most = 6, mostEndings-1
	}
	if r.variant().threeMoves {
		return nil, fmt.Errorf("%s: no tables of endings: what a king may do depends on its last moves", r.Name())
	}
	if pieces < 2 || pieces > most {
		return nil, fmt.Errorf("%s: endings of %d men and kings: want a number from 2 to %d", r.Name(), pieces, most)
	}
	var pairs [][2]group
	for n := 2; n <= pieces; n++ {
		for men := 0; men <= n; men++ {
			for own := 1; own < n; own++ {
				for ownMen := max(0, men-(n-own)); ownMen <= min(men, own); ownMen++ {
					pairs = append(pairs, [2]group{{ownMen, own - ownMen}, {men - ownMen, n - own - men + ownMen}})
				}
			}
		}
	}
	for _, p := range pairs {
		if e.table(p[0], p[1]) == nil {
			e.solve(p[0], p[1])
		}
	}
	return e, nil
}

// table returns the results of a class.
func (e *Endings) table(own, foe group) []uint8 {
	return e.results[own.number()*classes+foe.number()]
}

// solve fills the tables of two classes that moves lead back and forth between.
func (e *Endings) solve(own, foe group) {
	var open []ending
	for _, c := range [][2]group{{own, foe}, {foe, own}} {
		n := own.pieces() + foe.pieces()
		e.results[c[0].number()*classes+c[1].number()] = make([]uint8, 1<<(e.bits*uint(n)))
		open = e.appendClass(open, c[0], c[1])
		if own == foe {
			break
		}
	}
	var moves []games.Move
	for changed := true; changed; {
		before := len(open)
		open = slices.DeleteFunc(open, func(x ending) bool {
			moves = x.position.AppendMoves(moves[:0])
			result := e.judge(x.position, moves)
			own, foe, _ := e.groups(x.position)
			e.table(own, foe)[x.index] = result
			return result != drawn
		})
		changed = len(open) < before
	}
}

// judge returns the result of p from the results of the positions after its moves.
func (e *Endings) judge(p Position, moves []games.Move) uint8 {
	if len(moves) == 0 {
		return resultOf(p)
	}
	all := true
	for _, m := range moves {
		switch e.result(p.Play(m)) {
		case lost:
			return won
		case drawn:
			all = false
		}
	}
	if all {
		return lost
	}
	return drawn
}

// resultOf returns the result of a position without a move.
func resultOf(p Position) uint8 {
	if p.Outcome() == games.WinFor(p.side) {
		return won
	}
	return lost
}

// result looks p up.
func (e *Endings) result(p Position) uint8 {
	if p.own == 0 {
		return resultOf(p)
	}
	own, foe, index := e.groups(p)
	return e.table(own, foe)[index]
}

// groups returns the class of p and its index there: the squares of the own men, the own kings,
// the other men and kings, each group ascending, seen from the side to move.
func (e *Endings) groups(p Position) (own, foe group, index uint32) {
	mine, theirs, kings := p.Seen(p.side)
	v := e.rules.variant()
	for _, set := range [...]Bitboard{mine &^ kings, mine & kings, theirs &^ kings, theirs & kings} {
		for ; set != 0; set = set.Rest() {
			index = index<<e.bits | uint32(v.numberOf[set.First()]-1)
		}
	}
	own = group{(mine &^ kings).Count(), (mine & kings).Count()}
	return own, group{(theirs &^ kings).Count(), (theirs & kings).Count()}, index
}

// appendClass appends all positions of a class.
func (e *Endings) appendClass(dst []ending, own, foe group) []ending {
	v := e.rules.variant()
	up := games.First
	if v.forward[games.First] != UpLeft {
		up = games.Second
	}
	p := Position{turn: turn{side: up, rules: e.rules}}
	e.place(p, [4]int{own.men, own.kings, foe.men, foe.kings}, 0, 1, func(p Position) {
		_, _, index := e.groups(p)
		dst = append(dst, ending{p, index})
	})
	return dst
}

// place puts the pieces left to place, group by group, on squares from number on, and calls f
// with every position.
func (e *Endings) place(p Position, left [4]int, kind, number int, f func(Position)) {
	for kind < 4 && left[kind] == 0 {
		kind, number = kind+1, 1
	}
	if kind == 4 {
		f(p)
		return
	}
	v := e.rules.variant()
	left[kind]--
	for ; number <= v.count; number++ {
		s := v.squareOf[number].Bit()
		side := p.side
		if kind >= 2 {
			side ^= 1
		}
		man := kind%2 == 0
		if (p.own|p.opp)&s != 0 || man && v.crown[side&1]&s != 0 {
			continue
		}
		next := p
		if kind < 2 {
			next.own |= s
		} else {
			next.opp |= s
		}
		if !man {
			next.kings |= s
		}
		e.place(next, left, kind, number+1, f)
	}
}

// Solve returns 100 if the first player wins p, -100 if the second does, 0 if neither can; ok is
// false for more men and kings than left or than the tables have, and where one side has none.
func (e *Endings) Solve(p Position, left int) (value int32, ok bool) {
	if p.own == 0 || p.opp == 0 || (p.own|p.opp).Count() > min(left, e.most) {
		return 0, false
	}
	switch e.result(p) {
	case won:
		return 100 * p.side.Sign(), true
	case lost:
		return -100 * p.side.Sign(), true
	}
	return 0, true
}
