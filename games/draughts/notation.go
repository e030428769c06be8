package draughts

import (
	"strconv"

	"kifu/games"
)

func isDigit(c byte) bool { return c-'0' <= 9 }

// square reads a square at the beginning of text, by number or as in chess. It returns the
// square's number, or 0 if the board has no such square, and its length in bytes, or 0 if text
// does not begin with a square.
func (v *variant) square(text []byte) (number, n int) {
	file := -1
	if len(text) > 0 && text[0]|0x20 >= 'a' && text[0]|0x20 <= 'j' {
		file, n = int(text[0]|0x20-'a'), 1
	}
	digits := n
	value := 0
	for n < len(text) && n < digits+2 && isDigit(text[n]) {
		value = 10*value + int(text[n]-'0')
		n++
	}
	switch {
	case n == digits:
		return 0, 0
	case file >= 0:
		return v.atFile(file, value), n
	case value > v.count:
		return 0, n
	}
	return value, n
}

// atFile returns the number of the square on a file from 0 and a rank from 1, seen by the
// first player.
func (v *variant) atFile(file, rank int) int {
	if file >= v.width || rank < 1 || rank > v.width || (file+rank)%2 == 0 != v.mirrored {
		return 0
	}
	row, column := v.width-rank, file
	if v.blackFirst {
		row, column = rank-1, v.width-1-file
	}
	return row*v.width/2 + column/2 + 1
}

// appendSquare appends the name of s.
func (v *variant) appendSquare(dst []byte, s Square) []byte {
	if !v.letters {
		return strconv.AppendUint(dst, uint64(v.numberOf[s&63]), 10)
	}
	// Of the variants here only those on 64 squares, White to begin, use letters.
	return append(dst, byte('a'+s.Column()), byte('0'+v.width-s.Row()))
}

// maxHops bounds the squares of a written move.
const maxHops = 32

// ParseMove reads a move as records write it: its squares from the first to the last, with
// or without those between ("9x18", "9x13x18", "c3:e5", "22-17"). Any separator between the
// squares is accepted. The squares between are used only when there are several captures
// from the first to the last.
func (r Rules) ParseMove(p Position, text []byte) (games.Move, error) {
	var buf [maxHops]Square
	path, err := r.variant().path(buf[:0], text)
	if err != nil {
		return 0, err
	}
	return p.resolve(path)
}

// path reads the squares of a move.
func (v *variant) path(path []Square, text []byte) ([]Square, error) {
	if string(text) == "--" || string(text) == "..." {
		return nil, games.NullMove
	}
	for len(text) > 0 {
		number, n := v.square(text)
		switch {
		case n == 0:
			return nil, games.UnreadableMove
		case number == 0:
			return nil, games.Reason("no such square")
		case len(path) == cap(path):
			return nil, games.UnreadableMove
		}
		path = append(path, v.squareOf[number])
		if text = text[n:]; len(text) > 0 && !isDigit(text[0]) && !isFile(text) {
			if text = trimSeparator(text); len(text) == 0 {
				return nil, games.UnreadableMove
			}
		}
	}
	if len(path) < 2 {
		return nil, games.UnreadableMove
	}
	return path, nil
}

// isFile reports whether text begins with a square as in chess.
func isFile(text []byte) bool {
	return len(text) > 1 && text[0]|0x20 >= 'a' && text[0]|0x20 <= 'j' && isDigit(text[1])
}

// trimSeparator removes the separator between two squares.
func trimSeparator(text []byte) []byte {
	switch text[0] {
	case '-', 'x', 'X', ':', '*':
		return text[1:]
	}
	return nil
}

// resolve finds the legal move that goes along path.
func (p Position) resolve(path []Square) (games.Move, error) {
	var buf [64]games.Move
	from, to := path[0], path[len(path)-1]
	var found games.Move
	n := 0
	moves := p.AppendMoves(buf[:0])
	for _, m := range moves {
		if From(m) == from && To(m) == to {
			found = m
			n++
		}
	}
	switch n {
	case 0:
		return 0, games.IllegalMove
	case 1:
		return found, nil
	}
	taken := p.along(path)
	for _, m := range moves {
		if From(m) == from && To(m) == to && Taken(m) == taken {
			return m, nil
		}
	}
	return 0, games.AmbiguousMove
}

// along returns the set of the opponent's men on the lines between the squares of path.
func (p Position) along(path []Square) Bitboard {
	var taken Bitboard
	for i, from := range path[1:] {
		from, to := path[i].Bit(), from.Bit()
		for d := range p.rules.variant().ways {
			var line Bitboard
			at := from.Step(d) & p.Board()
			for ; at != 0 && at != to; at = at.Step(d) & p.Board() {
				line |= at
			}
			if at == to {
				taken |= line & p.opp
			}
		}
	}
	return taken
}

// AppendMove appends m in the shortest form that is not ambiguous: "9-14", "9x18", or
// with all its squares.
func (r Rules) AppendMove(dst []byte, p Position, m games.Move) []byte {
	var buf [64]games.Move
	for _, other := range p.AppendMoves(buf[:0]) {
		if From(other) == From(m) && To(other) == To(m) && other != m {
			return r.AppendCoordinates(dst, p, m)
		}
	}
	v := r.variant()
	dst = v.appendSquare(dst, From(m))
	if Taken(m) == 0 {
		dst = append(dst, '-')
	} else {
		dst = append(dst, 'x')
	}
	return v.appendSquare(dst, To(m))
}

// AppendCoordinates appends m with all the squares on which it stops: "9x18x25". They
// determine the men taken.
func (r Rules) AppendCoordinates(dst []byte, p Position, m games.Move) []byte {
	v := r.variant()
	dst = v.appendSquare(dst, From(m))
	if Taken(m) == 0 {
		return v.appendSquare(append(dst, '-'), To(m))
	}
	var buf [maxHops]Square
	for _, s := range p.stops(m, buf[:0]) {
		dst = v.appendSquare(append(dst, 'x'), s)
	}
	return dst
}

// AppendCaptures appends m in the form of the Hub protocol, "28x19x23": the ends of a capture
// and the men that it takes, in ascending order, instead of its stops.
func (r Rules) AppendCaptures(dst []byte, _ Position, m games.Move) []byte {
	v := r.variant()
	dst = v.appendSquare(dst, From(m))
	taken := Taken(m)
	if taken == 0 {
		return v.appendSquare(append(dst, '-'), To(m))
	}
	dst = v.appendSquare(append(dst, 'x'), To(m))
	for number := 1; number <= v.count; number++ {
		if s := v.squareOf[number]; taken&s.Bit() != 0 {
			dst = v.appendSquare(append(dst, 'x'), s)
		}
	}
	return dst
}
