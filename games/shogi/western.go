package shogi

import "kifu/games"

// AppendMove appends m in western letters, after Hodges: the piece, - x or *, the target, and +
// or = where it may promote. The source follows the piece if another piece of the kind could go
// there, too. Records are mostly written in CSA or Japanese (AppendCSA, AppendKIF, AppendKI2);
// this form needs no fonts.
func (Rules) AppendMove(dst []byte, p Position, m games.Move) []byte {
	to := To(m)
	if IsDrop(m) {
		return appendSquare(append(dst, letters[Dropped(m)], '*'), to)
	}
	from := From(m)
	k := p.KindAt(from)
	dst = appendPiece(dst, k, Black)
	if !p.movers(k, to).One() {
		dst = appendSquare(dst, from)
	}
	if p.KindAt(to) != NoKind {
		dst = append(dst, 'x')
	} else {
		dst = append(dst, '-')
	}
	dst = appendSquare(dst, to)
	switch {
	case Promotes(m):
		dst = append(dst, '+')
	case p.mayPromote(k, from, to):
		dst = append(dst, '=')
	}
	return dst
}

// parseWestern reads what AppendMove writes, with squares as 7f or 76 and with ' for *.
func (p *Position) parseWestern(text []byte) (games.Move, error) {
	k, n := Kind(0), 0
	if text[0] == '+' {
		k, n = Promoted, 1
	}
	if n == len(text) {
		return 0, games.UnreadableMove
	}
	base := kindOf(text[n])
	if base == NoKind || k != 0 && !base.CanPromote() {
		return 0, games.UnreadableMove
	}
	k += base
	text = text[n+1:]
	from := NoSquare
	if s, ok := parseSquare(text); ok {
		if len(text) == 2 || text[2] == '+' || text[2] == '=' { // P7f
			return p.westernTo(k, NoSquare, s, text[2:])
		}
		from, text = s, text[2:]
	}
	if len(text) < 3 {
		return 0, games.UnreadableMove
	}
	to, ok := parseSquare(text[1:])
	if !ok {
		return 0, games.UnreadableMove
	}
	switch text[0] {
	case '*', '\'':
		if k > Gold || len(text) > 3 || from != NoSquare {
			return 0, games.UnreadableMove
		}
		return p.legal(Drop(k, to))
	case '-', 'x':
		return p.westernTo(k, from, to, text[3:])
	}
	return 0, games.UnreadableMove
}

// westernTo resolves the move of a piece on from, or on the one square it can come from.
func (p *Position) westernTo(k Kind, from, to Square, end []byte) (games.Move, error) {
	if len(end) > 1 || len(end) == 1 && end[0] != '+' && end[0] != '=' {
		return 0, games.UnreadableMove
	}
	if from == NoSquare {
		movers := p.movers(k, to)
		switch {
		case movers.Empty():
			return 0, games.IllegalMove
		case !movers.One():
			return 0, games.AmbiguousMove
		}
		from = movers.First()
	} else if p.KindAt(from) != k {
		return 0, noSuchPiece
	}
	return p.legal(boardMove(k, from, to, len(end) == 1 && end[0] == '+'))
}
