package pgn

import (
	"bytes"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// moves reads the movetext that begins at data[i], up to the end of the game: its
// result, the next game's tags, or the end of the data.
func (s *scanner) moves(i int, g *record.Game) error {
	d, n := s.data, len(s.data)
	black := blackStarts(g) // to move
	for {
		if i = s.plain(i, g); i >= n {
			break
		}
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
			if c <= '1' && i+1 < n && inResult[d[i+1]] && (c == '0' || d[i+1] != '.') {
				if end, err := s.resultAt(i); end > 0 || err != nil {
					return s.end(i, end, g, err)
				}
			}
			token := i
			v := 0
			for i < n && class[d[i]] == digit {
				if v < 1e6 {
					v = 10*v + int(d[i]-'0')
				}
				i++
			}
			null := v == 0 && i-token == 4 // as UCI writes it
			next := byte('\n')
			if i < n {
				next = d[i]
			} else if s.partial {
				return errMore
			}
			switch {
			case next == '.':
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
			case next >= 0x80 && record.Blank(d[i:]) > 0:
			case next == '-' || next == '/' || next >= 0x80:
				end := s.tokenEnd(token)
				if end == n && s.partial {
					return errMore
				}
				s.add(g, d[token:end])
				i = end
			case null:
				s.add(g, d[token:i])
			case (s.plies == 0 || s.numeric) && isNumeric(d[token:i]):
				s.numeric = true
				s.add(g, d[token:i])
			case i-token > 3:
				g.Words++
			}
		case letter, other:
			if c >= 0x80 {
				if k := record.Blank(d[i:]); k > 0 {
					i += k
					continue
				}
			}
			if k := second[c]; k == anyByte || k != 0 && i+1 < n && d[i+1]|0x20 == k {
				if end, err := s.resultAt(i); end > 0 || err != nil {
					return s.end(i, end, g, err)
				}
			}
			end := i + 1
			for end < n && stop[d[end]] == 0 {
				end++
			}
			if end < n && stop[d[end]] == mayEnd {
				end = s.tokenEnd(end)
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
			if len(token) < 3 || c >= 0x80 || class[c] == other || c == 'e' && token[1] > 'h' || c == 'e' && token[1] == '.' || c == 'p' || c == '-' {
				if !isMove(token) {
					if wordy(token) {
						g.Words++
					}
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
				return s.places.Fault(i, "unterminated comment", d[i:end])
			}
			comment(g, d[i+1:end], black != (s.plies&1 == 0))
			i = end + 1
		case open:
			end, closed := s.variation(i)
			if !closed {
				if end == n && s.partial {
					return errMore
				}
				s.pos = end
				return s.places.Fault(i, "unterminated variation", d[i:end])
			}
			g.Annotate(record.Annotation{Variation: comments.Movetext(d[i+1 : end-1])})
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
			// Tags after the moves belong to the game if they are new to it.
			if bytes.Equal(name, event) || repeats(g, name) {
				s.pos = i
				return nil
			}
			if i, err = s.tag(i, name, g); err != nil {
				return err
			}
		case semicolon:
			end := s.lineEnd(i)
			comments.Remark(g, d[i+1:end])
			i = end
		case angle:
			if i+1 < n && d[i+1] == '>' {
				s.add(g, d[i:i+2]) // a null move
				i += 2
				continue
			}
			var err error
			if i, err = s.bracketed(i, '>'); err != nil {
				return err
			}
		case glyph:
			i = comments.ReadGlyph(g, d, i)
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

// resultAt is resultAt of what is read; errMore if more has to be read first.
func (s *scanner) resultAt(i int) (end int, err error) {
	if s.partial && len(s.data)-i < record.LongestResult {
		return 0, errMore
	}
	return resultAt(s.data, i), nil
}

// end ends g with the result at data[i:end], unless err prevents it.
func (s *scanner) end(i, end int, g *record.Game, err error) error {
	if err != nil {
		return err
	}
	return s.finish(i, end, g)
}

// add puts a move into g, if g is wanted and not too long.
func (s *scanner) add(g *record.Game, text []byte) {
	s.plies++
	if !g.Skipped && s.plies <= maxPlies {
		g.AddMove(text)
	}
}

// finish ends g with the result at data[i:end], and passes over the rest of that line, comments and
// remarks, up to a new game.
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
			comments.Remark(g, d[i+1:end])
			i = end + 1
		case semicolon:
			end := s.lineEnd(i)
			comments.Remark(g, d[i+1:end])
			i = end
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
			if k := record.Blank(d[i:]); k > 0 {
				i += k
				continue
			}
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
