package pgn

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// Values and clocks in comments, which are about the move before them. Evaluations are returned in
// centipawns from White's side, clocks in milliseconds.
//
//	[%eval 0.21]  [%clk 0:05:00]                 as in every game (package comments)
//	+0.25/12 0.5s   -M5/20 1.2s   (Nf6) +0.2/9   pawns, the mover's view; M counts plies
//	+0.57 17/28 583 363004                       the same with a selective depth
//	ev=0.12, d=26, tl=01:40:00, wv=-0.18,        pawns, White's view; M counts plies;
//	                                             tl is time left, also in milliseconds
//
// Elapsed times ([%emt], mt=, the seconds after an engine's depth) are not clocks and are skipped. A
// comment with more than a value and a clock is kept whole. Values beyond the mate range's edge are cut to
// it.

// comment reads the text of one comment after the last move, and keeps it in g if there is more in it.
// black: Black made the move.
func comment(g *record.Game, c []byte, black bool) {
	comments.Read(g, c, func(c []byte, m *record.Move) bool { return valued(c, m, black) })
}

// valued reads the values of a comment, and reports whether there is more in it.
func valued(c []byte, m *record.Move, black bool) (more bool) {
	c = comments.TrimLeft(c)
	if len(c) == 0 {
		return false
	}
	switch k := c[0]; {
	case (k >= '0' && k <= '9' || k == '+' || k == '-' || k == 'M' || k == '#' || k == '(') && engine(c, m, black):
		return true
	case k >= 'a' && k <= 'z' && pair(c):
		pairs(c, m)
		return true
	}
	return comments.Commands(c, m)
}

// engine reads an engine's report on its own move, and reports whether c is one.
func engine(c []byte, m *record.Move, black bool) bool {
	if c[0] == '(' { // the move that the engine expected
		_, after, closed := bytes.Cut(c, []byte{')'})
		if !closed {
			return false
		}
		c = comments.TrimLeft(after)
	}
	var v int32
	i, neg := 0, len(c) > 0 && c[0] == '-'
	if neg || len(c) > 0 && c[0] == '+' {
		i = 1
	}
	if i < len(c) && (c[i] == 'M' || c[i] == '#') {
		plies, end, _ := comments.Integer(c, i+1)
		if end == i+1 {
			return false
		}
		v, i = comments.Mate((plies+1)/2, neg), end
	} else {
		var ok, point bool
		if v, i, point, ok = comments.Decimal(c, 0); !ok || !point {
			return false
		}
	}
	// Without a depth after it, the number is prose.
	if i == len(c) || c[i] != '/' && !comments.Blank(c[i]) {
		return false
	}
	slash := c[i] == '/'
	c = comments.TrimLeft(c[i+1:])
	_, end, _ := comments.Integer(c, 0)
	if end == 0 || !slash && (end == len(c) || c[end] != '/') {
		return false
	}
	if black {
		v = -v
	}
	if !m.HasValue {
		m.Value, m.HasValue = v, true
	}
	if j := bytes.Index(c, []byte("tl=")); j > 0 && comments.Blank(c[j-1]) {
		if ms, ok := comments.Clock(c[j+3:], 1000); ok {
			m.Clock, m.HasClock = ms, true
		}
	}
	return true
}

// pair reports whether c begins with name=value.
func pair(c []byte) bool {
	for i := 1; i < len(c) && i < 8; i++ {
		if c[i] == '=' {
			return true
		}
		if c[i] < 'a' || c[i] > 'z' {
			return false
		}
	}
	return false
}

// pairs reads a list of name=value, separated by commas.
func pairs(c []byte, m *record.Move) {
	for len(c) > 3 {
		if c[2] == '=' {
			switch {
			case c[1] == 'v' && (c[0] == 'w' || c[0] == 'e'):
				if v, ok := whiteView(c[3:]); ok {
					m.Value, m.HasValue = v, true
				}
			case c[0] == 't' && c[1] == 'l':
				if ms, ok := comments.Clock(c[3:], 1); ok {
					m.Clock, m.HasClock = ms, true
				}
			}
		}
		i := bytes.IndexByte(c, ',')
		if i < 0 {
			return
		}
		c = comments.TrimLeft(c[i+1:])
	}
}

// whiteView reads 0.12, M12 or -M12.
func whiteView(c []byte) (int32, bool) {
	i := 0
	neg := c[0] == '-'
	if neg || c[0] == '+' {
		i = 1
	}
	if i < len(c) && c[i] == 'M' {
		plies, end, _ := comments.Integer(c, i+1)
		return comments.Mate((plies+1)/2, neg), end > i+1
	}
	v, _, _, ok := comments.Decimal(c, 0)
	return v, ok
}
