package pdn

import (
	"bytes"
	"strings"

	"kifu/ingest/record"
	"kifu/ingest/record/comments"
)

// moves reads the movetext that begins at data[i], up to the end of the game: its
// result, the next game's tags, or the end of the data.
func (s *scanner) moves(i int, g *record.Game) error {
	d, n := s.data, len(s.data)
	for i < n {
		switch class[d[i]] {
		case digit, letter:
			if end, blanks := moveEnd(d, i); end > i {
				if result := resultEnd(d, i); result > i {
					return s.finish(i, result, g)
				}
				if s.statesResult(i, end, g) {
					return s.finish(i, end, g)
				}
				s.add(g, d[i:end], blanks)
				i = end
				if i < n && d[i] == '*' { // "15-19*", the only move
					i++
				}
				continue
			}
			end, done, err := s.word(i, g)
			if done || err != nil {
				return err
			}
			i = end
		case brace:
			end, closed := commentEnd(d, i)
			if !closed {
				s.pos = end
				return s.places.Fault(i, "unterminated comment", d[i:end])
			}
			comments.Read(g, d[i+1:end-1], comments.Commands)
			i = end
		case open:
			end, closed := variation(d, i)
			if !closed {
				s.pos = end
				return s.places.Fault(i, "unterminated variation", d[i:end])
			}
			if text := comments.Movetext(d[i+1 : end-1]); text != "" && strings.Trim(text, "!?") == "" {
				g.Annotate(record.Annotation{Glyph: comments.Glyph([]byte(text))}) // (!?)
			} else {
				g.Annotate(record.Annotation{Variation: text})
			}
			i = end
		case bracket:
			if isTag(d, i) {
				s.pos = i
				return nil
			}
			i++
		case slash:
			end, err := s.setup(i, g)
			if err != nil {
				return err
			}
			i = end
		case star:
			return s.finish(i, i+1, g)
		case hyphen:
			if i++; i < n && d[i] == '-' {
				s.add(g, d[i-1:i+1], false) // "--", a null move
				i++
			} else if standsForMove(d, i-1) {
				s.add(g, nullMove, false)
			}
		case semicolon:
			end := lineEnd(d, i)
			comments.Remark(g, d[i+1:end])
			i = end
		case percent:
			if i++; atLineStart(d, i-1) {
				i = lineEnd(d, i)
			}
		case glyph:
			i = comments.ReadGlyph(g, d, i)
		default:
			i++
		}
	}
	s.pos = n
	return nil
}

// nullMove is the move for a hyphen in place of a move, as in "1. - - 2. - -".
var nullMove = []byte("--")

// standsForMove reports whether the hyphen at d[i] is in a move's place: by itself, after a move number or
// after another such hyphen. Others are remarks.
func standsForMove(d []byte, i int) bool {
	blank := func(c byte) bool { return class[c] == space || class[c] == newline }
	if i+1 < len(d) && !blank(d[i+1]) {
		return false
	}
	before := i
	for before > 0 && blank(d[before-1]) {
		before--
	}
	return before > 0 && (d[before-1] == '.' || d[before-1] == '-' && before < i)
}

// statesResult reports whether d[i:end], which looks like a move, is the result: it ends the movetext, and
// the tag has the same ("4-6", points of a match).
func (s *scanner) statesResult(i, end int, g *record.Game) bool {
	if string(bytes.TrimSpace(g.Tag(record.TagResult))) != string(s.data[i:end]) {
		return false
	}
	for end < len(s.data) && (class[s.data[end]] == space || class[s.data[end]] == newline) {
		end++
	}
	return end == len(s.data) || class[s.data[end]] == bracket && isTag(s.data, end)
}

