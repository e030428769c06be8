// Package motifs recognizes the tactical motifs of moves in games of chess: forks, pins, sacrifices,
// deflections, mates.
//
// From the positions and moves of a game it finds the set of motifs of each move. A motif belongs to
// the move that makes it, and depends only on the position before, that move, and the moves played
// after it: nothing is searched or evaluated. docs/motifs.md defines the motifs.
package motifs

import (
	"kifu/games"
	"kifu/games/chess"
)

// motif is one of the motifs that a move can have.
type motif struct {
	name, doc string
	is        func(*scene) bool
}

// all are the motifs, by the number of their bit.
var all = []motif{
	{"fork", "attacks two undefended or more valuable men at once", (*scene).fork},
	{"pin_prevents_attack", "pins a man that attacked another man", (*scene).pinPreventsAttack},
	{"pin_prevents_escape", "pins an undefended or more valuable man", (*scene).pinPreventsEscape},
	{"skewer", "attacks a man, which moves away, and takes the man behind it", (*scene).skewer},
	{"discovered_attack", "leaves a line on which a man behind it now attacks", (*scene).discoveredAttack},
	{"discovered_check", "gives check with another man than the one that moved", (*scene).discoveredCheck},
	{"double_check", "gives check with two men at once", (*scene).doubleCheck},
	{"sacrifice", "gives up two pawns' worth or more for two moves or longer", (*scene).sacrifice},
	{"exchange_sacrifice", "gives up a rook for a minor piece or less", (*scene).exchangeSacrifice},
	{"greek_gift", "sacrifices a bishop on h7 or h2: the king takes it and is checked", (*scene).greekGift},
	{"deflection", "lures a defender away from its square", (*scene).deflection},
	{"attraction", "lures a king, queen or rook to a square and attacks it there", (*scene).attraction},
	{"capturing_defender", "takes the defender of a man that is taken next", (*scene).capturingDefender},
	{"interference", "moves between an enemy man and its defender", (*scene).interference},
	{"intermezzo", "plays another move between a capture and the recapture", (*scene).intermezzo},
	{"clearance", "clears a square or line for another man", (*scene).clearance},
	{"hanging_piece", "takes an undefended piece", (*scene).hangingPiece},
	{"trapped_piece", "traps an enemy piece, which is taken next", (*scene).trappedPiece},
	{"collinear_move", "moves along the line of an attack without taking the attacker", (*scene).collinear},
	{"quiet_move", "takes and attacks nothing, but the next move mates or wins a piece", (*scene).quiet},
	{"advanced_pawn", "moves a pawn to the seventh rank or promotes it", (*scene).advancedPawn},
	{"underpromotion", "promotes to a knight, or to a bishop or rook without mating", (*scene).underpromotion},
	{"back_rank_mate", "mates along the back rank", (*scene).backRankMate},
	{"smothered_mate", "mates with a knight a king surrounded by its own men", (*scene).smotheredMate},
	{"kingside_attack", "checks and captures near a king on the kingside", (*scene).kingsideAttack},
	{"queenside_attack", "checks and captures near a king on the queenside", (*scene).queensideAttack},
	{"perpetual_check", "gives check in a position that occurs for the third time, after nothing but checks", (*scene).perpetual},
}

// Chess recognizes the motifs of chess.
type Chess struct{}

var _ games.Motifs[chess.Position] = Chess{}

// Motifs returns the motifs of chess.
func (Chess) Motifs() []games.Column {
	columns := make([]games.Column, len(all))
	for i, m := range all {
		columns[i] = games.Column{Name: m.name, Doc: m.doc}
	}
	return columns
}

// MotifsOf returns the motifs of move i of a game.
func (Chess) MotifsOf(positions []chess.Position, moves []games.Move, i int) (found uint64) {
	s := newScene(positions, moves, i)
	for n := range all {
		if all[n].is(&s) {
			found |= 1 << n
		}
	}
	return found
}

// scene is a move with what was played around it.
type scene struct {
	positions []chess.Position
	moves     []games.Move
	i         int
	before    *chess.Position
	after     *chess.Position
	mover     games.Side
	kind      chess.Kind // that moved
	from, to  chess.Square
	taken     chess.Kind
	check     bool // the move gives check
	mate      bool
}

func newScene(positions []chess.Position, moves []games.Move, i int) scene {
	s := scene{positions: positions, moves: moves, i: i, before: &positions[i], after: &positions[i+1], mover: positions[i].ToMove()}
	m := moves[i]
	s.kind, s.from, s.to, s.taken = chess.KindOf(m), chess.From(m), landing(m), s.before.Taken(m)
	if s.check = s.after.InCheck(); s.check {
		s.mate = s.after.Outcome() != games.Undecided
	}
	return s
}

// plays reports whether n more moves were played.
func (s *scene) plays(n int) bool { return s.i+n < len(s.moves) }

// next returns the move n plies later; plays(n) must hold.
func (s *scene) next(n int) games.Move { return s.moves[s.i+n] }

// at returns the position before that move, or after the last.
func (s *scene) at(n int) *chess.Position { return &s.positions[s.i+n] }

// landing returns the target square of the man that moves: the king's when it castles.
func landing(m games.Move) chess.Square {
	if !chess.IsCastling(m) {
		return chess.To(m)
	}
	file := 2
	if chess.To(m) > chess.From(m) {
		file = 6
	}
	return chess.SquareAt(file, chess.From(m).Rank())
}

// takes reports whether the move n plies later takes a man.
func (s *scene) takes(n int) bool { return s.plays(n) && s.at(n).IsCapture(s.next(n)) }
