package draughts

import "kifu/games"

// drawRule draws a game when every player has made a number of moves since an event last
// happened, all the while with certain men on the board.
type drawRule struct {
	name  string
	moves int   // of each player
	ends  event // what starts the count again
	// material reports the positions to which the rule applies; nil for all. The count
	// begins with the first such position and is lost with any other.
	material func(Position) bool
}

// event is a set of properties of a move.
type event uint8

const (
	captured event = 1 << iota
	advanced       // by a man
	crowned
)

// Draws that players agree on or that an arbiter finds are not covered here. All variants but
// the Frisian draw by the third repetition of a position with the same side to move.
var (
	// WCDF, Rules of Draughts (Checkers), 1.32: no man advanced and nothing taken in the 40
	// moves before. Giveaway has no federation; it is drawn like the game it derives from. So is Italian
	// draughts.
	englishDraws = []drawRule{
		{name: "forty moves", moves: 40, ends: captured | advanced},
	}
	// FMJD, Official Rules for International Draughts (Annex 1), article 6.
	internationalDraws = []drawRule{
		{name: "five moves", moves: 5, material: twoAgainstKing},
		{name: "sixteen moves", moves: 16, material: threeAgainstKing},
		{name: "twenty-five moves", moves: 25, ends: captured | advanced},
	}
	// FMJD-64, Rules of the game, 7.2.4 to 7.2.8. Three kings or more against one are drawn
	// after 15 moves by 7.2.4, repeated in 7.2.5.
	russianDraws = []drawRule{
		{name: "five moves", moves: 5, material: twoAgainstKing},
		{name: "five moves, king on the main road", moves: 5, material: threeAgainstMainRoad},
		{name: "fifteen moves", moves: 15, ends: captured | advanced},
		{name: "thirty moves", moves: 30, ends: captured | crowned, material: kingsOf(4, 5)},
		{name: "sixty moves", moves: 60, ends: captured | crowned, material: kingsOf(6, 7)},
	}
	// Confederação Brasileira de Jogo de Damas, Regras oficiais: five moves in endings of two kings
	// or one against as many, or against a king and a man; twenty moves of kings alone.
	brazilianDraws = []drawRule{
		{name: "five moves", moves: 5, material: twoKingsAtMost},
		{name: "twenty moves", moves: 20, ends: captured | advanced},
	}
	// Dambûn Frysk Spul, as lidraughts.org has it: two kings have seven moves to win against one. A king
	// against a king is drawn unless one is caught at once: two moves.
	frisianDraws = []drawRule{
		{name: "seven moves", moves: 7, material: onlyKings(3)},
		{name: "two moves", moves: 2, material: onlyKings(2)},
	}
)

// maxDraws is the longest list of draw rules.
const maxDraws = 5

// loneKing returns the square of a king that is alone, and the men against it, if among
// these there is a king.
func loneKing(p Position) (king, others Bitboard) {
	king, others = p.own, p.opp
	if king.Count() != 1 {
		king, others = others, king
	}
	if king.Count() != 1 || king&p.kings == 0 || others&p.kings == 0 {
		return 0, 0
	}
	return king, others
}

func twoAgainstKing(p Position) bool {
	_, others := loneKing(p)
	return others != 0 && others.Count() <= 2
}

// twoKingsAtMost matches endings in which each side has one king or two, and one of them that has
// one king perhaps a man.
func twoKingsAtMost(p Position) bool {
	own, opp := (p.own & p.kings).Count(), (p.opp & p.kings).Count()
	men := [2]int{p.own.Count() - own, p.opp.Count() - opp}
	if own < 1 || own > 2 || opp < 1 || opp > 2 || men[0]+men[1] > 1 {
		return false
	}
	return men[0] == 0 && men[1] == 0 || men[0] == 1 && own == 1 || men[1] == 1 && opp == 1
}

func threeAgainstKing(p Position) bool {
	_, others := loneKing(p)
	return others.Count() == 3
}

func threeAgainstMainRoad(p Position) bool {
	king, others := loneKing(p)
	s := king.First()
	return others.Count() == 3 && s.Row()+s.Column() == 7 // a1 to h8 on 64 squares
}

// onlyKings matches positions of so many kings and no men, with some on both sides.
func onlyKings(number int) func(Position) bool {
	return func(p Position) bool {
		return p.own != 0 && p.opp != 0 && (p.own|p.opp) == p.kings && p.kings.Count() == number
	}
}

// kingsOf matches positions of least to most men in which both sides have a king.
func kingsOf(least, most int) func(Position) bool {
	return func(p Position) bool {
		n := (p.own | p.opp).Count()
		return n >= least && n <= most && p.own&p.kings != 0 && p.opp&p.kings != 0
	}
}

// replay follows a game. seen are the hashes of the positions since the last move that
// cannot be undone, the present one last; plies are the counts of the draw rules.
type replay struct {
	now   Position
	seen  []uint64
	plies [maxDraws]int
}

// NewReplay returns a replay at the usual start.
func (r Rules) NewReplay() games.Replay[Position] {
	g := &replay{}
	g.Reset(r.start())
	return g
}

func (r *replay) Reset(p Position) {
	r.now = p
	r.seen = append(r.seen[:0], p.Hash())
	r.plies = [maxDraws]int{}
}

func (r *replay) Play(m games.Move) {
	man := r.now.kings&From(m).Bit() == 0
	before := r.now
	r.now = before.Play(m)
	var e event
	if Taken(m) != 0 {
		e |= captured
	}
	if man {
		e |= advanced
		if r.now.kings&To(m).Bit() != 0 {
			e |= crowned
		}
	}
	if e != 0 { // what was seen cannot come again: this saves time
		r.seen = r.seen[:0]
	}
	r.seen = append(r.seen, r.now.Hash())
	for i, rule := range r.now.rules.variant().draws {
		r.plies[i]++
		if e&rule.ends != 0 || rule.material != nil && (!rule.material(before) || !rule.material(r.now)) {
			r.plies[i] = 0
		}
	}
}

func (r *replay) Position() Position { return r.now }

// Outcome gives the end of moves before the draws.
func (r *replay) Outcome() (games.Outcome, string) {
	if o := r.now.Outcome(); o != games.Undecided {
		if r.now.own == 0 {
			return o, "no men left"
		}
		return o, "no moves"
	}
	if !r.now.rules.variant().endless && r.repeated(3) {
		return games.Drawn, "threefold repetition"
	}
	for i, rule := range r.now.rules.variant().draws {
		if r.plies[i] >= 2*rule.moves {
			return games.Drawn, rule.name
		}
	}
	return games.Undecided, ""
}

// repeated reports whether the present position has stood on the board times times.
func (r *replay) repeated(times int) bool {
	n, now := 0, r.seen[len(r.seen)-1]
	for i := len(r.seen) - 1; i >= 0; i -= 2 {
		if r.seen[i] == now {
			n++
		}
	}
	return n >= times
}
