package kif

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"kifu/ingest/record"
	"kifu/ingest/record/japanese"
)

// maxMoves is more than any game has.
const maxMoves = 4096

// numbered reports whether a line, without blanks before it, begins with a move's number.
func numbered(text []byte) bool {
	n := digits(text)
	return n > 0 && n < len(text) && (text[n] == ' ' || text[n] == '\t' || bytes.HasPrefix(text[n:], wideBlank))
}

func digits(text []byte) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// marked reports whether a line begins with the mark of a side: KI2.
func marked(line []byte) bool {
	c, _ := utf8.DecodeRune(trim(line))
	return isMark(c)
}

func isMark(c rune) bool {
	switch c {
	case '▲', '△', '▼', '▽', '☗', '☖':
		return true
	}
	return false
}

// numbered reads a line of KIF: number, move or ending, and the time in brackets.
func (r *BlockReader) numbered(g *record.Game, text []byte) {
	r.close(g)
	r.counted = true
	text = trim(text[digits(text):])
	if g.Skipped || len(text) == 0 {
		return
	}
	n := moveLength(text)
	if r.ended {
		if n > 0 {
			g.Late++
		}
		return
	}
	if n == 0 {
		if r.ending(g, text) {
			return
		}
		n = len(firstWord(text)) // the rules may know it
	}
	if len(g.Moves) < maxMoves {
		g.AddMove(trimRight(text[:n]))
		r.spend(g, text[n:])
	}
}

// first reports whether a line has the move of number 1.
func first(line []byte) bool {
	text := bytes.TrimLeft(line, " ")
	return len(text) > 0 && text[0] == '1' && digits(text) == 1 && numbered(text)
}

// moveLength returns the length of the move that text begins with, 0 if it is none: a move begins with a digit or 同, and ends with its source in brackets or
// before a blank.
func moveLength(text []byte) int {
	c, n := utf8.DecodeRune(text)
	if c != '同' && japanese.Numeral(c) == 0 && !isMark(c) {
		if c != utf8.RuneError {
			return 0
		}
		return len(text) // damaged: the rules will reject it
	}
	for n < len(text) {
		switch text[n] {
		case ' ':
			if c == '同' && n == len("同") { // a narrow blank after 同
				n++
				continue
			}
			return n
		case '\t':
			return n
		case '(':
			if n+3 < len(text) && text[n+3] == ')' {
				return n + 4
			}
			return n
		}
		n++
	}
	return n
}

// marked reads a line of KI2: moves, each with the mark of its side.
func (r *BlockReader) marked(g *record.Game, line []byte) {
	r.close(g)
	if g.Skipped || r.ended {
		return
	}
	text := trim(line)
	for len(text) > 0 {
		_, n := utf8.DecodeRune(text)
		end := n
		for end < len(text) {
			c, size := utf8.DecodeRune(text[end:])
			if isMark(c) {
				break
			}
			end += size
		}
		if r.ending(g, text[n:end]) {
			return
		}
		r.move(g, trimRight(text[:end]))
		text = text[end:]
	}
}

func (r *BlockReader) move(g *record.Game, text []byte) {
	if len(g.Moves) < maxMoves {
		g.AddMove(text)
	}
}

// bare reads a line of KI2 that lacks the marks, ７六歩　３四歩　同　歩, and reports whether it is
// one: moves and blanks, and maybe an ending, alone.
func (r *BlockReader) bare(g *record.Game, line []byte) bool {
	line = trim(line)
	for rest := line; len(rest) > 0; {
		n := bareLength(rest)
		if n == 0 && (len(rest) == len(line) || !isEnding(rest)) {
			return false
		}
		if n == 0 {
			break
		}
		rest = trim(rest[n:])
	}
	if r.begin(g); r.closed || r.ended || len(line) == 0 {
		return true
	}
	r.close(g)
	for !g.Skipped && len(line) > 0 && !r.ending(g, line) {
		n := bareLength(line)
		r.move(g, line[:n])
		line = trim(line[n:])
	}
	return true
}

func isEnding(text []byte) bool {
	_, _, known := japanese.EndingOf(text, true)
	return known
}

// bareLength returns the length of the move without a mark that text begins with, 0 if it is none:
// its square or 同, its piece, and the words on how it goes there.
func bareLength(text []byte) int {
	c, n := utf8.DecodeRune(text)
	if c == '同' {
		n = len(text) - len(trim(text[n:]))
	} else {
		rank, size := utf8.DecodeRune(text[n:])
		if n += size; japanese.Numeral(c) == 0 || japanese.Numeral(rank) == 0 {
			return 0
		}
	}
	c, size := utf8.DecodeRune(text[n:])
	if n += size; c == '成' {
		c, size = utf8.DecodeRune(text[n:])
		n += size
	}
	if kinds[c] == 0 {
		return 0
	}
	for n < len(text) {
		c, size := utf8.DecodeRune(text[n:])
		if !strings.ContainsRune("成不生打右左直上行入寄引下", c) {
			break
		}
		n += size
	}
	return n
}

// spend reads ( 0:05/00:01:20): the time that the last move took.
func (r *BlockReader) spend(g *record.Game, text []byte) {
	if !r.clocks.Running {
		return
	}
	_, after, ok := bytes.Cut(text, []byte{'('})
	if !ok {
		return
	}
	m := &g.Moves[len(g.Moves)-1]
	side := len(g.Moves) - 1
	if r.white {
		side++
	}
	m.Clock, m.HasClock = r.took(side&1, after)
}
