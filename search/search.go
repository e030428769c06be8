// Package search finds the value of a position by looking ahead: quiescence search and
// fixed-depth alpha-beta over any games.Position.
//
// A position and a static evaluation go in; the value, the principal variation, the
// position at its end (the leaf, whose features a label stores) and the number of
// nodes come out. Values are int32 in 1/Grain of the evaluator's unit: inside the
// search for the side to move, outside (Result) for the first player.
//
// Every search here is exact: it returns the value that plain minimax without pruning
// gives for the tree that its comment defines, and nothing that depends on what was
// searched before, so equal positions have equal results and equal node counts on any
// worker. (Static values are remembered by their hash, and by Best bounds of quiescence
// values: two of the positions of a game would have to share all 64 bits to disturb that.)
// There is no null move, no reduction, no margin; what is pruned is pruned by alpha-beta
// alone.
//
// The package does not repair history: a repetition or the fifty-move rule belongs to
// the replay of the game, and no search here sees them.
package search

import (
	"kifu/games"
	"kifu/schemas"
)

const (
	// Grain is the number of steps per unit of value.
	Grain = games.Grain
	// Win is the value of a position that is won already; a win in n plies is
	// Win - n*Grain, a loss in n plies n*Grain - Win. Static values stay below Decisive.
	Win = schemas.Win * Grain
	// Decisive bounds the static values: a value beyond ±Decisive is a forced win.
	Decisive = schemas.Decided * Grain
	// QuiescencePlies is the depth at which quiescence takes the static value even
	// where standing pat is not allowed: checks answered by checks could go on for ever.
	QuiescencePlies = 64
	// QuiescenceNodes is after how many nodes a quiescence search only takes static
	// values any more.
	QuiescenceNodes = 1 << 14
	// MaxDepth is the greatest depth of Depth.
	MaxDepth = 63
)

const (
	infinite = Win + Grain
	plies    = MaxDepth + QuiescencePlies + 2
)

// Static is a static evaluation; every eval.Evaluator is one.
type Static[P any] interface {
	// Value of p from the first player's side in 1/Grain units; the searches cut it off
	// at ±Decisive. It depends on nothing that p.Hash does not.
	Value(p P) int32
}

// Forcer is a Static that knows of a position what AppendTactics calls forced, for less
// than it costs to find the moves.
type Forcer[P any] interface {
	Static[P]
	Forced(p P) bool
}

// Result is what a search returns.
type Result[P any] struct {
	Value int32 // first player's side, 1/Grain units
	// Leaf is the position at the end of the principal variation, where Value comes
	// from: its static value, or that of its outcome when Decided.
	Leaf    P
	Decided bool // the variation ends in a position that is won, lost or drawn by rule
	// PV is the principal variation. It belongs to the Searcher until its next search.
	PV    []games.Move
	Nodes int64 // positions visited, the root included
}

// Searcher searches positions one after the other, with buffers that it keeps. It is
// for one goroutine.
type Searcher[P games.Position[P]] struct {
	static  Static[P]
	forcer  Forcer[P] // static, if it is one
	nodes   int64
	until   int64        // the nodes at which the quiescence search gives up
	reach   int          // how deep the last one of its nodes looked, in its k
	recalls bool         // bounds of quiescence values are remembered and used
	stack   []games.Move // the moves of all nodes from the root to here
	pv      [plies]line
	order   order
	values  valueTable
	bounds  boundTable

	// Scratch of bestByStatic: the positions behind the moves, and their places in the
	// order of their values.
	successors []successor[P]
	ranks      []int64
}

// line is the principal variation of the node at one ply.
type line struct {
	moves   [plies]games.Move
	n       int
	decided bool
}

// New returns a Searcher that values its leaves by e.
func New[P games.Position[P]](e Static[P]) *Searcher[P] {
	s := &Searcher[P]{static: e, stack: make([]games.Move, 0, 1024)}
	s.forcer, _ = e.(Forcer[P])
	return s
}

// adopt makes m, followed by the variation of the next ply, that of ply.
func (s *Searcher[P]) adopt(ply int, m games.Move) {
	to, from := &s.pv[ply], &s.pv[ply+1]
	to.moves[0] = m
	to.n = 1 + copy(to.moves[1:], from.moves[:from.n])
	to.decided = from.decided
}

// end makes the variation of ply empty: it ends here.
func (s *Searcher[P]) end(ply int, decided bool) {
	s.pv[ply].n, s.pv[ply].decided = 0, decided
}

// decided returns the value of p, which has no legal move, for its side to move, ply plies
// from the root.
func (s *Searcher[P]) decided(p P, ply int) int32 {
	s.end(ply, true)
	switch p.Outcome() {
	case games.WinFor(p.ToMove()):
		return Win - int32(ply)*Grain
	case games.WinFor(p.ToMove().Other()):
		return int32(ply)*Grain - Win
	}
	return 0
}

// result packs up a search of p that gave v for p's side to move.
func (s *Searcher[P]) result(p P, v int32) Result[P] {
	r := Result[P]{Value: v * p.ToMove().Sign(), Leaf: p, Decided: s.pv[0].decided, PV: s.pv[0].moves[:s.pv[0].n], Nodes: s.nodes}
	for _, m := range r.PV {
		r.Leaf = r.Leaf.Play(m)
	}
	return r
}
