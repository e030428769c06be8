package motifs

import (
	"kifu/games"
	"kifu/games/chess"
)

// value is the worth of a kind in hundredths of a pawn, the king above all.
func value(k chess.Kind) int32 { return chess.ExchangeValues[k] }

// hanging reports whether the man on s is undefended, also by a man behind an attacker on its line.
func hanging(p *chess.Position, s chess.Square) bool {
	side, occ := p.SideAt(s), p.Occupied()
	attackers := p.Attackers(s, occ)
	own := p.Side(side)
	if attackers&own != 0 {
		return false
	}
	for theirs := attackers &^ own & lines(p); theirs != 0; theirs = theirs.Rest() {
		if p.Attackers(s, occ&^theirs.First().Bit())&own != 0 {
			return false
		}
	}
	return true
}

// exposed reports whether the man on s can be taken at a loss: it is attacked, and undefended or
// attacked by a man that is worth less.
func exposed(p *chess.Position, s chess.Square) bool {
	attackers := p.Attackers(s, p.Occupied()) & p.Side(p.SideAt(s)^1)
	if attackers == 0 {
		return false
	}
	worth := value(p.KindAt(s))
	for a := attackers &^ p.Kings(); a != 0; a = a.Rest() {
		if value(p.KindAt(a.First())) < worth {
			return true
		}
	}
	return hanging(p, s)
}

// balance returns the material of side minus the opponent's, in hundredths of a pawn.
func balance(p *chess.Position, side games.Side) (sum int32) {
	own := p.Side(side)
	for k := chess.Pawn; k <= chess.Queen; k++ {
		men := p.Kind(k)
		sum += value(k) * int32((men&own).Count()-(men&^own).Count())
	}
	return sum
}

// lines are the men that move along lines.
func lines(p *chess.Position) chess.Bitboard { return p.Diagonal() | p.Straight() }

func isLine(k chess.Kind) bool { return k == chess.Bishop || k == chess.Rook || k == chess.Queen }

// attacks returns the squares that the man on s attacks.
func attacks(p *chess.Position, s chess.Square) chess.Bitboard { return p.AttacksFrom(s, p.Occupied()) }

// trapped reports whether the man on s, of the side to move, is exposed and cannot escape: wherever it
// goes it is exposed, and takes nothing of its worth.
func trapped(p *chess.Position, s chess.Square) bool {
	kind, side := p.KindAt(s), p.ToMove()
	if kind == chess.NoKind || kind == chess.Pawn || kind == chess.King || p.SideAt(s) != side ||
		p.InCheck() || p.Pinned(side).Has(s) || !exposed(p, s) {
		return false
	}
	var buffer [256]games.Move
	for _, m := range p.AppendMoves(buffer[:0]) {
		if chess.From(m) != s || chess.IsCastling(m) {
			continue
		}
		if taken := p.Taken(m); taken != chess.NoKind && value(taken) >= value(kind) {
			return false
		}
		after := p.Play(m)
		if !exposed(&after, chess.To(m)) {
			return false
		}
	}
	return true
}

// reaches returns the squares to which the man on s could move if no king were in danger.
func reaches(p *chess.Position, s chess.Square) chess.Bitboard {
	side, occ := p.SideAt(s), p.Occupied()
	if p.KindAt(s) != chess.Pawn {
		return attacks(p, s) &^ p.Side(side)
	}
	step := s.Bit().North()
	if side == chess.Black {
		step = s.Bit().South()
	}
	return step&^occ | attacks(p, s)&p.Side(side^1)
}
