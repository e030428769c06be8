package shogi

import (
	"fmt"

	"kifu/eval"
	"kifu/games/shogi"
)

// Places of the terms. Families come one after the other, in the order of the model.
const (
	material   = iota              // pieces on the board, by kind from pawn to dragon without the king
	hand       = material + 13     // pieces in hand, by kind from pawn to gold
	unsafety   = hand + 7          // unsafety of the other king by attack, defence of the own one; times the progress
	golds      = unsafety + 2      // all four golds
	attack     = golds + 1         // pieces by their distance from the other king, from 1 to 4
	shelter    = attack + 4*places // pieces by their distance from the own king, from 1 to 3
	kingRank   = shelter + 3*places
	kingPawn   = kingRank + 8 // own pawns on the three squares before the king
	mobility   = kingPawn + 2 // squares that pieces with a long reach attack
	pinned     = mobility + 5 // own pieces that may not leave their line to the king
	edgePawn   = pinned + 1   // own pawns on files 1 and 9 beyond rank 4, as their side counts
	dropFile   = edgePawn + 1 // files on which the side, with a pawn in hand, may drop it
	turn       = dropFile + 1 // the turn to move
	termsCount = turn + 1
)

// places are the classes of pieces near or far from a king.
const places = 9

var placeNames = [places]string{"pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "horse", "dragon"}

// placeOf is the class of a kind; -1 for a king. What moves as a gold is one.
var placeOf = [16]int{
	shogi.NoKind: -1, shogi.Pawn: 0, shogi.Lance: 1, shogi.Knight: 2, shogi.Silver: 3, shogi.Gold: 4,
	shogi.Bishop: 5, shogi.Rook: 6, shogi.Horse: 7, shogi.Dragon: 8, shogi.King: -1,
	shogi.Tokin: 4, shogi.PromotedLance: 4, shogi.PromotedKnight: 4, shogi.PromotedSilver: 4, 15: -1,
}

// materialOf is the term of a kind on the board, from material on, which is 0; termsCount for a king.
var materialOf = [16]int{termsCount, 0, 1, 2, 3, 5, 6, 4, termsCount, 7, 8, 9, 10, 11, 12, termsCount}

var materialNames = []string{"pawn", "lance", "knight", "silver", "gold", "bishop", "rook",
	"tokin", "promoted_lance", "promoted_knight", "promoted_silver", "horse", "dragon"}

// handOf is the term of a kind in hand, from hand on.
var handOf = [8]int{shogi.Pawn: 0, shogi.Lance: 1, shogi.Knight: 2, shogi.Silver: 3, shogi.Gold: 4, shogi.Bishop: 5, shogi.Rook: 6}

// mobilityOf is the term of a kind with a long reach, from mobility on; -1 for others.
var mobilityOf = [16]int{-1, -1, 0, -1, -1, 1, 2, -1, -1, -1, -1, -1, -1, 3, 4, -1}

var mobilityNames = []string{"lance_mobility", "bishop_mobility", "rook_mobility", "horse_mobility", "dragon_mobility"}

// terms lists groups and names, without weights.
func terms() []eval.Term {
	all := make([]eval.Term, 0, termsCount)
	add := func(group string, names ...string) {
		for _, name := range names {
			all = append(all, eval.Term{Name: name, Group: group})
		}
	}
	add("material", materialNames...)
	for _, name := range materialNames[:7] {
		add("hand", "hand_"+name)
	}
	add("unsafety", "unsafety_attack", "unsafety_defence")
	add("golds", "all_golds")
	for _, name := range placeNames {
		for d := 1; d <= 4; d++ {
			add("attack", fmt.Sprintf("%s_attack_%d", name, d))
		}
	}
	for _, name := range placeNames {
		for d := 1; d <= 3; d++ {
			add("shelter", fmt.Sprintf("%s_shelter_%d", name, d))
		}
	}
	for rank := 2; rank <= 9; rank++ {
		add("king", fmt.Sprintf("king_rank_%d", rank))
	}
	add("king", "king_pawn", "king_side_pawns")
	add("mobility", mobilityNames...)
	add("pins", "pinned")
	add("pawns", "edge_pawn", "drop_file")
	add("tempo", "turn")
	return all
}
