// Package comments reads what programs write into the comments of records in the same
// way whatever the game: [%eval …], [%clk …], [%clock …].
package comments

import "kifu/ingest/record"

// Commands reads the commands in the comment c after m, anywhere in it.
//
//	[%eval 0.21]  [%eval #-3]  [%eval 0.35,18]   in units, the first player's view; # counts moves
//	[%eval 35,18]                                no point but a depth: hundredths
//	[%clk 0:05:00]  [%clk 0:02:59.9]             time left
//	[%clock w0:05:00 B0:04:10]                   both players' (PDN); the capital's clock runs
//
// It reports whether c has more: words, other commands ([%cal Gd1d5]), a depth.
func Commands(c []byte, m *record.Move) (more bool) {
	for i := 0; i < len(c); {
		if c[i] != '[' || i+1 == len(c) || c[i+1] != '%' {
			more = more || !Blank(c[i])
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
		for k < len(inside) && !Blank(inside[k]) {
			k++
		}
		argument := TrimLeft(inside[k:])
		switch string(inside[:k]) {
		case "eval":
			v, end, ok := eval(argument)
			if ok {
				m.Value, m.HasValue = v, true
			}
			more = more || !ok || len(TrimLeft(argument[end:])) > 0
		case "clk", "clock":
			more = !stopped(argument, m) || more
		default:
			more = true
		}
	}
	return more
}

// stopped reads one or two times, and takes the time of the stopped clock, which is the mover's. It
// reports whether it found one.
func stopped(c []byte, m *record.Move) bool {
	for len(c) > 1 {
		running := c[0] == 'W' || c[0] == 'B'
		if running || c[0] == 'w' || c[0] == 'b' {
			c = c[1:]
		}
		ms, ok := Clock(c, 1000)
		if !ok {
			return false
		}
		if !running {
			m.Clock, m.HasClock = ms, true
			return true
		}
		for len(c) > 0 && !Blank(c[0]) {
			c = c[1:]
		}
		c = TrimLeft(c)
	}
	return false
}

// eval reads the argument of [%eval], and returns where its value ends.
func eval(c []byte) (value int32, end int, ok bool) {
	if len(c) > 0 && c[0] == '#' {
		n, i, neg := Integer(c, 1)
		return Mate(n, neg), i, i > 1 && c[i-1]-'0' <= 9
	}
	v, i, point, ok := Decimal(c, 0)
	if ok && !point && i < len(c) && c[i] == ',' {
		n, _, neg := Integer(c, 0)
		if v = min(n, MaxValue); neg {
			v = -v
		}
	}
	return v, i, ok
}

// TrimLeft takes blanks and line breaks off the front.
func TrimLeft(c []byte) []byte {
	for len(c) > 0 && Blank(c[0]) {
		c = c[1:]
	}
	return c
}

// Blank reports a blank or a line break. Values and clocks are read alike wherever the lines of a comment end.
func Blank(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }
