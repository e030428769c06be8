package kif

import (
	"bytes"
	"unicode/utf8"

	"kifu/ingest/record"
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
	text = trim(text[digits(text):])
	if g.Skipped || r.ended || len(text) == 0 {
		return
	}
	n := moveLength(text)
	if n == 0 {
		word := text
		if i := bytes.IndexAny(text, " (\t"); i > 0 {
			word = text[:i]
		}
		r.ending(g, trimRight(word))
		return
	}
	if len(g.Moves) < maxMoves {
		g.Moves = append(g.Moves, record.Move{Text: trimRight(text[:n])})
		r.spend(g, text[n:])
	}
}

// moveLength returns the length of the move that text begins with, 0 if it is an
// ending: a move begins with a digit or 同, and ends with its source in brackets or
// before a blank.
func moveLength(text []byte) int {
	c, n := utf8.DecodeRune(text)
	if c != '同' && numeral(c) == 0 && !isMark(c) {
		if c != utf8.RuneError {
			return 0
		}
		return len(text) // damaged: the rules will say so
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
		if len(g.Moves) < maxMoves {
			g.Moves = append(g.Moves, record.Move{Text: trimRight(text[:end])})
		}
		text = text[end:]
	}
}

// spend reads ( 0:05/00:01:20): the time that the last move took.
func (r *BlockReader) spend(g *record.Game, text []byte) {
	if !r.clocks.running {
		return
	}
	i := bytes.IndexByte(text, '(')
	if i < 0 {
		return
	}
	m := &g.Moves[len(g.Moves)-1]
	side := len(g.Moves) - 1
	if r.white {
		side++
	}
	m.Clock, m.HasClock = r.clocks.spend(side&1, text[i+1:])
}
