package motifs

import "kifu/games/chess"

// backRank returns the rank on which side's king begins, 0 or 7.
func (s *scene) backRank() int {
	if s.mover == chess.White {
		return 7
	}
	return 0
}

func (s *scene) backRankMate() bool {
	if !s.mate {
		return false
	}
	p, rank := s.after, s.backRank()
	king := p.King(s.mover ^ 1)
	if king.Rank() != rank {
		return false
	}
	front := chess.KingAttacks(king) &^ chess.RankOf(rank)
	for f := front; f != 0; f = f.Rest() {
		if p.Attackers(f.First(), p.Occupied())&p.Side(s.mover) != 0 {
			return false
		}
	}
	return front&^p.Side(s.mover^1) == 0 && p.Checkers()&chess.RankOf(rank) != 0
}

func (s *scene) smotheredMate() bool {
	if !s.mate {
		return false
	}
	p := s.after
	return p.Checkers()&^p.Knights() == 0 && chess.KingAttacks(p.King(s.mover^1))&^p.Side(s.mover^1) == 0
}

func (s *scene) kingsideAttack() bool { return s.besieges(7, 6, 7, 20) }

func (s *scene) queensideAttack() bool { return s.besieges(0, 0, 2, 18) }

// besieged is the number of the mover's moves that an attack on a king is counted over.
const besieged = 6

// besieges reports an attack on a king that begins with this move. The king is on its back rank
// between two files, with so many men on the board. Checks and captures near the corner must
// outnumber moves far from it by two.
func (s *scene) besieges(corner, low, high, men int) bool {
	at := chess.SquareAt(corner, s.backRank())
	if !s.check && (s.taken == chess.NoKind || chess.Distance(at, s.to) > 3) {
		return false
	}
	king := s.before.King(s.mover ^ 1)
	if king.Rank() != s.backRank() || king.File() < low || king.File() > high || s.before.Occupied().Count() < men {
		return false
	}
	score, checks := 0, 0
	for n := 0; n < 2*besieged && s.plays(n); n += 2 {
		away := chess.Distance(at, landing(s.next(n)))
		if s.at(n + 1).InCheck() {
			score++
			checks++
		}
		switch {
		case away <= 3 && s.takes(n):
			score++
		case away >= 5:
			score--
		}
	}
	return checks > 0 && score >= 2
}

func (s *scene) perpetual() bool {
	if !s.check {
		return false
	}
	before := 0
	for n := s.i - 2; n >= 0; n -= 2 {
		p := &s.positions[n+1]
		if !p.InCheck() {
			break
		}
		if p.Hash() == s.after.Hash() {
			before++
		}
		if before == 2 {
			return true
		}
	}
	return false
}
