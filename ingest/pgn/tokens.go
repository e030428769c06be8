package pgn

import "bytes"

var halves = []byte("0.5-0.5")

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

// isMove tells moves from the other things that annotators write between moves:
// "e.p.", "en passant", "+-", a diagram's D, a novelty's N.
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

// stuckResult returns where in a token a result begins that stands after a move
// without a space; 0 if none does.
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
	switch string(token) {
	case "1-0", "0-1", "1/2-1/2", "*", "1/2", "½-½", "½", "\xBD-\xBD", "\xBD", "0.5-0.5", "1–0", "0–1", "½–½", "1/2–1/2":
		return true
	}
	return false
}
