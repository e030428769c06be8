// Package motifs recognizes the tactical motifs of moves in games of chess: forks, pins, sacrifices,
// deflections, mates.
//
// In go the positions and the moves of a game; out comes for each move the set of its motifs. A motif
// belongs to the move that makes it, and is told from that move, the moves after it that were played,
// and the position before it: no move is searched, and no position is evaluated.
// docs/motifs.md defines each of them.
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
	{"fork", "the man attacks two or more men above a pawn that are worth more than itself, or undefended and not attacking it, and cannot itself be taken at a loss", (*scene).fork},
	{"pin_prevents_attack", "an enemy man that is pinned to its king cannot take a man of the mover that it attacks, which is undefended or worth more; it could before, or was no pin", (*scene).pinPreventsAttack},
	{"pin_prevents_escape", "an enemy man that is pinned to its king is attacked by the pinning man, which is worth less, or is undefended; it was not before", (*scene).pinPreventsEscape},
	{"skewer", "a man of a line attacks an enemy man, which moves off that line, and then takes the man behind it, which is worth less and badly defended", (*scene).skewer},
	{"discovered_attack", "the man leaves a line, and the man behind it on that line gives check or takes the next move", (*scene).discoveredAttack},
	{"discovered_check", "the move gives check, but the man that moved does not", (*scene).discoveredCheck},
	{"double_check", "two men give check at once", (*scene).doubleCheck},
	{"sacrifice", "the answer takes, and after the mover's next two moves he is still two pawns or more behind what he had before this move", (*scene).sacrifice},
	{"exchange_sacrifice", "a rook is taken by the answer, for a minor piece or nothing more than a pawn, and it is not won back", (*scene).exchangeSacrifice},
	{"greek_gift", "a bishop takes the pawn beside the castled king (h7, h2), the king takes it, and a knight or the queen gives check", (*scene).greekGift},
	{"deflection", "the answer, forced by a capture or a check, takes a defender from a square, on which the next move takes or promotes", (*scene).deflection},
	{"attraction", "the answer takes the man that moved with its king, queen or rook, which is then checked or taken there", (*scene).attraction},
	{"capturing_defender", "the move takes the man that defended what is taken next", (*scene).capturingDefender},
	{"interference", "the man comes between an enemy man of a line and what that man defends, and this is taken next", (*scene).interference},
	{"intermezzo", "instead of taking back at once the mover plays another move, and takes back after the answer", (*scene).intermezzo},
	{"clearance", "the man leaves a square or a line, over which a man of a line moves next to an empty square with check, or at the price of the man", (*scene).clearance},
	{"hanging_piece", "the move takes an undefended man above a pawn, which is no taking back, and keeps it", (*scene).hangingPiece},
	{"trapped_piece", "an enemy man above a pawn can be taken at a loss wherever it goes, and is taken next, while no other man took a piece", (*scene).trappedPiece},
	{"collinear_move", "a man of a line, attacked along that line by another, moves along it without taking the attacker", (*scene).collinear},
	{"quiet_move", "the move takes nothing, gives no check and attacks no man, and the next one mates or wins a piece", (*scene).quiet},
	{"advanced_pawn", "a pawn comes to the seventh rank or promotes", (*scene).advancedPawn},
	{"underpromotion", "a pawn promotes to a knight, or to a bishop or rook that does not mate at once, as a queen would", (*scene).underpromotion},
	{"back_rank_mate", "mate along the back rank, with the king's own men on all squares in front of it", (*scene).backRankMate},
	{"smothered_mate", "mate by a knight, with the king's own men on all squares around it", (*scene).smotheredMate},
	{"kingside_attack", "with 20 men or more, and the enemy king on g or h of its back rank: in six moves two more checks and captures near that corner than moves far from it", (*scene).kingsideAttack},
	{"queenside_attack", "the same with 18 men or more, the king on a, b or c, and the other corner", (*scene).queensideAttack},
	{"perpetual_check", "the move gives check in a position that comes up for the third time, and every move of the mover since the first gave check", (*scene).perpetual},
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

// landing returns the square on which the man that moves comes to stand: the king's when it castles.
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
