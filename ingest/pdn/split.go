package pdn

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// The cuts of a stream.
//
// A line that begins with a tag and does not follow another tag's line, nor one ending
// in "]", begins a game, whatever went before it: an open comment or variation ends
// there, as the game that it belongs to is damaged. The scanner keeps that rule in
// every one of its states, so a splitter may cut at any such line without knowing the
// state, and blocks read one by one give the games of the stream read at once. The
// price is a comment in which somebody quoted a game with its tags at the start of
// lines, or a tag section with a blank line in it: they end there.
//
// A stretch without such a line (games without tags) is cut where the scanner itself,
// started at the block's known beginning, has found the end of a game, well before the
// end of what has been read: so far it never looks ahead.

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game that is read: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// lookAhead is more than the scanner looks at after the end of a game, and lookBack
// more than hard looks at before a line.
const (
	lookAhead = 256
	lookBack  = maxTagLine + 16
)

// Splitter cuts a stream of PDN into blocks.
type Splitter struct {
	record.Carry
	cuts record.Cuts
	scan scanner
	game record.Game
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a
// block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(size, MaxGame)
	s := &Splitter{Carry: record.NewCarry(r, size, offset, line)}
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: lookBack + lookAhead, Cut: s.cut, Drop: s.drop, Skip: s.skip}
	s.scan.keep = func(*record.Game) bool { return false } // boundaries alone
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns where the carry can be cut, 0 if nowhere. A tag whose quote has not been
// read yet is not seen, and need not be.
func (s *Splitter) cut() int {
	for end := len(s.Data); ; {
		i := bytes.LastIndexByte(s.Data[:end], '[')
		if i <= 0 {
			break
		}
		if hard(s.Data, i) {
			return i
		}
		end = i
	}
	s.scan.reset(record.Block{Data: s.Data})
	for cut := 0; ; {
		err := s.scan.next(&s.game)
		if err == io.EOF || s.scan.pos > len(s.Data)-lookAhead {
			return cut
		}
		cut = s.scan.pos
	}
}

// drop gives up the first n bytes of the carry.
func (s *Splitter) drop(n int, reason string) error {
	s.scan.reset(record.Block{Data: s.Data, Offset: s.Offset, Line: s.Line})
	text := bytes.TrimLeft(s.Data, " \t\r\n")
	err := s.scan.fault(len(s.Data)-len(text), reason, text)
	s.Pass(n)
	return err
}

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() (found bool) {
	next := nextGame(s.Data, lookBack)
	if found = next < len(s.Data); !found && s.Err == nil {
		next = max(0, next-lookBack-lookAhead)
	}
	s.Pass(next)
	return found
}
