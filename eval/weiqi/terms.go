package weiqi

// Terms, in the order of the model. All are Black's count less White's. A side's groups are
// its chains and the empty points beside them that no stone of the other side touches,
// joined: chains that are joined there are hard to cut.
const (
	stones = iota
	line1  // from the edge; the fifth line and all further in have no term
	line2
	line3
	line4

	liberties
	twoLiberties
	threeLiberties

	atari
	capturable

	eyes
	falseEyes
	twoEyed

	chains
	groups
	lone

	influence
	moyo
	territory
	enclosed

	toMove

	termCount
)

// terms are the names and groups, in the order of the constants.
var terms = [termCount]struct{ name, group string }{
	stones: {"stones", "stones"},
	line1:  {"stones_line_1", "stones"},
	line2:  {"stones_line_2", "stones"},
	line3:  {"stones_line_3", "stones"},
	line4:  {"stones_line_4", "stones"},

	liberties:      {"liberties", "liberties"},            // empty points beside a side's stones
	twoLiberties:   {"stones_two_liberties", "liberties"}, // stones in chains with two liberties
	threeLiberties: {"stones_three_liberties", "liberties"},

	atari:      {"stones_atari", "atari"},      // stones in chains with one liberty, their own side to move
	capturable: {"stones_capturable", "atari"}, // the same, the other side to move

	eyes:      {"eyes", "eyes"},            // points among own stones that cannot be made false
	falseEyes: {"false_eyes", "eyes"},      // other points among own stones
	twoEyed:   {"stones_two_eyed", "eyes"}, // stones in groups with two eyes and more

	chains: {"chains", "connectivity"},
	groups: {"groups", "connectivity"},
	lone:   {"lone_stones", "connectivity"}, // groups of a single stone

	influence: {"influence", "influence"}, // points of a side after 5 dilations
	moyo:      {"moyo", "influence"},      // after 5 dilations and 10 erosions

	territory: {"territory", "territory"}, // after 5 dilations and 21 erosions
	enclosed:  {"enclosed", "territory"},  // empty points from which only own stones are reached

	toMove: {"to_move", "tempo"}, // 1 for the side to move
}
