package motifs

import (
	"kifu/games"
	"kifu/games/chess"
)

// given is the least loss that makes a sacrifice, in hundredths of a pawn.
const given = 200

func (s *scene) sacrifice() bool {
	if !s.takes(1) || !s.plays(2) {
		return false
	}
	had := balance(s.before, s.mover)
	for n := 2; n <= 4 && s.plays(n); n += 2 {
		if balance(s.at(n+1), s.mover)-had > -given || chess.Promotion(s.next(n-1)) != chess.NoKind {
			return false
		}
	}
	return true
}

func (s *scene) exchangeSacrifice() bool {
	if !s.takes(1) || !s.plays(2) || s.at(1).KindAt(chess.To(s.next(1))) != chess.Rook {
		return false
	}
	had := balance(s.before, s.mover)
	for n := 2; n <= 4 && s.plays(n); n += 2 {
		lost := had - balance(s.at(n+1), s.mover)
		if lost < 100 || lost > 500 {
			return false
		}
	}
	return s.taken == chess.Knight || s.taken == chess.Bishop || chess.KindOf(s.next(1)) == chess.Knight || chess.KindOf(s.next(1)) == chess.Bishop
}

func (s *scene) greekGift() bool {
	corner := chess.SquareAt(7, 6)
	if s.mover == chess.Black {
		corner = corner.Flip()
	}
	if s.kind != chess.Bishop || s.to != corner || s.taken != chess.Pawn || !s.takes(1) || !s.plays(2) ||
		chess.KindOf(s.next(1)) != chess.King || chess.To(s.next(1)) != corner {
		return false
	}
	kind := chess.KindOf(s.next(2))
	return (kind == chess.Knight || kind == chess.Queen) && s.at(3).Checkers().Has(chess.To(s.next(2)))
}

func (s *scene) deflection() bool {
	if !s.plays(2) {
		return false
	}
	last, answer := s.next(2), s.next(1)
	square, promotes := chess.To(last), chess.Promotion(last) != chess.NoKind
	taken := s.at(2).Taken(last)
	if taken == chess.NoKind && !promotes || taken != chess.NoKind && value(taken) > value(chess.KindOf(last)) ||
		s.taken != chess.NoKind && value(s.taken) >= value(s.kind) {
		return false
	}
	from, to := chess.From(answer), landing(answer)
	if square == to || square == s.to || to != s.to && !s.check {
		return false
	}
	guarded := attacks(s.after, from)
	if !guarded.Has(square) && !(promotes && square.File() == from.File() && guarded.Has(chess.From(last))) {
		return false
	}
	return !attacks(s.at(2), to).Has(square)
}

func (s *scene) attraction() bool {
	if !s.takes(1) || !s.plays(2) || chess.To(s.next(1)) != s.to {
		return false
	}
	attracted := chess.KindOf(s.next(1))
	if attracted < chess.Rook {
		return false
	}
	p := s.at(3)
	if !p.Attackers(s.to, p.Occupied()).Has(landing(s.next(2))) {
		return false
	}
	return attracted == chess.King || s.plays(4) && chess.To(s.next(4)) == s.to
}

func (s *scene) capturingDefender() bool {
	if s.taken == chess.NoKind || s.check || s.before.InCheck() || !s.plays(2) {
		return false
	}
	last := s.next(2)
	square, p := chess.To(last), s.at(2)
	if chess.From(last) == s.to || !attacks(s.before, s.to).Has(square) {
		return false
	}
	if s.at(3).InCheck() && s.at(3).Outcome() != games.Undecided {
		return true
	}
	taken := p.Taken(last)
	return taken != chess.NoKind && chess.KindOf(last) != chess.King && value(taken) <= value(chess.KindOf(last)) &&
		hanging(p, square) && landing(s.next(1)) != square
}

func (s *scene) interference() bool {
	if !s.takes(2) {
		return false
	}
	square := chess.To(s.next(2))
	if square == landing(s.next(1)) || square == s.to || !hanging(s.at(2), square) {
		return false
	}
	defenders := s.before.Attackers(square, s.before.Occupied()) & s.before.Side(s.mover^1) & lines(s.before)
	for ; defenders != 0; defenders = defenders.Rest() {
		if chess.Between(square, defenders.First()).Has(s.to) {
			return true
		}
	}
	return false
}

func (s *scene) intermezzo() bool {
	if s.i == 0 || !s.takes(2) {
		return false
	}
	last := s.next(2)
	square := chess.To(last)
	if !s.takes(-1) || chess.To(s.moves[s.i-1]) != square || s.to == square ||
		s.after.Attackers(square, s.after.Occupied())&s.after.Side(s.mover^1)&chess.From(s.next(1)).Bit() != 0 {
		return false
	}
	var buffer [256]games.Move
	for _, m := range s.before.AppendMoves(buffer[:0]) {
		if chess.From(m) == chess.From(last) && chess.To(m) == square {
			return true
		}
	}
	return false
}

func (s *scene) clearance() bool {
	if !s.plays(2) || chess.Promotion(s.moves[s.i]) != chess.NoKind {
		return false
	}
	last := s.next(2)
	from, to := chess.From(last), chess.To(last)
	if s.at(2).KindAt(to) != chess.NoKind || !isLine(s.at(3).KindAt(to)) || s.to == from || s.to == to || s.at(2).InCheck() {
		return false
	}
	if s.from != to && !chess.Between(from, to).Has(s.from) {
		return false
	}
	return s.at(3).InCheck() || exposed(s.after, s.to)
}
