package draughts

import "kifu/games"

// Rules is games.Rules for one variant of draughts.
type Rules uint8

// The variants. Names are the values of --game.
const (
	Checkers      Rules = iota // English draughts
	International              // on 100 squares, "draughts"
	Russian
	Giveaway // English draughts; who cannot move wins
	Brazilian
	Italian
	Frisian // on 100 squares

	kinds // their number
)

var _ games.Rules[Position] = Checkers

// variant holds the differences between variants: generator, notation and replay are the
// same for all.
type variant struct {
	name     string
	gameType string // number in PDN's GameType tag
	width    int    // of the board in squares, both colours
	rows     int    // of men at the start, each side

	blackFirst bool // Black moves first, else White
	flying     bool // kings move and capture over any distance
	backward   bool // men capture backwards
	kingsSafe  bool // men do not capture kings
	straight   bool // captures go along rows and columns, too
	threeMoves bool // no king moves more than three times in a row while its side has men
	endless    bool // positions may come again any number of times
	mirrored   bool // the corner at the players' right is played on, not the one at their left
	passing    bool // a man that reaches the last row in a capture goes on as a king
	giveaway   bool // who cannot move wins
	letters    bool // squares are written as in chess, else as numbers
	precedence precedence

	draws []drawRule

	geometry
}

// geometry follows from the board and from who moves first.
type geometry struct {
	board    Bitboard
	squareOf [51]Square // by number from 1
	numberOf [64]uint8
	count    int       // of playing squares
	ways     Direction // the number of those in which pieces capture

	// By side, as games.Side:
	forward [2]Direction // the lower of the two forward directions
	back    [2]Bitboard  // the row nearest to the player
	crown   [2]Bitboard  // the row on which men become kings
	pass    [2]Bitboard  // the row before it if men promote in passing, else none
	start   [2]Bitboard
}

var variants = derived([mask + 1]variant{
	Checkers: {
		name: "checkers", gameType: "21", width: 8, rows: 3,
		blackFirst: true, draws: englishDraws,
	},
	International: {
		name: "draughts", gameType: "20", width: 10, rows: 4,
		flying: true, backward: true, precedence: mostPieces, draws: internationalDraws,
	},
	Russian: {
		name: "russian", gameType: "25", width: 8, rows: 3,
		flying: true, backward: true, passing: true, letters: true, draws: russianDraws,
	},
	Giveaway: {
		name: "giveaway", gameType: "21", width: 8, rows: 3,
		blackFirst: true, giveaway: true, draws: englishDraws,
	},
	Brazilian: {
		name: "brazilian", gameType: "26", width: 8, rows: 3,
		flying: true, backward: true, precedence: mostPieces, letters: true, draws: brazilianDraws,
	},
	Italian: {
		name: "italian", gameType: "22", width: 8, rows: 3,
		kingsSafe: true, mirrored: true, precedence: italianOrder, draws: englishDraws,
	},
	Frisian: {
		name: "frisian", gameType: "40", width: 10, rows: 4,
		flying: true, backward: true, straight: true, threeMoves: true, endless: true, precedence: frisianOrder,
		draws: frisianDraws,
	},
})

// mask makes any Rules one of the variants.
const mask = 7

// Width returns the number of rows of the board: 8 or 10.
func (r Rules) Width() int { return r.variant().width }

// FlyingKings reports whether kings move and capture over any distance.
func (r Rules) FlyingKings() bool { return r.variant().flying }

// Ways returns the number of directions in which pieces capture: 4 or 8.
func (r Rules) Ways() Direction { return r.variant().ways }

// KingsSafeFromMen reports whether men do not capture kings.
func (r Rules) KingsSafeFromMen() bool { return r.variant().kingsSafe }

// MenCaptureBackward reports whether men capture in all four directions.
func (r Rules) MenCaptureBackward() bool { return r.variant().backward }

// variant returns the variant of r.
func (r Rules) variant() *variant { return &variants[r&mask] }

// derived fills the geometry of each.
func derived(all [mask + 1]variant) [mask + 1]variant {
	for i := range all[:kinds] {
		all[i].derive()
	}
	return all
}

func (v *variant) derive() {
	v.squareOf, v.numberOf = squares(v.width, v.mirrored)
	v.count = v.width * v.width / 2
	v.ways = 4
	if v.straight {
		v.ways = 8
	}
	for side := range v.start {
		up := (games.Side(side) == games.First) != v.blackFirst
		inward := func(row int) Bitboard { // rows counted from the player's own
			if up {
				row = v.width - 1 - row
			}
			return Bitboard(1<<(v.width/2)-1) << place(row, 0)
		}
		v.forward[side] = DownLeft
		if up {
			v.forward[side] = UpLeft
		}
		v.back[side] = inward(0)
		v.crown[side] = inward(v.width - 1)
		if v.passing {
			v.pass[side] = inward(v.width - 2)
		}
		for row := range v.rows {
			v.start[side] |= inward(row)
		}
		for row := range v.width {
			v.board |= inward(row)
		}
	}
}

// white reports whether side has the white men.
func (v *variant) white(side games.Side) bool { return (side == games.First) != v.blackFirst }
