package pgn

import (
	"bytes"

	"kifu/ingest/record"
)

// moves reads the movetext that begins at data[i], up to the end of the game: its
// result, the next game's tags, or the end of the data.
func (s *scanner) moves(i int, g *record.Game) error {
	d, n := s.data, len(s.data)
	black := blackStarts(g) // to move
	for i < n {
		c := d[i]
		switch class[c] {
		case space:
			i++
		case newline:
			i++
			if i < n && d[i] == '%' {
				i = s.lineEnd(i)
			}
		case digit:
			token := i
			v := 0
			for i < n && class[d[i]] == digit {
				if v < 1e6 {
					v = 10*v + int(d[i]-'0')
				}
				i++
			}
			if i == n {
				continue
			}
			switch {
			case d[i] == '.':
				if d[token] == '0' && i == token+1 {
					if n-token < len(halves) && s.partial {
						return errMore
					}
					if bytes.HasPrefix(d[token:], halves) {
						return s.finish(token, token+len(halves), g)
					}
				}
				dots := i
				for i < n && d[i] == '.' {
					i++
				}
				if i == n && s.partial {
					return errMore
				}
				if v == 1 && i == dots+1 && s.plies > 0 && afterBlankLine(d, token) {
					s.pos = token
					return nil
				}
			case d[i] == '-' || d[i] == '/' || d[i] >= 0x80:
				end := s.tokenEnd(token)
				if end == n && s.partial {
					return errMore
				}
				if isResult(d[token:end]) {
					return s.finish(token, end, g)
				}
				s.add(g, d[token:end])
				i = end
			}
		case letter, other:
			end := i + 1
			for end < n && !stop[d[end]] {
				end++
			}
			if end == n && s.partial {
				return errMore
			}
			if end < n && d[end] == '(' && end-i < 8 {
				// e8(Q), and not a variation
				if end+2 >= n && s.partial {
					return errMore
				}
				if end+2 < n && d[end+2] == ')' && class[d[end+1]] == letter {
					end += 3
				}
			}
			token := d[i:end]
			if k := len(token) - 2; k > 1 && (token[k] == '-' || token[k] == '/') {
				// A result may be stuck to the last move: Qg20-1.
				if r := stuckResult(token); r > 0 {
					s.add(g, token[:r])
					return s.finish(i+r, end, g)
				}
			}
			i = end
			if len(token) < 3 || c >= 0x80 || class[c] == other || c == 'e' && token[1] == '.' || c == '-' {
				if isResult(token) {
					return s.finish(i-len(token), i, g)
				}
				if !isMove(token) {
					continue
				}
			}
			s.add(g, token)
		case star:
			return s.finish(i, i+1, g)
		case brace:
			end, closed := s.commentEnd(i + 1)
			if !closed {
				if end == n && s.partial {
					return errMore
				}
				s.pos = end
				return s.fault(i, "unterminated comment", d[i:end])
			}
			if len(g.Moves) > 0 {
				comment(d[i+1:end], &g.Moves[len(g.Moves)-1], black != (s.plies&1 == 0))
			}
			i = end + 1
		case open:
			end, count, closed := s.variation(i)
			if !closed {
				if end == n && s.partial {
					return errMore
				}
				s.pos = end
				return s.fault(i, "unterminated variation", d[i:end])
			}
			g.Variations += count
			i = end
		case bracket:
			name, ok, err := s.tagName(i)
			if err != nil {
				return err
			}
			if !ok {
				if i, err = s.bracketed(i, ']'); err != nil {
					return err
				}
				continue
			}
			// Tags behind the moves belong to the game if they are new to it.
			if bytes.Equal(name, event) || repeats(g, name) {
				s.pos = i
				return nil
			}
			if i, err = s.tag(i, name, g); err != nil {
				return err
			}
		case dollar:
			i++
			for i < n && class[d[i]] == digit {
				i++
			}
		case semicolon:
			i = s.lineEnd(i)
		case angle:
			var err error
			if i, err = s.bracketed(i, '>'); err != nil {
				return err
			}
		default: // skip, percent
			i++
		}
	}
	if s.partial {
		return errMore
	}
	s.pos = n
	return nil
}

var halves = []byte("0.5-0.5")

// bracketed passes over the bracket at data[i] with what it encloses, or over the
// bracket alone if it does not close soon, on its line.
func (s *scanner) bracketed(i int, closing byte) (int, error) {
	end, err := s.within(i+1, closing)
	return max(i, end) + 1, err
}

// within returns where c stands behind data[i], on the same line and not far; -1 if it
// does not.
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

// add puts a move into g, if g is wanted and not too long.
func (s *scanner) add(g *record.Game, text []byte) {
	s.plies++
	switch n := len(g.Moves); {
	case g.Skipped || s.plies > maxPlies:
	case n < cap(g.Moves):
		g.Moves = g.Moves[:n+1]
		g.Moves[n] = record.Move{Text: text}
	default:
		g.Moves = append(g.Moves, record.Move{Text: text})
	}
}

// finish ends g with the result at data[i:end], and passes over what else stands on
// that line: comments and remarks, up to a new game.
func (s *scanner) finish(i, end int, g *record.Game) error {
	d, n := s.data, len(s.data)
	g.Result = d[i:end]
	for i = end; i < n; {
		switch class[d[i]] {
		case newline:
			s.pos = i
			return nil
		case brace:
			end, closed := s.commentEnd(i + 1)
			if !closed {
				if end == n && s.partial {
					return errMore
				}
				s.pos = end
				return nil
			}
			i = end + 1
		case semicolon:
			i = s.lineEnd(i)
		case bracket:
			_, ok, err := s.tagName(i)
			if err != nil {
				return err
			}
			if ok {
				s.pos = i
				return nil
			}
			i++
		case digit, letter, other:
			end := s.tokenEnd(i)
			if end == n && s.partial {
				return errMore
			}
			if starts(d[i:end], false) {
				s.pos = i
				return nil
			}
			i = end
		default:
			i++
		}
	}
	if s.partial {
		return errMore
	}
	s.pos = n
	return nil
}

// variation passes over the variation that opens at data[i], with those nested in it,
// and counts them.
func (s *scanner) variation(i int) (end, count int, closed bool) {
	d, n := s.data, len(s.data)
	depth := 0
	for i < n {
		switch d[i] {
		case '(':
			depth++
			count++
		case ')':
			if depth--; depth == 0 {
				return i + 1, count, true
			}
		case '{':
			end, closed := s.commentEnd(i + 1)
			if !closed {
				return end, count, false
			}
			i = end
		case ';':
			i = s.lineEnd(i)
			continue
		case '[':
			if bytes.HasPrefix(d[i:], eventLine) && i > 0 && class[d[i-1]] == newline {
				return i, count, false
			}
		case '%':
			if i > 0 && class[d[i-1]] == newline {
				i = s.lineEnd(i)
				continue
			}
		}
		i++
	}
	return n, count, false
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

// nextEventLine returns the first place at or behind d[i], i > 0, where a line begins
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
// "e.p.", "+-", a diagram's D, a novelty's N.
func isMove(token []byte) bool {
	switch string(token) {
	case "--":
		return true
	case "e.p.", "e.p", "ep", "D", "N", "\xEF\xBB\xBF":
		return false
	}
	if token[0] < 0x80 {
		return wordy(token)
	}
	// In other scripts moves still have squares, castling its dash; signs have neither.
	return bytes.ContainsAny(token, "12345678-")
}

// stuckResult returns where in a token a result begins that stands behind a move
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
