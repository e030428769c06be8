package pgn

import "bytes"

// bracketed passes over the bracket at data[i] with what it encloses, or over the
// bracket alone if it does not close soon, on its line.
func (s *scanner) bracketed(i int, closing byte) (int, error) {
	end, err := s.within(i+1, closing)
	return max(i, end) + 1, err
}

// within returns the index of c after data[i], on the same line and not far; -1 without one.
func (s *scanner) within(i int, c byte) (int, error) {
	const far = 256
	d, n := s.data, len(s.data)
	for to := min(i+far, n); i < to; i++ {
		if d[i] == c {
			return i, nil
		}
		if class[d[i]] == newline {
			return -1, nil
		}
	}
	if i == n && s.partial {
		return -1, errMore
	}
	return -1, nil
}

// variation returns where the variation ends that opens at data[i]: after its bracket when closed.
func (s *scanner) variation(i int) (end int, closed bool) {
	d, n := s.data, len(s.data)
	depth := 0
	for i < n {
		switch d[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '{':
			end, closed := s.commentEnd(i + 1)
			if !closed {
				return end, false
			}
			i = end
		case ';':
			i = s.lineEnd(i)
			continue
		case '[':
			if bytes.HasPrefix(d[i:], eventLine) && i > 0 && class[d[i-1]] == newline {
				return i, false
			}
		case '%':
			if i > 0 && class[d[i-1]] == newline {
				i = s.lineEnd(i)
				continue
			}
		}
		i++
	}
	return n, false
}

// commentEnd returns where the comment whose text begins at data[i] ends: at its brace
// when closed, else at the next game's Event line or the end of the data.
func (s *scanner) commentEnd(i int) (end int, closed bool) {
	d, n := s.data, len(s.data)
	// Most comments are short and of one line.
	for j := i; j < min(i+40, n); j++ {
		if c := d[j]; c == '}' {
			return j, true
		} else if c < ' ' && class[c] == newline {
			break
		}
	}
	// In growing windows, so that a missing brace is not sought far beyond the game.
	for window := 256; ; window = min(2*window, 1<<16) {
		to := min(i+window, n)
		j := bytes.IndexByte(d[i:to], '}')
		if j >= 0 {
			to = i + j
		}
		if e := nextEventLine(d[:to], i); e >= 0 {
			return e, false
		}
		if j >= 0 {
			return to, true
		}
		if to == n {
			return n, false
		}
		i = to - len(eventLine)
	}
}

// nextEventLine returns the first place at or after d[i], i > 0, where a line begins
// with an Event tag; -1 if none does.
func nextEventLine(d []byte, i int) int {
	for {
		j := bytes.Index(d[i:], eventLine)
		if j < 0 {
			return -1
		}
		i += j
		if class[d[i-1]] == newline {
			return i
		}
		i++
	}
}
