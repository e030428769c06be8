package othello

import "math/bits"

// Solve returns the exact end of p: Black's discs minus White's after the best play of both.
// Empty squares count for the winner (as in WTHOR and by the French federation). It is meant
// for the last empty squares: 12 take some four milliseconds, each further pair eight to ten
// times as long.
//
// It is fail-soft alpha-beta with principal variation search (Pearl's scout). Moves that leave
// the opponent the fewest replies come first ("fastest first"). Near the leaves counting
// replies costs more than it saves, and moves into odd regions come first: the side that moves
// first into such a region also moves last.
func Solve(p Position) int {
	v := solve(p.own, p.opp, -64, 64, p.Empty().Count(), false)
	return v * int(p.side.Sign())
}

// Solve returns Solve(p) in hundredths of a disc, for positions of at most left empty
// squares.
func (Rules) Solve(p Position, left int) (value int32, ok bool) {
	if p.Empty().Count() > left {
		return 0, false
	}
	return 100 * int32(Solve(p)), true
}

// parityEmpties is the number of empty squares up to which moves are ordered by regions.
const parityEmpties = 6

// solve returns the value for own, who is to move: exact between alpha and beta, a bound
// outside. passed means that the opponent has just passed.
func solve(own, opp Bitboard, alpha, beta, empties int, passed bool) int {
	if empties == 1 {
		return lastSquare(own, opp)
	}
	moves := mobility(own, opp)
	if moves == 0 {
		if passed {
			return final(own, opp)
		}
		return -solve(opp, own, -beta, -alpha, empties, true)
	}
	if empties <= parityEmpties {
		return solveByRegions(own, opp, moves, alpha, beta, empties)
	}
	var list [64]reply
	best := -65
	for i, r := range list[:fastestFirst(own, opp, moves, &list)] {
		v := best
		if i == 0 {
			v = -solve(r.own, r.opp, -beta, -alpha, empties-1, false)
		} else if v = -solve(r.own, r.opp, -alpha-1, -alpha, empties-1, false); v > alpha && v < beta {
			v = -solve(r.own, r.opp, -beta, -v, empties-1, false)
		}
		if best = max(best, v); best >= beta {
			break
		}
		alpha = max(alpha, best)
	}
	return best
}

// reply is the board after a move as the opponent sees it, with the rank of the move.
type reply struct {
	own, opp Bitboard
	rank     int
}

// fastestFirst lists the boards after each of moves, those with the fewest replies
// first; replies in a corner count twice.
func fastestFirst(own, opp, moves Bitboard, list *[64]reply) (n int) {
	for ; moves != 0; moves = moves.Rest() {
		s := moves.First()
		turned := flips(s, own, opp)
		r := reply{own: opp &^ turned, opp: own | turned | s.Bit()}
		replies := mobility(r.own, r.opp)
		r.rank = replies.Count() + (replies & Corners).Count()
		i := n & 63
		for ; i > 0 && list[i-1].rank > r.rank; i-- {
			list[i] = list[i-1]
		}
		list[i] = r
		n++
	}
	return n
}

// solveByRegions tries moves into odd regions first.
func solveByRegions(own, opp, moves Bitboard, alpha, beta, empties int) int {
	odd, _ := (^(own | opp)).OddRegions()
	best := -65
	for _, part := range [2]Bitboard{moves & odd, moves &^ odd} {
		for ; part != 0; part = part.Rest() {
			s := part.First()
			turned := flips(s, own, opp)
			v := -solve(opp&^turned, own|turned|s.Bit(), -beta, -alpha, empties-1, false)
			if best = max(best, v); best >= beta {
				return best
			}
			alpha = max(alpha, best)
		}
	}
	return best
}

// lastSquare returns the value for own when one square is empty: own moves there, or else
// opp, or neither.
func lastSquare(own, opp Bitboard) int {
	s := (^(own | opp)).First()
	difference := own.Count() - opp.Count()
	if n := flips(s, own, opp).Count(); n > 0 {
		return difference + 2*n + 1
	}
	if n := flips(s, opp, own).Count(); n > 0 {
		return difference - 2*n - 1
	}
	return final(own, opp)
}

// final returns own's discs minus opp's when neither can move, the empty squares counted
// for the winner.
func final(own, opp Bitboard) int {
	difference := own.Count() - opp.Count()
	empty := 64 - bits.OnesCount64(uint64(own|opp))
	switch {
	case difference > 0:
		return difference + empty
	case difference < 0:
		return difference - empty
	}
	return 0
}
