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

// lookAhead is more than the scanner looks at behind the end of a game, and lookBack
// more than hard looks at before a line.
const (
	lookAhead = 256
	lookBack  = maxTagLine + 16
)

// Splitter cuts a stream of PDN into blocks.
type Splitter struct {
	record.Carry
	size int
	max  int // MaxGame, but in tests

	skipping bool // a game was given up: the next one is looked for
	scan     scanner
	game     record.Game
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a
// block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(size, MaxGame)
	s := &Splitter{Carry: record.NewCarry(r, size, offset, line), size: size, max: MaxGame}
	s.scan.keep = func(*record.Game) bool { return false } // boundaries alone
	return s
}

// Next implements record.Splitter. When the stream fails, the games before the failure
// are handed out first, then a *record.SyntaxError for the game that was cut, then the
// error.
func (s *Splitter) Next(b *record.Block) error {
	for s.skipping && s.Err == nil {
		s.Fill(len(s.Data) + s.size)
		s.skip()
	}
	for target := s.size; ; target = min(2*target, s.max) {
		s.Fill(target)
		if s.Err == io.EOF {
			if len(s.Data) == 0 {
				return io.EOF
			}
			s.Hand(b, len(s.Data))
			return nil
		}
		if cut := s.cut(); cut > 0 {
			s.Hand(b, cut)
			return nil
		}
		if s.Err != nil {
			if len(bytes.TrimSpace(s.Data)) > 0 {
				return s.drop(len(s.Data), "cut off in the middle")
			}
			return s.Err
		}
		if len(s.Data) >= s.max {
			s.skipping = true
			return s.drop(len(s.Data)-lookBack-lookAhead, "longer than 8 MiB")
		}
	}
}

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
func (s *Splitter) skip() {
	next := nextGame(s.Data, lookBack)
	switch {
	case next < len(s.Data):
		s.skipping = false
	case s.Err == nil:
		next = max(0, next-lookBack-lookAhead)
	}
	s.Pass(next)
}
