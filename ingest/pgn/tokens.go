package pgn

import (
	"bytes"

	"kifu/ingest/record"
)

// afterBlankLine reports whether the line of d[i] has nothing before d[i] and the line
// above is blank.
func afterBlankLine(d []byte, i int) bool {
	breaks := 0
	for i > 0 && (class[d[i-1]] == space || class[d[i-1]] == newline) {
		i--
		if d[i] == '\n' || d[i] == '\r' && d[i+1] != '\n' {
			breaks++
		}
	}
	return breaks > 1
}

// isMove separates moves from the other words of annotators between moves: "e.p.", "en passant", "+-", a
// diagram's D, a novelty's N.
func isMove(token []byte) bool {
	switch string(bytes.TrimRight(token, "+#!?.")) {
	case "--":
		return true
	case "e.p", "ep", "e", "p", "en", "passant", "D", "N", "\xEF\xBB\xBF":
		return false
	}
	if token[0] < 0x80 {
		return wordy(token)
	}
	// In other scripts moves still have squares, castling its dash; signs have neither.
	return bytes.ContainsAny(token, "12345678-")
}

// isNumeric reports whether a token is a move as ICCF writes it: the files and ranks of two
// squares, and the piece of a promotion.
func isNumeric(token []byte) bool {
	if len(token) != 4 && len(token) != 5 {
		return false
	}
	for _, c := range token {
		if c < '1' || c > '8' {
			return false
		}
	}
	return string(token[:2]) != string(token[2:4])
}

// stuckResult returns the index in a token of a result after a move without a space; 0 without one.
func stuckResult(token []byte) int {
	for _, result := range []string{"1/2-1/2", "1-0", "0-1"} {
		if n := len(token) - len(result); n > 1 && string(token[n:]) == result {
			return n
		}
	}
	return 0
}

// isResult reports whether a token ends a game.
func isResult(token []byte) bool {
	return string(token) == "*" || len(token) > 0 && record.ResultEnd(token) == len(token)
}

// resultAt returns the end of the result at d[i], which is a digit or a letter; 0 without one.
func resultAt(d []byte, i int) int {
	if i+3 < len(d) && d[i+1] == '-' && d[i]^d[i+2] == 1 && d[i+2] <= '1' && (class[d[i+3]] == newline || class[d[i+3]] == space) {
		return i + 3 // 1-0, as nearly all
	}
	n := 0
	switch c := d[i] | 0x20; {
	case c == '0'|0x20 || c == '1'|0x20 || d[i] >= 0x80:
		n = record.ResultEnd(d[i:min(len(d), i+record.LongestResult)])
	case c == 'w' || c == 'b' || c == 'r' || c == 'd':
		n = record.VerdictEnd(d[i:min(len(d), i+record.LongestResult)])
	}
	if n == 0 {
		return 0
	}
	return i + n
}

// Most digits and letters are no beginning of a result. inResult are the bytes that may follow its
// first digit; second has the one, in its small form, that follows the first of its letters.
var inResult, second = beginnings()

// anyByte is the second of those that anything may follow.
const anyByte = 1

func beginnings() (inResult [256]bool, second [256]byte) {
	for _, c := range "-:/,. " {
		inResult[c] = true
	}
	for c := 0x80; c < 256; c++ {
		inResult[c] = true
	}
	for first, c := range map[byte]byte{'w': 'h', 'b': 'l', 'r': 'e', 'd': 'r'} {
		second[first], second[first&^0x20] = c, c
	}
	second[0xC2], second[0xBD] = anyByte, anyByte // a half
	return inResult, second
}
