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
	r      io.Reader
	size   int
	max    int    // MaxGame, but in tests
	carry  []byte // read, but not handed out
	offset int64  // of carry
	line   int
	err    error // of r

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
	s := &Splitter{r: r, size: min(size, MaxGame), max: MaxGame, offset: offset, line: line}
	s.scan.keep = func(*record.Game) bool { return false } // boundaries alone
	return s
}

// Next implements record.Splitter. When the stream fails, the games before the failure
// are handed out first, then a *record.SyntaxError for the game that was cut, then the
// error.
func (s *Splitter) Next(b *record.Block) error {
	for s.skipping && s.err == nil {
		s.fill(len(s.carry) + s.size)
		s.skip()
	}
	for target := s.size; ; target = min(2*target, s.max) {
		s.fill(target)
		if s.err == io.EOF {
			if len(s.carry) == 0 {
				return io.EOF
			}
			s.hand(b, len(s.carry))
			return nil
		}
		if cut := s.cut(); cut > 0 {
			s.hand(b, cut)
			return nil
		}
		if s.err != nil {
			if len(bytes.TrimSpace(s.carry)) > 0 {
				return s.drop(len(s.carry), "cut off in the middle")
			}
			return s.err
		}
		if len(s.carry) >= s.max {
			s.skipping = true
			return s.drop(len(s.carry)-lookBack-lookAhead, "longer than 8 MiB")
		}
	}
}

// fill reads until the carry has target bytes or the stream ends.
func (s *Splitter) fill(target int) {
	if cap(s.carry) < target {
		s.carry = append(make([]byte, 0, target), s.carry...)
	}
	for len(s.carry) < target && s.err == nil {
		n, err := s.r.Read(s.carry[len(s.carry):target])
		s.carry, s.err = s.carry[:len(s.carry)+n], err
	}
}

// cut returns where the carry can be cut, 0 if nowhere. A tag whose quote has not been
// read yet is not seen, and need not be.
func (s *Splitter) cut() int {
	for end := len(s.carry); ; {
		i := bytes.LastIndexByte(s.carry[:end], '[')
		if i <= 0 {
			break
		}
		if hard(s.carry, i) {
			return i
		}
		end = i
	}
	s.scan.reset(record.Block{Data: s.carry})
	for cut := 0; ; {
		err := s.scan.next(&s.game)
		if err == io.EOF || s.scan.pos > len(s.carry)-lookAhead {
			return cut
		}
		cut = s.scan.pos
	}
}

// hand gives the first n bytes of the carry out.
func (s *Splitter) hand(b *record.Block, n int) {
	out := b.Data[:0]
	rest := s.carry[n:]
	if cap(out) < s.size {
		out = make([]byte, 0, s.size)
	}
	// The carry's memory goes out with the block, and the block's old one is the new
	// carry: only the rest is copied.
	b.Data, b.Offset, b.Line = s.carry[:n], s.offset, s.line
	s.line += breaks(b.Data, rest)
	b.EndLine = s.line
	s.offset += int64(n)
	s.carry = append(out, rest...)
}

// drop gives up the first n bytes of the carry.
func (s *Splitter) drop(n int, reason string) error {
	s.scan.reset(record.Block{Data: s.carry, Offset: s.offset, Line: s.line})
	text := bytes.TrimLeft(s.carry, " \t\r\n")
	err := s.scan.fault(len(s.carry)-len(text), reason, text)
	s.forget(n)
	return err
}

// forget moves the first n bytes of the carry away.
func (s *Splitter) forget(n int) {
	s.line += breaks(s.carry[:n], s.carry[n:])
	s.offset += int64(n)
	s.carry = append(s.carry[:0], s.carry[n:]...)
}

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() {
	next := nextGame(s.carry, lookBack)
	switch {
	case next < len(s.carry):
		s.skipping = false
	case s.err == nil:
		next = max(0, next-lookBack-lookAhead)
	}
	s.forget(next)
}
