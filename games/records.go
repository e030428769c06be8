package games

import "hash"

// BlackFirst is implemented by Rules of games whose records call the player who moves
// first Black; in all other games White is the first player.
type BlackFirst interface {
	// BlackMovesFirst reports whether Black moves first.
	BlackMovesFirst() bool
}

// Unruled is implemented by Rules of games whose variants and start positions name a set of rules, which
// many records leave out.
type Unruled interface {
	// Unruled returns a variant and a start position, which may be empty, without the set of rules.
	Unruled(variant, position string) (v, p string)
}

// WriteStart writes the variant and the start position of a game by rules to a hash. Whether the record names the set of
// rules makes no difference.
func WriteStart(to hash.Hash, rules any, variant, position []byte) {
	if r, is := rules.(Unruled); is {
		v, p := r.Unruled(string(variant), string(position))
		variant, position = []byte(v), []byte(p)
	}
	to.Write(variant)
	to.Write([]byte{0})
	to.Write(position)
}

// Passer is implemented by Rules of games in which a side without a move has to pass.
// Some records leave such passes out.
type Passer[P any] interface {
	// ForcedPass returns the pass if it is the only move in p.
	ForcedPass(p P) (m Move, forced bool)
}

// PositionReader is implemented by Rules that read a position's text without a copy.
type PositionReader[P any] interface {
	// ReadPosition is ParsePosition of bytes, which it does not keep.
	ReadPosition(text []byte) (P, error)
}

// OtherStart is implemented by Rules of games with variants whose names leave open where
// some stones are, as two conventions are in use.
type OtherStart[P any] interface {
	// OtherStart returns the start of a variant by the convention that Start does not
	// follow; ok is false if the variant has only one.
	OtherStart(variant string) (start P, ok bool)
}

// Scorer is implemented by Rules of games that are won by points, which records state.
type Scorer[P any] interface {
	// Score returns the first player's points minus the second's, in hundredths of a point,
	// for a position in which the game is over; ok is false for all others.
	Score(p P) (score int32, ok bool)
}

// Solver is implemented by Rules of games whose last moves can be played out exactly.
type Solver[P any] interface {
	// Solve returns the final score of p under the best play of both sides, the first
	// player's points minus the second's in hundredths; ok is false when more than left
	// moves, of both sides together, may be left to play.
	Solve(p P, left int) (value int32, ok bool)
}

// Tabled is implemented by Rules of games in which endings of few pieces are looked up in tables
// that are made first.
type Tabled[P any] interface {
	// Tables returns a Solver of all positions of at most so many pieces of both sides: 100 for
	// those that the first player wins, -100 for those that the second wins, 0 for those drawn.
	// Its left is the number of pieces. The error gives the number allowed.
	Tables(pieces int) (Solver[P], error)
}

// RandomPlayer is implemented by Rules of games in which games of random legal moves would not
// end, or mean little: Go, where both sides would fill their own eyes.
type RandomPlayer[P any] interface {
	// RandomMove draws one of the sensible moves of p, which has not ended, each with the same
	// chance. draw returns a number from 0 to n-1, each with the same chance.
	RandomMove(p P, draw func(n int) int) Move
	// RandomOutcome returns the outcome of a game that came to p by so many moves of
	// RandomMove; Undecided while it goes on, which it does not for ever.
	RandomOutcome(p P, moves int) Outcome
}

// Patterns is implemented by Rules of games in which local patterns around a move help to
// predict it.
type Patterns[P any] interface {
	// PatternSizes names the shapes around a move, the smallest first. Each shape contains
	// all earlier ones.
	PatternSizes() []string
	// EachPattern calls f with the keys of each of the moves, which must be legal in p: for
	// each move in turn its keys from the smallest size on, until f returns false. Keys are
	// equal, except by chance, exactly when the shapes are equal up to rotation and
	// reflection as seen by the side to move.
	EachPattern(p P, moves []Move, f func(move int, key uint64) bool)
}

// MoveFeatures is implemented by Rules of games in which facts of its own, in addition to patterns, help
// to predict a move.
type MoveFeatures[P any] interface {
	// MoveFeatures names the features; they are numbered in this order, at most 64.
	MoveFeatures() []string
	// EachMoveFeature calls f for each feature of each of the moves, which must be legal in p. last is the cell of the
	// Layout on which the move before ended, -1 where that is not known.
	EachMoveFeature(p P, moves []Move, last int, f func(move, feature int))
}

// Styles is implemented by Rules of games whose record formats write moves each in its
// own way.
type Styles[P any] interface {
	// AppendStyle appends m, legal in p, as the record format of that name writes it;
	// ok is false for a name that the game does not know.
	AppendStyle(dst []byte, format string, p P, m Move) (text []byte, ok bool)
}

// Repeater is implemented by Rules of games that end when a position has come for the nth time,
// whatever the players want.
type Repeater interface {
	// Occurrences returns that n.
	Occurrences() int
}

// Declarer is implemented by Rules of games in which a player may declare a win, by
// a condition that a position alone fulfils.
type Declarer[P any] interface {
	// MayDeclare reports whether the side to move wins by declaring.
	MayDeclare(p P) bool
}

// Checker is implemented by Rules of games that are won by checks a king cannot answer: what
// a search for mates needs in addition to the legal moves.
type Checker[P any] interface {
	// AppendChecks appends the legal moves of p that give check.
	AppendChecks(dst []Move, p P) []Move
	// Answers returns about how many moves answer the check that the side to move is in;
	// 0 only in mate.
	Answers(p P) int
	// HasCheck reports whether AppendChecks appends any.
	HasCheck(p P) bool
	// Held returns p's hash without the pieces that the sides hold in hand, and the pieces
	// of side: counts, each below a bit of Guard. As no piece is lost, both together identify
	// the position among those that one game can reach.
	Held(p P, side Side) (board uint64, hand uint32)
	// Guard returns the bits that are free in all hands of Held.
	Guard() uint32
	// Block returns a number that is equal for those moves, in check, which only put
	// different pieces on one square between king and checker; 0 for all others.
	Block(m Move) uint8
	// GiveBack returns the position after the check m, which is legal in p, the position after
	// drop. m takes the dropped piece, which returns to the hand that it came from. ok is false
	// for other checks.
	GiveBack(p P, drop, m Move) (next P, ok bool)
}
