package pgn

import (
	"bytes"
	"errors"
	"io"

	"kifu/ingest/record"
)

// errMore: the data ends before the game is known to end.
var errMore = errors.New("the game continues after the data")

// scanner reads games out of a slice that begins at the start of a game or between
// two games. It allocates nothing a game once its buffers have grown.
type scanner struct {
	data []byte
	pos  int // where the next game is looked for

	plies   int  // of the game
	numeric bool // its moves are numbers, as ICCF has them
	partial bool // data may end within a game: errMore instead of guessing
	keep    func(*record.Game) bool

	places record.Places
	values []byte // tag values that had escapes in them
}

// reset makes s read b.
func (s *scanner) reset(b record.Block, partial bool) {
	s.data, s.pos, s.partial = b.Data, 0, partial
	s.places.Reset(b)
}

// next reads one game, or reports one fault, and goes past it.
func (s *scanner) next(g *record.Game) error {
	g.Reset()
	s.values = s.values[:0]
	i, err := s.between(s.pos)
	if err != nil {
		return err
	}
	g.Offset, g.Line = s.places.At(i)
	ended := false // with its tags
	if s.data[i] == '[' {
		if i, ended, err = s.tags(i, g); err != nil {
			return err
		}
	}
	if s.keep != nil && !s.keep(g) {
		g.Skipped = true
	}
	if ended {
		return nil
	}
	s.plies, s.numeric = 0, false
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

// maxPlies bounds the memory for a game's moves. No game of chess can last so long.
const maxPlies = 1 << 15

// between finds the start of the next game: a tag, or a move of a game without tags.
// Comments and punctuation there are passed over; words are reported.
func (s *scanner) between(i int) (int, error) {
	d, n := s.data, len(s.data)
	junk := -1
	for i < n {
		c := d[i]
		switch class[c] {
		case space:
			i++
		case newline:
			i++
		case brace:
			end, closed := s.commentEnd(i + 1)
			if !closed && end == n && s.partial {
				return 0, errMore
			}
			i = end
			if closed {
				i++
			}
		case semicolon:
			i = s.lineEnd(i)
		case percent:
			if i > 0 && class[d[i-1]] != newline {
				i++
				continue
			}
			i = s.lineEnd(i)
		case bracket:
			_, ok, err := s.tagName(i)
			if err != nil {
				return 0, err
			}
			if ok {
				if junk >= 0 {
					return 0, s.stray(junk, i)
				}
				return i, nil
			}
			i++
		case digit, letter, other:
			if k := record.Blank(d[i:]); k > 0 {
				i += k
				continue
			}
			end := s.tokenEnd(i)
			if end == n && s.partial {
				return 0, errMore
			}
			if starts(d[i:end], atLineStart(d, i)) {
				if junk >= 0 {
					return 0, s.stray(junk, i)
				}
				return i, nil
			}
			if junk < 0 && wordy(d[i:end]) && !isResult(d[i:end]) {
				junk = i
			}
			i = end
		default:
			i++
		}
	}
	if s.partial {
		return 0, errMore
	}
	if junk >= 0 {
		return 0, s.stray(junk, n)
	}
	s.pos = n
	return 0, io.EOF
}

// stray reports the words between two games and goes on at end.
func (s *scanner) stray(junk, end int) error {
	s.pos = end
	return s.places.Fault(junk, "text outside any game", s.data[junk:end])
}

// starts reports whether a token begins a game that has no tags: a move number with
// its dot, or at the start of a line a move.
func starts(token []byte, lineStart bool) bool {
	i := 0
	for i < len(token) && class[token[i]] == digit {
		i++
	}
	if i > 0 && i < len(token) && token[i] == '.' {
		return len(token) == i+1 || class[token[i+1]] != digit
	}
	if !lineStart || i > 0 || len(token) < 2 || len(token) > 8 {
		return false
	}
	for _, c := range token {
		if bytes.IndexByte(moveBytes, c) < 0 {
			return false
		}
		if class[c] == digit {
			i++
		}
	}
	return i > 0 || bytes.HasPrefix(token, []byte("O-O"))
}

var moveBytes = []byte("abcdefghKQRBNOx12345678-=+#")

// wordy reports whether a token has a letter or a digit.
func wordy(token []byte) bool {
	for _, c := range token {
		if class[c] == digit || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return true
		}
	}
	// A letter of another script, but neither a byte order mark nor a lone byte.
	return len(token) > 1 && token[0] >= 0x80 && token[0] != 0xEF
}
