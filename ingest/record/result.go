package record

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Blank returns the length of the Unicode blank at the start of text, 0 without one. Non-breaking and
// zero-width blanks and the byte order mark count.
func Blank(text []byte) int {
	r, n := utf8.DecodeRune(text)
	if r == '\u00A0' || r >= '\u2000' && r <= '\u200D' || r == '\u202F' || r == '\u205F' || r == '\u2060' || r == '\u3000' || r == '\uFEFF' {
		return n
	}
	return 0
}

// blanks returns the length of the blanks that text begins with, up to the line's end.
func blanks(text []byte) (n int) {
	for n < len(text) {
		k := Blank(text[n:])
		if k == 0 && (text[n] == ' ' || text[n] == '\t') {
			k = 1
		}
		if k == 0 {
			break
		}
		n += k
	}
	return n
}

// LongestResult is more than the length of any result, in bytes. With less text than this, look again when
// more was read.
const LongestResult = 40

// ResultEnd returns the end of the result at the start of text, 0 without one. A result is a half alone, or
// the points of both sides (1, 0 or a half) with any dash or a colon between them: 1-0, 1 - 0, ½:½, 0,5-0,5.
// Text with a letter, a digit or another dash after it is no result.
func ResultEnd(text []byte) int {
	n, first := side(text)
	if n == 0 {
		return 0
	}
	end := n
	if k := n + blanks(text[n:]); k < len(text) {
		if m := dash(text[k:]); m > 0 {
			k += m
			k += blanks(text[k:])
			m, second := side(text[k:])
			if m == 0 || first+second != 2 {
				return 0
			}
			end = k + m
		}
	}
	if end == n && (first != 1 || bytes.IndexByte(text[:n], '.') > 0 || bytes.IndexByte(text[:n], ',') > 0) {
		return 0
	}
	if end < len(text) {
		if r, _ := utf8.DecodeRune(text[end:]); unicode.IsLetter(r) || unicode.IsDigit(r) || r == '½' || r == '/' || dash(text[end:]) > 0 {
			return 0
		}
	}
	return end
}

// side returns the length of a side's points that text begins with, and twice the points.
func side(text []byte) (n, points int) {
	for _, half := range [...]string{"1/2", "½", "\xBD", "0.5", "0,5"} {
		if bytes.HasPrefix(text, []byte(half)) {
			return len(half), 1
		}
	}
	switch {
	case len(text) > 0 && text[0] == '1':
		return 1, 2
	case len(text) > 0 && text[0] == '0':
		return 1, 0
	}
	return 0, 0
}

// dash returns the length of the dash or colon that text begins with.
func dash(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	switch r, n := utf8.DecodeRune(text); {
	case r == ':' || r == '−' || unicode.Is(unicode.Pd, r):
		return n
	case text[0] == 0x96 || text[0] == 0x97: // of Windows-1252
		return 1
	}
	return 0
}

// Words of results.
var (
	colours = [...]string{"white", "black"}
	verdict = [...]string{"resigns", "resigned", "wins", "won", "mates", "loses", "lost", "forfeits"}
	draws   = [...]string{"remis", "drawn", "draw"}
)

// VerdictEnd returns the end of a result in words at the start of text (White resigns, remis). It returns 0
// without one, or if other text than a comment or tag follows on its line.
func VerdictEnd(text []byte) int {
	end := 0
	for _, colour := range colours {
		if !startsWord(text, colour) {
			continue
		}
		verb := len(colour) + blanks(text[len(colour):])
		for _, word := range verdict {
			if verb > len(colour) && startsWord(text[verb:], word) {
				end = verb + len(word)
			}
		}
	}
	for _, word := range draws {
		if startsWord(text, word) {
			end = len(word)
		}
	}
	if end == 0 {
		return 0
	}
	rest := bytes.TrimLeft(text[end:], " \t.!")
	if len(rest) > 0 && bytes.IndexByte([]byte("\r\n[{;"), rest[0]) < 0 {
		return 0
	}
	return end
}

// startsWord reports whether text begins with a word, in letters of any size.
func startsWord(text []byte, word string) bool {
	n := len(word)
	if len(text) < n || !bytes.EqualFold(text[:n], []byte(word)) {
		return false
	}
	return len(text) == n || !(text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z')
}

// Decimal reads a decimal number without a sign, of at most nine digits before the point, in
// units of 10^-places; further digits are cut off.
func Decimal(text []byte, places int) (v int64, ok bool) {
	digits, point := 0, false
	for _, c := range text {
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9' || digits == 9 && !point:
			return 0, false
		case point && places == 0:
		default:
			v = 10*v + int64(c-'0')
			digits++
			if point {
				places--
			}
		}
	}
	for ; places > 0; places-- {
		v *= 10
	}
	return v, digits > 0
}
