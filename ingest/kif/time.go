package kif

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// clocks derive the time left from the time given and what moves took.
type clocks struct {
	running bool
	left    [2]int64 // milliseconds
	byoyomi int64
	added   int64 // with every move
}

// limit reads 持ち時間: 15分+60秒, 各10分, ６時間, 60分 切れたら1分将棋. The units up to the
// first other word are the time given, what comes after it is the byoyomi, or with 加算 what
// every move adds.
func limit(value []byte) (c clocks) {
	var total [2]int64
	fischer := bytes.Contains(value, []byte("加算"))
	part, number, seen := 0, int64(-1), false
	for len(value) > 0 {
		r, n := utf8.DecodeRune(value)
		unit := int64(0)
		switch {
		case bytes.HasPrefix(value, []byte("時間")):
			unit, n = 3600, len("時間")
		case r == '分':
			unit = 60
		case r == '秒':
			unit = 1
		}
		value = value[n:]
		switch d := numeral(r); {
		case d > 0 || r == '0' || r == '０':
			if number = max(number, 0)*10 + int64(d); number > 100_000 {
				return clocks{}
			}
		case unit > 0 && number >= 0:
			total[part] += number * unit
			number, seen = -1, true
		case r == ' ' || r == '\u3000' || r == '各':
		default:
			number = -1
			if seen {
				part = 1
			}
		}
	}
	if !seen {
		return clocks{}
	}
	c = clocks{running: true, left: [2]int64{total[0] * 1000, total[0] * 1000}, byoyomi: total[1] * 1000}
	if fischer {
		c.byoyomi, c.added = 0, c.byoyomi
	}
	return c
}

// spend takes the time of a move, the text up to a slash or bracket, off a side's clock.
// Who is in byoyomi has no clock.
func (c *clocks) spend(side int, text []byte) (left int32, ok bool) {
	if i := bytes.IndexAny(text, "/)"); i >= 0 {
		text = text[:i]
	}
	used, ok := duration(bytes.TrimSpace(text))
	if !ok {
		c.running = false
		return 0, false
	}
	if c.left[side] = max(c.left[side]-used, -1); c.left[side] < 0 {
		return 0, false
	}
	c.left[side] += c.added
	return int32(min(c.left[side], 1<<31-1)), true
}

// duration reads m:s or h:m:s, with or without a fraction, in milliseconds.
func duration(text []byte) (ms int64, ok bool) {
	for {
		part, rest, more := bytes.Cut(text, []byte(":"))
		whole, fraction, _ := bytes.Cut(part, []byte("."))
		if len(whole) == 0 || len(whole) > 6 || digits(whole) != len(whole) || digits(fraction) != len(fraction) {
			return 0, false
		}
		n := int64(0)
		for _, d := range whole {
			n = 10*n + int64(d-'0')
		}
		ms = 60*ms + 1000*n
		for i, unit := 0, int64(100); i < len(fraction) && unit > 0; i, unit = i+1, unit/10 {
			ms += int64(fraction[i]-'0') * unit
		}
		if !more {
			return ms, true
		}
		text = rest
	}
}

func appendNumber(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
