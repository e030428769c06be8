package draughts

import (
	"fmt"

	"kifu/eval"
	"kifu/games/draughts"
)

// The stages and the phases at which they begin.
var (
	stages = []string{"endgame", "late", "middle", "opening"}
	knots  = []int{0, 10, 14, 20}
)

// Slots are the indices of the terms inside the evaluator. A slot that the board does not
// have, or that would make a family add up to another term, has no term.
const (
	man        = iota // men
	king              // kings
	bridge            // both bridge squares held, no king against it [BACK]
	triangle          // likewise [OREO]
	dogHole           // a man below a man of the other's in the corner
	manCentre         // [CENT]
	kingCentre        // [KCENT]
	manEdge           // on the left or right edge
	kingEdge          // likewise
	manDouble         // on the two diagonals of the double corners [DIA]
	kingDouble        // likewise
	kingRoad          // on the diagonal between the single corners

	hole    // empty squares with three own neighbours or more [HOLE]
	exposed // between two empty squares on a diagonal [EXPOS]
	pole    // men with no neighbour [POLE]
	dyke    // three in a row on a diagonal [DYKE]
	gap     // one empty square between two on a diagonal [GAP]
	backed  // men with a man or king behind them

	safeMan      // steps of men to where nothing takes them [MOBIL]
	safeKing     // likewise of kings
	exchangeStep // steps that offer an exchange [EXCH]
	deniedStep   // steps that lose a man [DENY]
	trappedKing  // kings without a safe step

	threat       // safe steps after which there is something to take [THRET]
	manAttacked  // men that the other could take
	kingAttacked // likewise kings

	theMove // the opposition, with men even and some gone [MOVE]
	turn    // the turn to move

	manRow                // men by row from the own edge, from 1 [ADV]
	runaway = manRow + 10 // men that nothing stops, by steps to go: 1, 2, 3 and more
	slots   = runaway + 3
)

// referenceRow is the row of men without a term: all rows together add up to the men.
const referenceRow = 3

// names are the groups and names of the slots except for the two families at the end.
var names = [slots][2]string{
	man: {"material", "man"}, king: {"material", "king"},
	bridge: {"back", "bridge"}, triangle: {"back", "triangle"}, dogHole: {"back", "dog_hole"},
	manCentre: {"squares", "man_centre"}, kingCentre: {"squares", "king_centre"}, manEdge: {"squares", "man_edge"},
	manDouble: {"squares", "man_double_diagonal"}, kingDouble: {"squares", "king_double_diagonal"},
	kingRoad: {"squares", "king_main_road"}, kingEdge: {"squares", "king_edge"},
	hole: {"structure", "hole"}, exposed: {"structure", "exposed"}, pole: {"structure", "pole"},
	dyke: {"structure", "dyke"}, gap: {"structure", "gap"}, backed: {"structure", "backed"},
	safeMan: {"mobility", "safe_man_steps"}, safeKing: {"mobility", "safe_king_steps"},
	exchangeStep: {"mobility", "exchange_steps"}, deniedStep: {"mobility", "denied_steps"}, trappedKing: {"mobility", "trapped_king"},
	threat: {"threats", "threat"}, manAttacked: {"threats", "man_attacked"}, kingAttacked: {"threats", "king_attacked"},
	theMove: {"tempo", "the_move"}, turn: {"tempo", "turn"},
}

// groups are in the order of the model.
var groups = []string{"material", "advancement", "back", "squares", "structure", "runaway", "mobility", "threats", "tempo"}

// name returns the group and the name of a slot on a board of the given width, "" for none.
func name(slot, width int) (group, term string) {
	switch {
	case slot > manRow && slot < manRow+width && slot != manRow+referenceRow:
		return "advancement", fmt.Sprintf("man_row_%d", slot-manRow)
	case slot >= runaway && slot < runaway+3:
		return "runaway", fmt.Sprintf("runaway_%d", slot-runaway+1)
	}
	n := names[slot]
	return n[0], n[1]
}

// layout returns the slots in the order of the model's terms, and the terms without
// weights.
func layout(r draughts.Rules) (slotOf []int, terms []eval.Term) {
	for _, g := range groups {
		for slot := range slots {
			if group, term := name(slot, r.Width()); group == g {
				slotOf = append(slotOf, slot)
				terms = append(terms, eval.Term{Name: term, Group: group})
			}
		}
	}
	return slotOf, terms
}

// masks are sets of squares on a board turned so that the men go up.
type masks struct {
	board, centre, edge, double, road draughts.Bitboard
	bridge, triangle                  draughts.Bitboard
	corner, pit                       draughts.Bitboard // the other's corner, the dog hole below it
	rows                              [10]draughts.Bitboard
	system                            draughts.Bitboard // files that end on the own edge
	width                             int
	flying, backward, kingsSafe       bool
	ways                              draughts.Direction // the number of those in which pieces take
}

// newMasks computes the sets on the board of r.
func newMasks(r draughts.Rules) masks {
	w := r.Width()
	start, _, err := r.Start("", "")
	if err != nil {
		panic("eval/draughts: " + err.Error())
	}
	m := masks{board: start.Board(), width: w, flying: r.FlyingKings(), backward: r.MenCaptureBackward(), kingsSafe: r.KingsSafeFromMen(), ways: r.Ways()}
	add := func(set *draughts.Bitboard, s draughts.Square, is bool) {
		if is {
			*set |= s.Bit()
		}
	}
	margin := w/2 - 2 // of the centre: four columns and four rows, six rows on 100 squares
	for b := m.board; b != 0; b = b.Rest() {
		s := b.First()
		row, column := s.Row(), s.Column()
		up := w - row // rows count from the own edge, from 1
		m.rows[up-1] |= s.Bit()
		add(&m.centre, s, row >= 2 && row < w-2 && column >= margin && column < w-margin)
		add(&m.edge, s, column == 0 || column == w-1)
		add(&m.double, s, row-column == 1 || column-row == 1)
		add(&m.road, s, row+column == w-1)
		add(&m.system, s, column%2 == 0)
		// 30 and 32 on 64 squares; 26, 30 and 31.
		add(&m.bridge, s, up == 1 && (column == w-2 || column == w-6))
		add(&m.triangle, s, up == 1 && (column == w-4 || column == w-6) || up == 2 && column == w-5)
		add(&m.corner, s, row == 0 && column == 1)
		add(&m.pit, s, row == 1 && column == 0)
	}
	return m
}
