package japanese

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Clocks derive the time left from the time given and what moves took, in milliseconds.
type Clocks struct {
	Running bool // the time given is known, and what all moves so far took
	Byoyomi int64
	left    [2]int64
	added   int64 // with every move
}

// Limit reads 持ち時間: 15分+60秒, 各10分, ６時間, 60分 切れたら1分将棋, 10分+30秒+5秒加算. The units up to the first other word are
// the time given, what comes after it is the byoyomi, and with 加算 the last of it is what every move adds.
func Limit(value []byte) (c Clocks) {
	var total [2]int64
	group, apart := int64(0), true // the last amount; another word came after it
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
		switch d := Numeral(r); {
		case d > 0 || r == '0' || r == '０':
			if number = max(number, 0)*10 + int64(d); number > 100_000 {
				return Clocks{}
			}
		case unit > 0 && number >= 0:
			if apart {
				group, apart = 0, false
			}
			total[part] += number * unit
			group += number * unit
			number, seen = -1, true
		case r == ' ' || r == '\u3000' || r == '各':
		default:
			number, apart = -1, true
			if seen {
				part = 1
			}
		}
	}
	if !seen {
		return Clocks{}
	}
	c = Clocks{Running: true, left: [2]int64{total[0] * 1000, total[0] * 1000}, Byoyomi: total[1] * 1000}
	if fischer && part == 1 {
		c.added = min(group*1000, c.Byoyomi)
		c.Byoyomi -= c.added
	}
	return c
}

// AppendControl appends the time given and what moves add in seconds, as 900+10. No move has been made yet.
func (c *Clocks) AppendControl(dst []byte) []byte {
	dst = strconv.AppendInt(dst, c.left[0]/1000, 10)
	if c.added > 0 {
		dst = strconv.AppendInt(append(dst, '+'), c.added/1000, 10)
	}
	return dst
}

// Spend takes the time of a move off a side's clock. A side in byoyomi has no clock.
func (c *Clocks) Spend(side int, used int64) (left int32, ok bool) {
	if c.left[side] = max(c.left[side]-used, -1); c.left[side] < 0 {
		return 0, false
	}
	c.left[side] += c.added
	return int32(min(c.left[side], 1<<31-1)), true
}

// Numeral returns the value of a digit, half or full width or Chinese; 0 for none.
func Numeral(c rune) int {
	switch {
	case c >= '1' && c <= '9':
		return int(c - '0')
	case c >= '１' && c <= '９':
		return int(c-'１') + 1
	}
	return chineseNumbers[c]
}

var chineseNumbers = map[rune]int{'一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}
