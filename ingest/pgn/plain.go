package pgn

import (
	"encoding/binary"
	"math/bits"

	"kifu/ingest/record"
)

// plain reads what nearly all movetext consists of, and returns where that ends: blanks, numbers with
// their dots, moves that end on a square, and their values. What it reads [scanner.moves] would read alike, but slower.
func (s *scanner) plain(i int, g *record.Game) int {
	d := s.data
	// Eight bytes are looked at at once, and none of what comes close to the end of the data.
	for i+8 < len(d) {
		switch c := d[i]; class[c] {
		case space:
			i++
		case newline:
			if d[i+1] == '%' {
				return i
			}
			i++
		case digit:
			dot := 1
			for dot < 4 && class[d[i+dot]] == digit {
				dot++
			}
			// A nought may begin a result, a one a result or with one dot a game.
			if d[i+dot] != '.' || c == '0' {
				return i
			}
			if d[i+dot+1] == '.' && d[i+dot+2] == '.' {
				dot += 2
			} else if dot == 1 && c == '1' {
				return i
			}
			i += dot + 1
		case letter:
			n := onSquare(d[i : i+8])
			if n == 0 {
				return i
			}
			s.add(g, d[i:i+n])
			i += n
			if d[i] == ' ' {
				i++
			}
		case brace:
			n := evaluation(d[i:], g)
			if n == 0 {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// evaluation reads the value of the last move from a comment that has nothing else, { [%eval 0.21] }, and returns its length;
// 0 if text begins with something else.
func evaluation(text []byte, g *record.Game) int {
	const begin, end = "{ [%eval ", "] }"
	if len(text) < len(begin)+len("-99.99")+len(end) || string(text[:len(begin)]) != begin || len(g.Moves) == 0 {
		return 0
	}
	i, v := len(begin), int32(0)
	negative := text[i] == '-'
	if negative {
		i++
	}
	from := i
	for ; i < from+2 && text[i]-'0' <= 9; i++ {
		v = 10*v + int32(text[i]-'0')
	}
	d := text[i:]
	m := &g.Moves[len(g.Moves)-1]
	if i == from || len(d) < 6 || d[0] != '.' || d[1]-'0' > 9 || d[2]-'0' > 9 || string(d[3:6]) != end || m.HasValue {
		return 0
	}
	if v = 100*v + 10*int32(d[1]-'0') + int32(d[2]-'0'); negative {
		v = -v
	}
	m.Value, m.HasValue = v, true
	return i + 6
}

// onSquare returns the length of the move at the beginning of text, which has eight bytes, or
// 0. The move must end with a square and possibly a sign of check, followed by a blank or the
// end of a line.
func onSquare(text []byte) int {
	w := binary.LittleEndian.Uint64(text)
	n := bits.TrailingZeros64((w-0x2121212121212121)&^w&0x8080808080808080) / 8 // bytes above the blank
	if n < 2 || n > 7 {
		return 0
	}
	end := n
	if text[n-1] == '+' || text[n-1] == '#' {
		end--
	}
	if end < 2 || text[end-1]-'1' >= 8 || text[end-2]-'a' >= 8 {
		return 0
	}
	if after := class[text[n]]; after != space && after != newline {
		return 0
	}
	for _, c := range text[1:max(end-2, 1)] {
		if !ofSAN[c] {
			return 0
		}
	}
	return n
}

// ofSAN is the set of bytes that may be between a move's first and its square.
var ofSAN = func() (is [256]bool) {
	for _, c := range "abcdefgh12345678x" {
		is[c] = true
	}
	return is
}()
