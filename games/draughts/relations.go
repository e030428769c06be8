package draughts

import "kifu/games"

var _ games.Relations[Position] = International

// Relations returns what men win by force; none where to lose them is the aim.
func (r Rules) Relations() []games.Relation[Position] {
	if r.variant().giveaway {
		return nil
	}
	return relations
}

var relations = []games.Relation[Position]{
	{Name: "shot", Doc: "pieces that the side to move wins by a shot: a sacrifice of pieces, which must be taken, and a larger capture",
		Count: func(p Position, _ []games.Selection) int {
			if p.capturers(p.rules.variant()) != 0 {
				return 0
			}
			return max(0, p.gives(mostGiven))
		}},
}

// mostGiven is how many times a shot gives pieces.
const mostGiven = 3

// gives returns the most pieces that the side to move wins by a shot: at most n moves that the
// other side must answer by capturing. It is 0 without a shot. The side to move must not be
// able to capture.
func (p Position) gives(n int) int {
	if n == 0 {
		return 0
	}
	best := 0
	var buffer [64]games.Move
	for _, m := range p.AppendMoves(buffer[:0]) {
		if next := p.Play(m); next.capturers(next.rules.variant()) != 0 {
			best = max(best, -next.takes(n-1, false))
		}
	}
	return best
}

// takes returns the most pieces that the side to move, which must capture, is ahead by when the captures have
// ended; own is set for the side that gave.
func (p Position) takes(n int, own bool) int {
	best := -64
	var buffer [64]games.Move
	for _, m := range p.AppendMoves(buffer[:0]) {
		next, worth := p.Play(m), Taken(m).Count()
		switch {
		case next.capturers(next.rules.variant()) != 0:
			worth -= next.takes(n, !own)
		case !own:
			worth -= next.gives(n)
		}
		best = max(best, worth)
	}
	return best
}
