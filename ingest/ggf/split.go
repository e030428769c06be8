package ggf

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game, with what stands before the next one: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 4 << 20
)

var marker = []byte("(;GM[")

// Splitter cuts a stream of GGF into blocks, always where a game begins.
type Splitter struct {
	r        io.Reader
	size     int
	max      int    // MaxGame, but in tests
	carry    []byte // read, but not handed out
	offset   int64  // of carry
	line     int
	skipping bool  // a game was given up: the next one is looked for
	err      error // of r
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a
// block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	return &Splitter{r: r, size: min(size, MaxGame), max: MaxGame, offset: offset, line: line}
}

// Next implements record.Splitter. When the stream fails, the games before the failure
// are handed out first, then a *record.SyntaxError for the game that was cut, then the
// error.
func (s *Splitter) Next(b *record.Block) error {
	for s.skipping {
		s.fill(len(s.carry) + s.size)
		i := bytes.Index(s.carry, marker)
		switch {
		case i >= 0:
			s.pass(i)
			s.skipping = false
		case s.err != nil:
			s.pass(len(s.carry))
			s.skipping = false
		default:
			s.pass(max(0, len(s.carry)-len(marker)+1))
		}
	}
	for target := s.size; ; target = min(2*target, s.max) {
		s.fill(target)
		switch i := bytes.LastIndex(s.carry, marker); {
		case s.err == io.EOF && len(s.carry) == 0:
			return io.EOF
		case s.err == io.EOF:
			s.hand(b, len(s.carry))
			return nil
		case i > 0:
			s.hand(b, i)
			return nil
		case s.err != nil && len(bytes.TrimSpace(s.carry)) > 0:
			return s.drop(len(s.carry), "cut off in the middle")
		case s.err != nil:
			return s.err
		case len(s.carry) >= s.max:
			s.skipping = true
			return s.drop(len(s.carry)-len(marker)+1, "longer than 4 MiB")
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

// hand gives the first n bytes of the carry out, memory and all: the block's old memory
// is the new carry, and only the rest is copied.
func (s *Splitter) hand(b *record.Block, n int) {
	rest := append(b.Data[:0], s.carry[n:]...)
	b.Data, b.Offset, b.Line = s.carry[:n], s.offset, s.line
	s.offset += int64(n)
	s.line += bytes.Count(b.Data, newline)
	b.EndLine = s.line
	s.carry = rest
}

// drop gives up the first n bytes of the carry.
func (s *Splitter) drop(n int, reason string) error {
	err := &record.SyntaxError{Offset: s.offset, Line: s.line, Reason: reason}
	s.pass(n)
	return err
}

// pass moves n bytes on.
func (s *Splitter) pass(n int) {
	s.offset += int64(n)
	s.line += bytes.Count(s.carry[:n], newline)
	s.carry = append(s.carry[:0], s.carry[n:]...)
}

var newline = []byte("\n")
