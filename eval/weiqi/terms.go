package weiqi

// Terms, in the order of the model. All are Black's count less White's. A side's groups are
// its chains and the empty points next to them that no stone of the other side touches,
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
	nearer
	territory
	enclosed

	aliveArea
	weak2
	weak5
	weak9
	weak14
	deadToMove
	deadWaiting
	clearedMoyo
	clearedTerritory

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

	liberties:      {"liberties", "liberties"},            // empty points next to a side's stones
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

	nearer: {"nearer", "influence"}, // points nearer to a side's stones, over points without a stone

	territory: {"territory", "territory"}, // after 5 dilations and 21 erosions
	enclosed:  {"enclosed", "territory"},  // empty points from which only own stones are reached

	aliveArea:        {"area_alive", "life"},        // points of chains that live unconditionally and of their eyes
	weak2:            {"stones_room_2", "life"},     // stones in groups with less than two eyes and at most so much room
	weak5:            {"stones_room_5", "life"},     // 3 to 5 points
	weak9:            {"stones_room_9", "life"},     // 6 to 9
	weak14:           {"stones_room_14", "life"},    // 10 to 14
	deadToMove:       {"dead_to_move", "life"},      // stones in groups that look dead, their own side to move
	deadWaiting:      {"dead", "life"},              // the same, the other side to move
	clearedMoyo:      {"cleared_moyo", "life"},      // moyo when these groups are taken off
	clearedTerritory: {"cleared_territory", "life"}, // and territory

	toMove: {"to_move", "tempo"}, // 1 for the side to move
}
