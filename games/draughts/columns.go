package draughts

import "kifu/games"

// MaxPhase is the phase of the start.
const MaxPhase = 24

// Phase returns the number of men and kings left, scaled to MaxPhase at the start whatever
// the board: 24 to 20 is the opening, to 14 and to 10 are the two halves of the midgame,
// below 10 is the endgame.
func (p Position) Phase() int {
	v := p.rules.variant()
	return min(MaxPhase, (p.own|p.opp).Count()*MaxPhase/(v.rows*v.width))
}

var columns = []games.Column{
	{Name: "phase", Doc: "pieces left, scaled to 24 at the start: opening 24–20, midgame 19–14 and 13–10, endgame below 10"},
	{Name: "white_men", Doc: "white men"},
	{Name: "white_kings", Doc: "white kings"},
	{Name: "black_men", Doc: "black men"},
	{Name: "black_kings", Doc: "black kings"},
	{Name: "men_difference", Doc: "the first player's men minus the second's"},
	{Name: "kings_difference", Doc: "the first player's kings minus the second's"},
	{Name: "tempo_difference", Doc: "rows that the first player's men have advanced from their own edge, summed, minus the same for the second player"},
	{Name: "white_back_row", Doc: "white men on White's back row"},
	{Name: "black_back_row", Doc: "black men on Black's back row"},
	{Name: "white_steps", Doc: "non-capturing moves of White by one square, even when a capture is compulsory"},
	{Name: "black_steps", Doc: "non-capturing moves of Black by one square, even when a capture is compulsory"},
	{Name: "moves", Doc: "number of legal moves of the side to move"},
	{Name: "capture", Doc: "1 when the side to move must capture"},
}

// Columns returns the condition columns of draughts.
func (Rules) Columns() []games.Column { return columns }

// AppendColumns appends their values.
func (r Rules) AppendColumns(dst []int16, p Position) []int16 {
	v := r.variant()
	white, black := v.sideOf(true), v.sideOf(false)
	men := [2]int{p.count(games.First, false), p.count(games.Second, false)}
	kings := [2]int{p.count(games.First, true), p.count(games.Second, true)}
	var buf [64]games.Move
	moves := p.AppendMoves(buf[:0])
	capture := 0
	if len(moves) > 0 && Taken(moves[0]) != 0 {
		capture = 1
	}
	for _, n := range [...]int{
		p.Phase(), men[white], kings[white], men[black], kings[black], men[0] - men[1], kings[0] - kings[1],
		p.tempo(games.First) - p.tempo(games.Second),
		p.backRow(white), p.backRow(black), p.steps(white), p.steps(black), len(moves), capture,
	} {
		dst = append(dst, int16(n))
	}
	return dst
}

// count returns the number of the men or of the kings of s.
func (p Position) count(s games.Side, kings bool) int {
	if kings {
		return (p.Side(s) & p.kings).Count()
	}
	return (p.Side(s) &^ p.kings).Count()
}

// tempo returns the number of rows that the men of s have advanced.
func (p Position) tempo(s games.Side) int {
	v := p.rules.variant()
	n := 0
	for men := p.Side(s) &^ p.kings; men != 0; men = men.Rest() {
		row := men.First().Row()
		if v.forward[s&1] == UpLeft {
			row = v.width - 1 - row
		}
		n += row
	}
	return n
}

func (p Position) backRow(s games.Side) int {
	return (p.Side(s) &^ p.kings & p.rules.variant().back[s&1]).Count()
}

// steps returns the number of quiet moves of s by one square.
func (p Position) steps(s games.Side) int {
	empty, all := p.Empty(), p.Side(s)
	d := p.rules.variant().forward[s&1]
	n := 0
	for _, way := range [2]Direction{d, d + 1} {
		n += (all.Step(way) & empty).Count() + ((all & p.kings).Step(3-way) & empty).Count()
	}
	return n
}
