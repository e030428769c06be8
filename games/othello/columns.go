package othello

import "kifu/games"

// MaxPhase is the phase of a full board.
const MaxPhase = 64

// Phase returns the number of discs on the board: 4 at the usual start, 64 at the end.
func (p Position) Phase() int { return (p.own | p.opp).Count() }

var columns = []games.Column{
	{Name: "phase", Doc: "discs on the board: 4 at the usual start, 64 on a full board"},
	{Name: "black_discs", Doc: "black discs"},
	{Name: "white_discs", Doc: "white discs"},
	{Name: "disc_difference", Doc: "black discs minus white discs"},
	{Name: "black_moves", Doc: "squares to which Black could move, whoever is to move"},
	{Name: "white_moves", Doc: "squares to which White could move, whoever is to move"},
	{Name: "mobility_difference", Doc: "black_moves minus white_moves"},
	{Name: "black_corners", Doc: "corners with a black disc"},
	{Name: "white_corners", Doc: "corners with a white disc"},
	{Name: "last_move", Doc: "1 when the number of empty squares is odd, so that the side to move makes the last move if neither side passes"},
	{Name: "odd_regions", Doc: "regions with an odd number of empty squares, connected along rows and columns"},
	{Name: "must_pass", Doc: "1 when the side to move must pass"},
}

// Columns returns the condition columns of Othello.
func (Rules) Columns() []games.Column { return columns }

// AppendColumns appends their values.
func (Rules) AppendColumns(dst []int16, p Position) []int16 {
	black, white := p.Discs(Black), p.Discs(White)
	blackDiscs, whiteDiscs := black.Count(), white.Count()
	blackMoves, whiteMoves := mobility(black, white).Count(), mobility(white, black).Count()
	mustPass := int16(0)
	if p.MustPass() {
		mustPass = 1
	}
	_, odd := p.Empty().OddRegions()
	return append(dst, int16(blackDiscs+whiteDiscs),
		int16(blackDiscs), int16(whiteDiscs), int16(blackDiscs-whiteDiscs),
		int16(blackMoves), int16(whiteMoves), int16(blackMoves-whiteMoves),
		int16((black & Corners).Count()), int16((white & Corners).Count()),
		int16((blackDiscs+whiteDiscs)&1), int16(odd), mustPass)
}
