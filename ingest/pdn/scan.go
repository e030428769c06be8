package pdn

import (
	"io"

	"kifu/ingest/record"
)

// scanner reads games out of a slice that begins at the start of a game or between
// two games. It allocates nothing a game once its buffers have grown.
type scanner struct {
	data []byte
	pos  int // where the next game is looked for

	plies int // of the game
	keep  func(*record.Game) bool

	places record.Places
	texts  []byte // tag values that had escapes in them, moves that had blanks
}

// reset makes s read b.
func (s *scanner) reset(b record.Block) {
	s.data, s.pos = b.Data, 0
	s.places.Reset(b)
}

// maxPlies bounds the memory for a game's moves.
const maxPlies = 1 << 15

// next reads one game, or reports one fault, and goes past it.
func (s *scanner) next(g *record.Game) error {
	g.Reset()
	s.texts = s.texts[:0]
	i, err := s.between(s.pos)
	if err != nil {
		return err
	}
	g.Offset, g.Line = s.places.At(i)
	if s.data[i] == '[' {
		var ended bool
		i, ended = s.tags(i, g)
		if nameGame(g); ended {
			s.pos = i
			return nil
		}
	}
	if s.keep != nil && !s.keep(g) {
		g.Skipped = true
	}
	s.plies = 0
	if err := s.moves(i, g); err != nil {
		return err
	}
	g.Open = len(g.Result) == 0
	if s.plies > maxPlies {
		g.Moves = g.Moves[:0]
		return s.places.Fault(i, "more than 32768 moves", nil)
	}
	return nil
}

// between finds the start of the next game: a tag, or a move of a game without tags.
// Comments and punctuation there are passed over; words are reported.
func (s *scanner) between(i int) (int, error) {
	d, n := s.data, len(s.data)
	junk := -1
	for i < n {
		switch class[d[i]] {
		case brace:
			i, _ = commentEnd(d, i)
		case semicolon:
			i = lineEnd(d, i)
		case percent:
			if i++; atLineStart(d, i-1) {
				i = lineEnd(d, i)
			}
		case bracket:
			if isTag(d, i) {
				return s.found(junk, i)
			}
			i++
		case digit, letter:
			if starts(d, i) {
				return s.found(junk, i)
			}
			end := resultEnd(d, i)
			if end == i {
				end = wordEnd(d, i)
				if junk < 0 && string(d[i:end]) != "\xEF\xBB\xBF" {
					junk = i
				}
			}
			i = end
		default:
			i++
		}
	}
	s.pos = n
	if junk >= 0 {
		return s.found(junk, n)
	}
	return 0, io.EOF
}

// found is the start of a game at data[i], or, before it, the fault of words from
// data[junk] on that belong to no game.
func (s *scanner) found(junk, i int) (int, error) {
	if junk < 0 {
		return i, nil
	}
	s.pos = i
	return 0, s.places.Fault(junk, "text outside any game", s.data[junk:i])
}
