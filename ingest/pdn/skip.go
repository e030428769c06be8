package pdn

import "bytes"

// maxTrailing is how many blanks after a line are looked through, and maxTagLine how
// far back the beginning of a line is sought.
const (
	maxTrailing = 64
	maxTagLine  = 512
)

// hard reports whether a game begins with the bracket at d[i] whatever went before it:
// it is a tag, first on its line, and the line above is no tag, which begins with one
// or ends in "]". d begins at the start of a game or between games.
func hard(d []byte, i int) bool {
	if i > 0 && class[d[i-1]] != newline || !isTag(d, i) {
		return false
	}
	if i == 0 {
		return true
	}
	i--
	if d[i] == '\n' && i > 0 && d[i-1] == '\r' {
		i--
	}
	above := i
	for first := i - maxTagLine; above > 0 && above > first && class[d[above-1]] != newline; {
		above--
	}
	for first := i - maxTrailing; i > above && i > first && class[d[i-1]] == space; {
		i--
	}
	return i == above || d[i-1] != ']' && (d[above] != '[' || !isTag(d, above))
}

// commentEnd returns where the comment at d[i] ends: after its brace if closed, else where
// the next game begins.
func commentEnd(d []byte, i int) (end int, closed bool) {
	// In growing windows, so that a missing brace is not sought far beyond the game.
	for from, window := i, 256; ; window *= 2 {
		to := min(i+window, len(d))
		j := bytes.IndexByte(d[from:to], '}')
		if j >= 0 {
			to = from + j
		}
		for k := from; k < to; k++ {
			b := bytes.IndexByte(d[k:to], '[')
			if b < 0 {
				break
			}
			if k += b; hard(d, k) {
				return k, false
			}
		}
		if j >= 0 {
			return to + 1, true
		}
		if to == len(d) {
			return to, false
		}
		from = to
	}
}

// variation returns where the variation ends that opens at d[i]: after its bracket when closed.
func variation(d []byte, i int) (end int, closed bool) {
	depth := 0
	for i < len(d) {
		switch d[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '{':
			if end, closed = commentEnd(d, i); !closed {
				return end, false
			}
			i = end
			continue
		case ';':
			i = lineEnd(d, i)
			continue
		case '[':
			if hard(d, i) {
				return i, false
			}
		}
		i++
	}
	return i, false
}
