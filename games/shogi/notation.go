package shogi

import "kifu/games"

// ParseMove resolves a move in any of the notations of records, told by its first
// characters: USI (7g7f, P*5e), CSA (+7776FU), Japanese with or without the source
// (７六歩(77), ▲同銀右), and western letters (P-7f, Sx34+).
func (Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	if len(text) == 0 {
		return 0, games.UnreadableMove
	}
	switch ch := text[0]; {
	case ch == '-' || ch == '+' && len(text) > 1 && isDigit(text[1]):
		return p.parseCSA(text[1:])
	case ch >= 0x80:
		return p.parseJapanese(text)
	case isDigit(ch) && len(text) > 1 && isDigit(text[1]) && (len(text) == 6 || len(text) == 7):
		return p.parseCSA(text)
	case isDigit(ch) && len(text) > 2 && (text[1] >= 0x80 || text[2] >= 0x80):
		return p.parseJapanese(text)
	case isDigit(ch):
		return p.parseUSI(text)
	}
	return p.parseWestern(text)
}

func isDigit(ch byte) bool { return ch >= '0' && ch <= '9' }

// parseUSI reads a move between squares; a drop is the same in western letters.
func (p *Position) parseUSI(text []byte) (games.Move, error) {
	if len(text) != 4 && (len(text) != 5 || text[4] != '+') {
		return 0, games.UnreadableMove
	}
	from, ok1 := parseSquare(text)
	to, ok2 := parseSquare(text[2:])
	if !ok1 || !ok2 {
		return 0, games.UnreadableMove
	}
	return p.legal(boardMove(p.KindAt(from), from, to, len(text) == 5))
}

// parseSquare reads 7f or 76.
func parseSquare(text []byte) (Square, bool) {
	if len(text) < 2 {
		return 0, false
	}
	file, rank := text[0]-'1', text[1]-'a'
	if isDigit(text[1]) {
		rank = text[1] - '1'
	}
	return 9*Square(file) + Square(rank), file < 9 && rank < 9
}

// AppendCoordinates appends m in USI.
func (Rules) AppendCoordinates(dst []byte, _ Position, m games.Move) []byte {
	if IsDrop(m) {
		return appendSquare(append(dst, letters[Dropped(m)], '*'), To(m))
	}
	dst = appendSquare(appendSquare(dst, From(m)), To(m))
	if Promotes(m) {
		dst = append(dst, '+')
	}
	return dst
}

// appendSquare appends s as 7f.
func appendSquare(dst []byte, s Square) []byte {
	return append(dst, byte('1'+s.File()), byte('a'+s.Rank()))
}

// String returns the square as 7f.
func (s Square) String() string { return string(appendSquare(nil, s)) }

// csaNames are the pieces in CSA, by Kind.
const csaNames = "  FUKYKEGIKAHIKIOUTONYNKNGUMRY"

// parseCSA reads 7776FU: source (00 for a drop), target, and the piece after
// the move.
func (p *Position) parseCSA(text []byte) (games.Move, error) {
	if len(text) != 6 {
		return 0, games.UnreadableMove
	}
	k := csaKind(text[4], text[5])
	to, ok := parseSquare(text[2:])
	if !ok || k == NoKind || !isDigit(text[3]) {
		return 0, games.UnreadableMove
	}
	if text[0] == '0' && text[1] == '0' {
		if k > Gold {
			return 0, games.UnreadableMove
		}
		return p.legal(Drop(k, to))
	}
	from, ok := parseSquare(text)
	if !ok || !isDigit(text[1]) {
		return 0, games.UnreadableMove
	}
	now := p.KindAt(from)
	switch {
	case now == k:
		return p.legal(boardMove(k, from, to, false))
	case now.CanPromote() && now+Promoted == k:
		return p.legal(boardMove(now, from, to, true))
	}
	return 0, noSuchPiece
}

func csaKind(a, b byte) Kind {
	for k := Pawn; k <= Dragon; k++ {
		if csaNames[2*k] == a && csaNames[2*k+1] == b {
			return k
		}
	}
	return NoKind
}

// AppendCSA appends m, legal in p, as +7776FU.
func AppendCSA(dst []byte, p Position, m games.Move) []byte {
	dst = append(dst, "+-"[p.side&1])
	if IsDrop(m) {
		dst = append(dst, '0', '0')
	} else {
		dst = appendNumbers(dst, From(m))
	}
	k := p.Moved(m)
	if Promotes(m) {
		k += Promoted
	}
	return append(appendNumbers(dst, To(m)), csaNames[2*k], csaNames[2*k+1])
}

// appendNumbers appends s as 76.
func appendNumbers(dst []byte, s Square) []byte {
	return append(dst, byte('1'+s.File()), byte('1'+s.Rank()))
}
