package pdn

import (
	"bytes"

	"kifu/ingest/record"
)

// isSeparator reports whether c may separate two squares of a move.
func isSeparator(c byte) bool { return c == '-' || c == 'x' || c == 'X' || c == ':' }

// squareEnd returns the end of the square at d[i], by number or as in chess; i without one.
func squareEnd(d []byte, i int) int {
	k := i
	if k < len(d) && d[k]|0x20 >= 'a' && d[k]|0x20 <= 'j' {
		k++
	}
	digits := k
	for k < len(d) && class[d[k]] == digit {
		k++
	}
	if k == digits {
		return i
	}
	return k
}

// moveEnd returns the end of the move at d[i]: at least two squares with separators, with blanks after them
// ("1- 6"), or, as in chess, without. It is i if there is no move.
func moveEnd(d []byte, i int) (end int, blanks bool) {
	lettered := class[d[i]] == letter
	k := squareEnd(d, i)
	if k == i {
		return i, false
	}
	end = i
	for k < len(d) {
		next, gap := k, false
		if isSeparator(d[k]) {
			next++
			for next < len(d) && d[next] == ' ' && next < k+4 {
				next, gap = next+1, true
			}
		} else if !lettered {
			break
		}
		to := squareEnd(d, next)
		if to == next {
			break
		}
		k, end, blanks = to, to, blanks || gap
	}
	return end, blanks
}

// resultEnd returns the end of the result at d[i]; i without one.
func resultEnd(d []byte, i int) int {
	if i+2 >= len(d) {
		return i
	}
	switch next := d[i+1]; {
	case d[i] == '*', d[i]-'0' > 2 && class[d[i]] != letter: // most calls
		return i
	case d[i] == '2' || d[i]-'0' <= 1 && next == '-':
		for _, r := range points {
			if bytes.HasPrefix(d[i:], r) {
				end := i + len(r)
				if end < len(d) && (class[d[end]] == digit || class[d[end]] == letter || d[end] == '-' || d[end] == '/') {
					continue
				}
				return end
			}
		}
	}
	text := d[i:min(len(d), i+record.LongestResult)]
	if n := record.ResultEnd(text); n > 0 {
		return i + n
	}
	return i + record.VerdictEnd(text)
}

// points are results of draughts alone. No result is a move: there is no square 0, and nothing
// goes from 1 to 1.
var points = [][]byte{[]byte("2-0"), []byte("0-2"), []byte("1-1"), []byte("0-0")}

// starts reports whether a game without tags begins at d[i]: a move number with its
// dot, or a move.
func starts(d []byte, i int) bool {
	if resultEnd(d, i) > i { // a result
		return false
	}
	if end, _ := moveEnd(d, i); end > i {
		return true
	}
	k := i
	for k < len(d) && class[d[k]] == digit {
		k++
	}
	return k > i && k < len(d) && d[k] == '.'
}
