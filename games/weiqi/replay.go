package weiqi

import "kifu/games"

// replay follows a game and remembers its boards.
type replay struct {
	now     Position
	boards  []uint64 // hashes of the boards so far, the present one last
	sides   []games.Side
	outcome games.Outcome
	rule    string
}

var _ games.Replay[Position] = (*replay)(nil)

// NewReplay returns a replay at the usual start.
func (Rules) NewReplay() games.Replay[Position] {
	r := &replay{}
	r.Reset(New(MaxSize, Unnamed, 0))
	return r
}

// Reset starts a new game at p.
func (r *replay) Reset(p Position) {
	r.now, r.outcome, r.rule = p, games.Undecided, ""
	r.boards = append(r.boards[:0], p.board)
	r.sides = append(r.sides[:0], p.side)
}

// Play plays m, which must be legal in the position; Outcome reports whether it was
// forbidden because of earlier boards.
func (r *replay) Play(m games.Move) {
	mover, next := r.now.side, r.now.Play(m)
	repeats := m != Pass && r.stood(next)
	r.now = next
	r.boards = append(r.boards, next.board)
	r.sides = append(r.sides, next.side)
	r.outcome, r.rule = next.Outcome(), "two passes"
	switch {
	case repeats && rulesets[next.ruleset].repeats == noResult:
		r.outcome, r.rule = games.Drawn, "no result: whole-board repetition"
	case repeats:
		r.outcome, r.rule = games.WinFor(mover.Other()), "superko"
	case r.outcome == games.Undecided && next.passes == 2 && next.Settled():
		r.outcome = next.counted()
	case r.outcome == games.Undecided:
		r.rule = ""
	}
}

// Repeats reports whether m, legal in the position, would put a stone down and repeat an
// earlier whole-board position: with either side to move where superko is positional, with
// the same side where it is situational or a repetition has no result. It is false for
// rules without a rule on whole boards.
func (r *replay) Repeats(m games.Move) bool { return m != Pass && r.stood(r.now.Play(m)) }

// Forbids reports whether m, legal in the position, loses because it Repeats. A repetition
// without a result is not forbidden.
func (r *replay) Forbids(m games.Move) bool {
	return rulesets[r.now.ruleset].repeats != noResult && r.Repeats(m)
}

func (r *replay) stood(next Position) bool {
	rule := rulesets[next.ruleset].repeats
	if rule == noRule {
		return false
	}
	for i, board := range r.boards {
		if board == next.board && (rule == positional || r.sides[i] == next.side) {
			return true
		}
	}
	return false
}

// Position returns the position now.
func (r *replay) Position() Position { return r.now }

// Outcome returns what the last move decided. A move that superko forbids loses. Two passes
// are counted by the method of the set of rules, under the rules of Tromp and Taylor
// always, under others only on a settled board: it is for the players to agree on dead
// stones. A repetition without a result is a draw here.
func (r *replay) Outcome() (games.Outcome, string) { return r.outcome, r.rule }
