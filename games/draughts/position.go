// Package draughts implements the rules of kinds of draughts: English draughts
// (checkers), international and Frisian draughts on 100 squares, Russian, Brazilian and Italian
// draughts, and English draughts played to lose (giveaway). They differ in the data of variant.go alone.
//
// Two captures that begin and end on the same squares and take the same men are one
// move, whichever way round they go. That is how perft is counted where it has been
// published (damforum.nl, "Perft" and "The alternative game rules").
//
// Rules: WCDF, Rules of Draughts (Checkers); FMJD, Official Rules for International
// Draughts; FMJD-64, Rules of the game; FID, Regolamento ufficiale di gioco della dama
// italiana. Files: board.go the squares, variant.go the
// differences, generate.go and capture.go the moves, replay.go the draws, notation.go,
// fen.go and stops.go the texts.
package draughts

import "kifu/games"

// Position is a position of one variant: a value of 32 bytes. The zero value is an
// empty board of checkers.
type Position struct {
	own, opp Bitboard // men and kings of the side to move, and of the other
	kings    Bitboard // of both
	turn
}

// turn has the rest of a Position: no struct here has more than four fields, so that the compiler keeps
// positions in registers.
type turn struct {
	side  games.Side
	rules Rules
	runs  runs
}

// run counts the moves of a king in the last turns of its side, none of them a capture. It is
// empty without such a move, or if the side has no men.
type run struct {
	at    Square
	moves uint8
}

// longest is the greatest number of moves in a run.
const longest = 3

// runs has a run of each side where no king may move more than three times in a row. Each is a byte: the
// square, and from its sixth bit on the moves.
type runs uint16

func (r runs) ofSide(s games.Side) run {
	of := uint8(r >> (8 * (s & 1)))
	return run{Square(of & 63), of >> 6}
}

func (r runs) with(s games.Side, of run) runs {
	shift := 8 * (s & 1)
	return r&^(0xff<<shift) | (runs(of.at)|runs(of.moves)<<6)<<shift
}

// start returns the usual start of r.
func (r Rules) start() Position {
	v := r.variant()
	return Position{own: v.start[games.First], opp: v.start[games.Second], turn: turn{rules: r & mask}}
}

// Rules returns the variant that p belongs to.
func (p Position) Rules() Rules { return p.rules }

// ToMove returns the side to move.
func (p Position) ToMove() games.Side { return p.side }

// Side returns the set of all men and kings of s.
func (p Position) Side(s games.Side) Bitboard {
	if s == p.side {
		return p.own
	}
	return p.opp
}

// Kings returns the set of the kings of both sides.
func (p Position) Kings() Bitboard { return p.kings }

// Empty returns the set of empty squares.
func (p Position) Empty() Bitboard { return p.rules.variant().board &^ (p.own | p.opp) }

// Board returns the set of all playing squares.
func (p Position) Board() Bitboard { return p.rules.variant().board }

// Seen returns the men and kings of s, those of the other side, and the kings of both. The
// board is turned so that the men of s go up.
func (p Position) Seen(s games.Side) (own, foe, kings Bitboard) {
	v := p.rules.variant()
	own, foe, kings = p.Side(s), p.Side(s.Other()), p.kings
	if v.forward[s&1] == DownLeft {
		own, foe, kings = own.turn(v.width), foe.turn(v.width), kings.turn(v.width)
	}
	return own, foe, kings
}

// held returns the set of the king of the side to move that may only capture.
func (p Position) held() Bitboard {
	if r := p.runs.ofSide(p.side); r.moves >= longest {
		return r.at.Bit()
	}
	return 0
}

// runsAfter returns the runs after m, by which the position after it is next.
func (p Position) runsAfter(m games.Move, next Position) runs {
	last, now := p.runs.ofSide(p.side), run{}
	if Taken(m) == 0 && p.kings&From(m).Bit() != 0 {
		now = run{To(m), 1}
		if last.moves > 0 && last.at == From(m) {
			now.moves += last.moves
		}
	}
	after := p.runs.with(p.side, now)
	for _, s := range []games.Side{games.First, games.Second} {
		r, set := after.ofSide(s), next.Side(s)
		if r.moves > 0 && (set&next.kings&r.at.Bit() == 0 || set&^next.kings == 0) {
			after = after.with(s, run{})
		}
	}
	return after
}

// Play returns the position after m.
func (p Position) Play(m games.Move) Position {
	v := p.rules.variant()
	from, to, taken := From(m).Bit(), To(m).Bit(), Taken(m)
	kings := p.kings &^ taken
	switch side := p.side & 1; {
	case kings&from != 0:
		kings = kings&^from | to
	case to&v.crown[side] != 0 || taken&v.pass[side] != 0:
		// A man that jumps over the row before the last touches the last, on its way
		// or at its end; and only so can it get there.
		kings |= to
	}
	next := Position{own: p.opp &^ taken, opp: p.own&^from | to, kings: kings, turn: turn{side: p.side ^ 1, rules: p.rules}}
	if v.threeMoves {
		next.runs = p.runsAfter(m, next)
	}
	return next
}

// Outcome returns a loss of the side to move when it cannot move, in giveaway a win.
func (p Position) Outcome() games.Outcome {
	v := p.rules.variant()
	if p.canStep(v) || p.capturers(v) != 0 {
		return games.Undecided
	}
	if v.giveaway {
		return games.WinFor(p.side)
	}
	return games.WinFor(p.side.Other())
}

// Hash mixes the words of p: no incremental state is needed while moving.
func (p Position) Hash() uint64 {
	const seed = 0x6b696675 // "kifu"
	h := seed + uint64(p.side) + 2*uint64(p.rules)
	for i, s := range []games.Side{games.First, games.Second} {
		r := p.runs.ofSide(s)
		h += (uint64(r.at)<<8 | uint64(r.moves)) << (32 + 16*i)
	}
	h = mix(h)
	h = mix(h ^ uint64(p.own))
	h = mix(h ^ uint64(p.opp))
	return mix(h ^ uint64(p.kings))
}

// mix is the finisher of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom
// Number Generators", 2014), a bijection.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
