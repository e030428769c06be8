// Package search finds the value of a position by looking ahead: quiescence search and
// fixed-depth alpha-beta over any games.Position.
//
// From a position and a static evaluation it returns the value, the principal variation, the
// position at its end (the leaf, whose features a label stores) and the number of nodes. Values
// are int32 in 1/Grain of the evaluator's unit: inside the search for the side to move, outside
// (Result) for the first player.
//
// Every search here is exact: it returns the value of plain minimax without pruning for the
// tree that its comment defines. Nothing depends on earlier searches, so equal positions have
// equal results and equal node counts on any worker. (Static values, and in Best bounds of
// quiescence values, are remembered by hash. An error would need two positions of a game that
// share all 64 bits.) There is no null move, no reduction, no margin; only alpha-beta prunes.
//
// The package ignores history: a repetition or the fifty-move rule belongs to the replay of the
// game, and no search here sees them.
package search

import (
	"kifu/games"
	"kifu/schemas"
)

const (
	// Grain is the number of steps per unit of value.
	Grain = games.Grain
	// Win is the value of a position that is already won; a win in n plies is Win -
	// n*Grain, a loss in n plies n*Grain - Win. Static values stay below Decisive.
	Win = schemas.Win * Grain
	// Decisive bounds the static values: a value beyond ±Decisive is a forced win.
	Decisive = schemas.Decided * Grain
	// QuiescencePlies is the depth at which quiescence takes the static value even where
	// standing pat is not allowed: checks answered by checks could continue without end.
	QuiescencePlies = 64
	// QuiescenceNodes is the number of nodes after which a quiescence search only takes
	// static values.
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
	// Value returns the value of p from the first player's side in 1/Grain units; the
	// searches clamp it to ±Decisive. It depends on nothing that p.Hash does not.
	Value(p P) int32
}

// Forcer is a Static that can report the forced flag of AppendTactics at a lower cost than
// generating the moves.
type Forcer[P any] interface {
	Static[P]
	// Forced returns the forced flag that p.AppendTactics returns.
	Forced(p P) bool
}

// limiter is a Static whose quiescence search has a limit of its own, below QuiescencePlies. It
// is for games in which captures that give new pieces to drop have no end.
type limiter[P any] interface {
	Static[P]
	QuiescencePlies() int
}

// Narrower is a Static whose quiescence search follows, from a depth on, fewer moves than
// AppendTactics: where captures give new pieces to drop, few of the trees have most of the nodes.
type Narrower[P any] interface {
	Static[P]
	// NarrowPlies returns that depth.
	NarrowPlies() int
	// AppendNarrow is AppendTactics there. In a forced position it appends the same moves; its
	// moves may depend on the move that led to p.
	AppendNarrow(p P, dst []games.Move) (moves []games.Move, forced bool)
}

// Result is the result of a search.
type Result[P any] struct {
	Value int32 // first player's side, 1/Grain units
	// Leaf is the position at the end of the principal variation, the source of Value: its
	// static value, or the value of its outcome when Decided.
	Leaf    P
	Decided bool // the variation ends in a position that is won, lost or drawn by rule
	// PV is the principal variation. It belongs to the Searcher until its next search.
	PV    []games.Move
	Nodes int64 // positions visited, the root included
}

// Searcher searches positions one after the other, reusing its buffers. It must not be
// shared by goroutines.
type Searcher[P games.Position[P]] struct {
	static   Static[P]
	forcer   Forcer[P]   // static, if it is one
	narrower Narrower[P] // static, if it is one
	limit    int         // plies of quiescence
	wide     int         // the plies at which it follows all tactics
	nodes    int64
	until    int64        // the nodes at which the quiescence search gives up
	reach    int          // the greatest k that the quiescence search below the last node reached
	recalls  bool         // remember and use bounds of quiescence values
	stack    []games.Move // the moves of all nodes from the root to here
	pv       [plies]line
	order    order
	values   valueTable
	bounds   boundTable

	// Scratch of bestByStatic: the positions after the moves, and their indices in the
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

// New returns a Searcher that evaluates its leaves by e.
func New[P games.Position[P]](e Static[P]) *Searcher[P] {
	s := &Searcher[P]{static: e, stack: make([]games.Move, 0, 1024), limit: QuiescencePlies}
	if l, ok := e.(limiter[P]); ok {
		s.limit = min(l.QuiescencePlies(), QuiescencePlies)
	}
	s.forcer, _ = e.(Forcer[P])
	s.wide = s.limit
	if n, ok := e.(Narrower[P]); ok {
		s.narrower, s.wide = n, min(n.NarrowPlies(), s.limit)
	}
	return s
}

// adopt makes m, followed by the variation of the next ply, the variation of ply.
func (s *Searcher[P]) adopt(ply int, m games.Move) {
	to, from := &s.pv[ply], &s.pv[ply+1]
	to.moves[0] = m
	to.n = 1 + copy(to.moves[1:], from.moves[:from.n])
	to.decided = from.decided
}

// end makes the variation of ply empty.
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

// result builds the Result of a search of p that gave v for p's side to move.
func (s *Searcher[P]) result(p P, v int32) Result[P] {
	r := Result[P]{Value: v * p.ToMove().Sign(), Leaf: p, Decided: s.pv[0].decided, PV: s.pv[0].moves[:s.pv[0].n], Nodes: s.nodes}
	for _, m := range r.PV {
		r.Leaf = r.Leaf.Play(m)
	}
	return r
}