// word reads a token that begins with a letter or a digit and is no move: a move number, a result, four
// digits that are two squares, or a word. A word with digits takes a move's place, so that the rules reject
// it; others are remarks.
func (s *scanner) word(i int, g *record.Game) (next int, done bool, err error) {
	d, n := s.data, len(s.data)
	if end := resultEnd(d, i); end > i {
		return 0, true, s.finish(i, end, g)
	}
	end := i
	for end < n && class[d[end]] == digit {
		end++
	}
	if end > i && end < n && d[end] == '.' {
		single := end+1 == n || d[end+1] != '.'
		if string(d[i:end]) == "1" && single && s.plies > 0 && afterBlankLine(d, i) {
			s.pos = i
			return 0, true, nil
		}
		return end + 1, false, nil
	}
	number := end > i && (end == n || class[d[end]] != letter)
	if !number {
		end = wordEnd(d, i)
	}
	if number && end-i == 4 || !number && bytes.ContainsAny(d[i:end], "0123456789") {
		s.add(g, d[i:end], false)
	} else {
		g.Words++
	}
	return end, false, nil
}

// add puts a move into g, without the blanks in it, if g is wanted and not too long. A
// capture from the square on which the one before it ended is the same man going on, in
// records that write every jump for itself: the two become one move.
func (s *scanner) add(g *record.Game, text []byte, blanks bool) {
	if blanks {
		from := len(s.texts)
		for _, c := range text {
			if c != ' ' {
				s.texts = append(s.texts, c)
			}
		}
		text = s.texts[from:len(s.texts):len(s.texts)]
	}
	if n := len(g.Moves); n > 0 && goesOn(g.Moves[n-1].Text, text) {
		from := len(s.texts)
		s.texts = append(append(s.texts, g.Moves[n-1].Text...), text[squareEnd(text, 0):]...)
		g.Moves[n-1].Text = s.texts[from:len(s.texts):len(s.texts)]
		return
	}
	s.plies++
	if !g.Skipped && s.plies <= maxPlies {
		g.AddMove(text)
	}
}

// goesOn reports whether both moves are captures, and next begins where last ended.
func goesOn(last, next []byte) bool {
	k := squareEnd(next, 0)
	if k == 0 || k == len(next) || next[k] == '-' {
		return false
	}
	before := len(last) - k - 1
	return before > 0 && last[before] != '-' && isSeparator(last[before]) && bytes.Equal(last[before+1:], next[:k])
}

// setup reads a position between slashes, a syntax of PDN 3.0: before the first move it is the start of the
// game, like a FEN tag.
func (s *scanner) setup(i int, g *record.Game) (next int, err error) {
	d := s.data
	end := bytes.IndexByte(d[i+1:lineEnd(d, i)], '/')
	if end < 0 {
		return i + 1, nil
	}
	end += i + 1
	if s.plies > 0 {
		s.pos = initial().First(d, end)
		return 0, s.places.Fault(i, "position set up in the middle of a game", d[i:end+1])
	}
	if g.Tag(record.TagFEN) == nil {
		record.AddTag(g, []byte(record.TagFEN), bytes.TrimSpace(d[i+1:end]))
	}
	return end + 1, nil
}

// finish ends g with the result at data[i:end], and passes over the rest of that line, comments and
// remarks, up to a new game.
func (s *scanner) finish(i, end int, g *record.Game) error {
	d, n := s.data, len(s.data)
	g.Result = d[i:end]
	for i = end; i < n && class[d[i]] != newline; {
		switch class[d[i]] {
		case brace:
			from, closed := i+1, false
			if i, closed = commentEnd(d, i); closed {
				comments.Remark(g, d[from:i-1])
			}
		case semicolon:
			end := lineEnd(d, i)
			comments.Remark(g, d[i+1:end])
			i = end
		case bracket:
			if isTag(d, i) {
				s.pos = i
				return nil
			}
			i++
		case digit, letter:
			if starts(d, i) {
				s.pos = i
				return nil
			}
			i = wordEnd(d, i)
		default:
			i++
		}
	}
	s.pos = i
	return nil
}
