package ingest

import (
	"bytes"
	"unicode/utf8"

	"kifu/games"
)

// cleaner turns tag values into column values. It keeps the buffer that they need.
type cleaner struct{ buf []byte }

// text trims v, makes it valid UTF-8 without control characters, and returns nil when
// nothing is known: an empty value, ? or -. It is v's memory or the cleaner's.
func (c *cleaner) text(v []byte) []byte {
	v = c.repair(bytes.TrimSpace(v))
	if unknown(v) {
		return nil
	}
	return v
}

// unknown reports whether a trimmed value says that nothing is known.
func unknown(v []byte) bool {
	for _, b := range v {
		if b != '?' {
			return len(v) == 1 && b == '-'
		}
	}
	return true
}

// repair makes v valid UTF-8. Bytes that are not UTF-8 are taken for Windows-1252, of
// which Latin-1 is a part. Control characters become spaces.
func (c *cleaner) repair(v []byte) []byte {
	plain := true
	for _, b := range v {
		if b < ' ' || b > '~' {
			plain = false
			break
		}
	}
	if plain {
		return v
	}
	valid := utf8.Valid(v)
	c.buf = c.buf[:0]
	for _, b := range v {
		switch {
		case b < ' ' || b == 0x7F:
			c.buf = append(c.buf, ' ')
		case valid || b < 0x80:
			c.buf = append(c.buf, b)
		case b < 0xA0:
			c.buf = utf8.AppendRune(c.buf, windows1252[b-0x80])
		default:
			c.buf = utf8.AppendRune(c.buf, rune(b))
		}
	}
	return c.buf
}

// windows1252 is where it differs from Latin-1; its five holes stay what they were.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8D, 'Ž', 0x8F,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9D, 'ž', 'Ÿ',
}

// date returns v in ISO 8601 at the precision that is known, nil if it names no year.
// ok tells that v says no more than that.
func (c *cleaner) date(v []byte) (iso []byte, ok bool) {
	v = bytes.TrimSpace(v)
	if unknown(v) {
		return nil, true
	}
	var part [3]int // year, month, day; 0 unknown
	var n, digits int
	for i := 0; ; i++ {
		if i == len(v) || v[i] == '.' || v[i] == '-' || v[i] == '/' {
			if n == 0 && digits != 4 && part[0] != 0 || n > 2 || n == 0 && digits > 0 && digits != 4 {
				return nil, false
			}
			n++
			digits = 0
			if i == len(v) {
				break
			}
			continue
		}
		if n > 2 {
			return nil, false
		}
		switch b := v[i]; {
		case b == '?' || b == ' ':
		case b >= '0' && b <= '9' && digits < 4:
			part[n] = 10*part[n] + int(b-'0')
			digits++
		default:
			return nil, false
		}
	}
	year, month, day := part[0], part[1], part[2]
	if year == 0 {
		return nil, month == 0 && day == 0
	}
	c.buf = append(c.buf[:0], byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10))
	if month == 0 {
		return c.buf, day == 0
	}
	if month > 12 {
		return nil, false
	}
	c.buf = append(c.buf, '-', byte('0'+month/10), byte('0'+month%10))
	if day == 0 {
		return c.buf, true
	}
	if day > daysIn(year, month) {
		return nil, false
	}
	return append(c.buf, '-', byte('0'+day/10), byte('0'+day%10)), true
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// elo returns a rating, 0 if it is unknown. ok tells that v is a rating or says that
// there is none.
func elo(v []byte) (n int32, ok bool) {
	v = bytes.TrimSpace(v)
	if unknown(v) {
		return 0, true
	}
	if len(v) > 4 {
		return 0, false
	}
	for _, b := range v {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = 10*n + int32(b-'0')
	}
	return n, true
}

// result reads a result as tags and terminators write it. ok tells that it is one, or
// says that there is none.
func result(v []byte) (o games.Outcome, ok bool) {
	v = bytes.TrimSpace(v)
	switch string(v) {
	case "1-0", "1–0":
		return games.FirstWins, true
	case "0-1", "0–1":
		return games.SecondWins, true
	case "1/2-1/2", "1/2", "½-½", "½", "0.5-0.5", "\xBD-\xBD", "\xBD", "½–½", "1/2–1/2":
		return games.Drawn, true
	case "*":
		return games.Undecided, true
	}
	return games.Undecided, unknown(v)
}
