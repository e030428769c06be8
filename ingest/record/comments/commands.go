// Package comments reads what programs write into the comments of records in the same
// way whatever the game: [%eval …], [%clk …], [%clock …].
package comments

import (
	"bytes"

	"kifu/ingest/record"
)

// Commands reads the commands in the comment c after m, wherever they stand in it.
//
//	[%eval 0.21]  [%eval #-3]  [%eval 0.35,18]   in units, the first player's view; # counts moves
//	[%eval 35,18]                                no point but a depth: hundredths
//	[%clk 0:05:00]  [%clk 0:02:59.9]             time left
//	[%clock w0:05:00 B0:04:10]                   both players' (PDN); the capital's clock runs
//
// It reports whether other words stand in c, and how many commands draw on the board:
//
//	[%cal Gd1d5]  [%csl Re4]  [%mark h7]         arrows, squares
func Commands(c []byte, m *record.Move) (words bool, shapes int) {
	for i := 0; i < len(c); {
		if c[i] != '[' || i+1 == len(c) || c[i+1] != '%' {
			words = words || !blank(c[i])
			i++
			continue
		}
		i += 2
		end := i
		for end < len(c) && c[end] != '[' && c[end] != ']' {
			end++
		}
		inside := c[i:end]
		if i = end; i < len(c) && c[i] == ']' {
			i++
		}
		k := 0
		for k < len(inside) && !blank(inside[k]) {
			k++
		}
		argument := TrimLeft(inside[k:])
		switch string(inside[:k]) {
		case "eval":
			if v, ok := eval(argument); ok {
				m.Value, m.HasValue = v, true
			}
		case "clk", "clock":
			standing(argument, m)
		case "cal", "csl", "mark", "arrow":
			shapes++
		}
	}
	return words, shapes
}

// standing reads one or two times, and takes that of the clock which stands: the mover's.
func standing(c []byte, m *record.Move) {
	for len(c) > 1 {
		running := c[0] == 'W' || c[0] == 'B'
		if running || c[0] == 'w' || c[0] == 'b' {
			c = c[1:]
		}
		ms, ok := Clock(c, 1000)
		if !ok {
			return
		}
		if !running {
			m.Clock, m.HasClock = ms, true
			return
		}
		i := bytes.IndexAny(c, " ]")
		if i < 0 {
			return
		}
		c = TrimLeft(c[i:])
	}
}

// eval reads the argument of [%eval].
func eval(c []byte) (int32, bool) {
	if len(c) > 0 && c[0] == '#' {
		n, i, neg := Integer(c, 1)
		return Mate(n, neg), i > 1 && c[i-1]-'0' <= 9
	}
	v, i, point, ok := Decimal(c, 0)
	if ok && !point && i < len(c) && c[i] == ',' {
		n, _, neg := Integer(c, 0)
		if v = min(n, MaxValue); neg {
			v = -v
		}
	}
	return v, ok
}

// TrimLeft takes blanks and line breaks off the front.
func TrimLeft(c []byte) []byte {
	for len(c) > 0 && blank(c[0]) {
		c = c[1:]
	}
	return c
}

func blank(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }
