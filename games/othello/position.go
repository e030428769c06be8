// Package othello holds the rules of Othello on the board of 8×8.
//
// In go moves (f5, pass in every spelling) and positions of 64 letters; out come
// positions, legal moves, texts, packed boards and condition columns. Position is a
// small value: Play returns a new one, and nothing allocates. Black moves first. A side
// without a move must pass, and the pass is a move of its own; when neither side has one
// the game is over, and who has more discs has won.
//
// Perft here counts moves only. Published tables from depth 10 on also count games that
// have ended early: 24,571,284 leaves, of which 228 are such ends.
//
// Solve plays the last empty squares out exactly. The package plays no other board and
// no other rule (anti-Othello, komi), and does not evaluate.
package othello

import "kifu/games"

// Black and White are the sides by their names in Othello.
const (
	Black = games.First
	White = games.Second
)

// Position is an Othello position: the discs as the side to move sees them, which spares
// the move generator all questions of colour.
//
// The zero Position is an empty board, on which the game is over.
type Position struct {
	own, opp Bitboard // discs of the side to move and of the other
	side     games.Side
}

// Start returns the usual start: Black on e4 and d5, White on d4 and e5, Black to move.
func Start() Position {
	return Position{own: 1<<28 | 1<<35, opp: 1<<27 | 1<<36}
}

// Move returns the move that puts a disc on s.
func Move(s Square) games.Move { return games.Move(s&63) + 1 }

// Pass is the pass, legal only without another move.
const Pass games.Move = 65

// To returns the square of a move that is not Pass.
func To(m games.Move) Square { return Square(m - 1) }

// ToMove returns the side whose turn it is.
func (p Position) ToMove() games.Side { return p.side }

// Own returns the discs of the side to move.
func (p Position) Own() Bitboard { return p.own }

// Other returns the discs of the side not to move.
func (p Position) Other() Bitboard { return p.opp }

// Discs returns the discs of a side.
func (p Position) Discs(side games.Side) Bitboard {
	if side == p.side {
		return p.own
	}
	return p.opp
}

// Empty returns the empty squares.
func (p Position) Empty() Bitboard { return ^(p.own | p.opp) }

// Moves returns the squares to which a side could move if it were its turn.
func (p Position) Moves(side games.Side) Bitboard {
	if side == p.side {
		return mobility(p.own, p.opp)
	}
	return mobility(p.opp, p.own)
}

// AppendMoves appends the legal moves: by square, or the pass alone.
func (p Position) AppendMoves(dst []games.Move) []games.Move {
	moves := mobility(p.own, p.opp)
	if moves == 0 && mobility(p.opp, p.own) != 0 {
		return append(dst, Pass)
	}
	for ; moves != 0; moves = moves.Rest() {
		dst = append(dst, Move(moves.First()))
	}
	return dst
}

// AppendTactics appends what the quiescence search follows: moves to corners, in ascending
// order. A disc in a corner never turns again, and taking one often decides a whole edge. So a
// value is not quiet while a corner can be taken; all other moves change it little. The search
// also follows a forced pass, and the end of the game, which has no moves: both are forced.
func (p Position) AppendTactics(dst []games.Move) (moves []games.Move, forced bool) {
	legal := mobility(p.own, p.opp)
	if legal == 0 {
		return p.AppendMoves(dst), true
	}
	for corners := legal & Corners; corners != 0; corners = corners.Rest() {
		dst = append(dst, Move(corners.First()))
	}
	return dst, false
}

// Play returns the position after m, which must be legal.
func (p Position) Play(m games.Move) Position {
	if m == Pass {
		return Position{own: p.opp, opp: p.own, side: p.side ^ 1}
	}
	s := To(m)
	turned := flips(s, p.own, p.opp)
	return Position{own: p.opp &^ turned, opp: p.own | turned | s.Bit(), side: p.side ^ 1}
}

// MustPass reports whether the side to move has no move while the other has one.
func (p Position) MustPass() bool {
	return mobility(p.own, p.opp) == 0 && mobility(p.opp, p.own) != 0
}

// Outcome is decided when neither side can move: the side with more discs has won.
func (p Position) Outcome() games.Outcome {
	if mobility(p.own, p.opp)|mobility(p.opp, p.own) != 0 {
		return games.Undecided
	}
	switch own, opp := p.own.Count(), p.opp.Count(); {
	case own > opp:
		return games.WinFor(p.side)
	case own < opp:
		return games.WinFor(p.side ^ 1)
	}
	return games.Drawn
}

// Hash mixes the discs and the side to move. It is part of the datasets: it does not
// depend on the program's version and must never change.
func (p Position) Hash() uint64 {
	h := scramble(uint64(p.own) + golden)
	return scramble(h ^ uint64(p.opp)*0xd6e8feb86659fd93 ^ uint64(p.side)<<63)
}

// golden is the increment of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// scramble is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014); no two numbers give the same.
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
