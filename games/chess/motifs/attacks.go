package motifs

import (
	"kifu/games"
	"kifu/games/chess"
)

func (s *scene) fork() bool {
	if s.kind == chess.King || s.mate {
		return false
	}
	kind := s.after.KindAt(s.to)
	targets := attacks(s.after, s.to) & s.after.Side(s.mover^1) &^ s.after.Pawns()
	if targets.Count() < 2 || exposed(s.after, s.to) {
		return false
	}
	n := 0
	for ; targets != 0; targets = targets.Rest() {
		t := targets.First()
		if value(s.after.KindAt(t)) > value(kind) || hanging(s.after, t) && !attacks(s.after, t).Has(s.to) {
			n++
		}
	}
	return n > 1
}

func (s *scene) pinPreventsAttack() bool {
	now := heldBack(s.after, s.mover)
	return now != 0 && now&^heldBack(s.before, s.mover) != 0
}

// heldBack returns the men of the other side that a pin keeps from taking a man of mover at a gain.
func heldBack(p *chess.Position, mover games.Side) (held chess.Bitboard) {
	their := mover ^ 1
	king := p.King(their)
	for pinned := p.Pinned(their); pinned != 0; pinned = pinned.Rest() {
		man := pinned.First()
		targets := attacks(p, man) & p.Side(mover) &^ chess.Line(king, man)
		for ; targets != 0; targets = targets.Rest() {
			t := targets.First()
			if value(p.KindAt(t)) > value(p.KindAt(man)) || hanging(p, t) {
				held |= man.Bit()
			}
		}
	}
	return held
}

func (s *scene) pinPreventsEscape() bool {
	now := heldFast(s.after, s.mover)
	return now != 0 && now&^heldFast(s.before, s.mover) != 0
}

// heldFast returns the men of the other side that a pin keeps from leaving the attack of the man
// of mover that pins them.
func heldFast(p *chess.Position, mover games.Side) (held chess.Bitboard) {
	their := mover ^ 1
	king, occ := p.King(their), p.Occupied()
	for pinned := p.Pinned(their); pinned != 0; pinned = pinned.Rest() {
		man := pinned.First()
		line := chess.Line(king, man)
		moves := reaches(p, man)
		attackers := p.Attackers(man, occ) & p.Side(mover) & line
		for ; attackers != 0; attackers = attackers.Rest() {
			a := attackers.First()
			if value(p.KindAt(man)) > value(p.KindAt(a)) || hanging(p, man) && !moves.Has(a) && moves&^line != 0 {
				held |= man.Bit()
			}
		}
	}
	return held
}

func (s *scene) discoveredCheck() bool { return s.check && !s.after.Checkers().Has(s.to) }

func (s *scene) doubleCheck() bool { return s.check && s.after.Checkers().Count() > 1 }

func (s *scene) discoveredAttack() bool {
	if s.discoveredCheck() {
		return true
	}
	if !s.takes(2) || chess.IsCastling(s.moves[s.i]) {
		return false
	}
	from, to := chess.From(s.next(2)), chess.To(s.next(2))
	return landing(s.next(1)) != to && to != s.to && from != s.to && chess.Between(from, to).Has(s.from)
}

func (s *scene) skewer() bool {
	if !s.takes(2) || !isLine(chess.KindOf(s.next(2))) {
		return false
	}
	p := s.at(2)
	from, to := chess.From(s.next(2)), chess.To(s.next(2))
	if landing(s.next(1)) == to || !chess.Between(from, to).Has(chess.From(s.next(1))) || s.at(3).Outcome() != games.Undecided {
		return false
	}
	return value(chess.KindOf(s.next(1))) > value(p.KindAt(to)) && exposed(p, to)
}

func (s *scene) hangingPiece() bool {
	if s.taken <= chess.Pawn || s.kind == chess.NoKind || chess.IsPassing(s.moves[s.i]) || !hanging(s.before, s.to) {
		return false
	}
	if s.i > 0 && landing(s.moves[s.i-1]) == s.to {
		if taken := s.positions[s.i-1].Taken(s.moves[s.i-1]); taken != chess.NoKind && value(taken) >= value(s.taken) {
			return false
		}
	}
	return !s.plays(2) || balance(s.at(3), s.mover) >= balance(s.after, s.mover)
}

func (s *scene) trappedPiece() bool {
	if !s.takes(2) {
		return false
	}
	square := chess.To(s.next(2))
	if s.at(2).KindAt(square) <= chess.Pawn {
		return false
	}
	if landing(s.next(1)) == square {
		square = chess.From(s.next(1))
	}
	if square != chess.From(s.next(1)) && s.after.Taken(s.next(1)) > chess.Pawn {
		return false // another man had something to take instead
	}
	return trapped(s.after, square)
}

func (s *scene) collinear() bool {
	if !isLine(s.kind) || s.before.InCheck() {
		return false
	}
	attackers := s.before.Attackers(s.from, s.before.Occupied()) & s.before.Side(s.mover^1) & lines(s.before)
	for ; attackers != 0; attackers = attackers.Rest() {
		if a := attackers.First(); a != s.to && chess.Line(a, s.from).Has(s.to) {
			return true
		}
	}
	return false
}

func (s *scene) advancedPawn() bool {
	rank := s.to.Rank()
	if s.mover == chess.Black {
		rank = 7 - rank
	}
	return s.kind == chess.Pawn && rank >= 6
}

func (s *scene) underpromotion() bool {
	promotion := chess.Promotion(s.moves[s.i])
	return promotion == chess.Knight || promotion != chess.NoKind && promotion != chess.Queen && !s.mate
}

// piece is the least gain that wins a piece, in hundredths of a pawn.
const piece = 300

func (s *scene) quiet() bool {
	if s.check || s.taken != chess.NoKind || s.kind == chess.King || s.advancedPawn() || !s.plays(2) ||
		attacks(s.after, s.to)&s.after.Side(s.mover^1) != 0 {
		return false
	}
	if s.at(3).InCheck() && s.at(3).Outcome() != games.Undecided {
		return true
	}
	later := 3
	if s.plays(4) {
		later = 5
	}
	return s.takes(2) && min(balance(s.at(3), s.mover), balance(s.at(later), s.mover))-balance(s.before, s.mover) >= piece
}
