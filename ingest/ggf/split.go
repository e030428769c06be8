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
	record.Carry
	size     int
	max      int  // MaxGame, but in tests
	skipping bool // a game was given up: the next one is looked for
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if
// size is 0. r begins at the given place of the whole stream: 0 and line 1, or where a
// block ended.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(size, MaxGame)
	return &Splitter{Carry: record.NewCarry(r, size, offset, line), size: size, max: MaxGame}
}

// Next implements record.Splitter. When the stream fails, the games before the failure
// are handed out first, then a *record.SyntaxError for the game that was cut, then the
// error.
func (s *Splitter) Next(b *record.Block) error {
	for s.skipping {
		s.Fill(len(s.Data) + s.size)
		i := bytes.Index(s.Data, marker)
		switch {
		case i >= 0:
			s.Pass(i)
			s.skipping = false
		case s.Err != nil:
			s.Pass(len(s.Data))
			s.skipping = false
		default:
			s.Pass(max(0, len(s.Data)-len(marker)+1))
		}
	}
	for target := s.size; ; target = min(2*target, s.max) {
		s.Fill(target)
		switch i := bytes.LastIndex(s.Data, marker); {
		case s.Err == io.EOF && len(s.Data) == 0:
			return io.EOF
		case s.Err == io.EOF:
			s.Hand(b, len(s.Data))
			return nil
		case i > 0:
			s.Hand(b, i)
			return nil
		case s.Err != nil && len(bytes.TrimSpace(s.Data)) > 0:
			return s.drop(len(s.Data), "cut off in the middle")
		case s.Err != nil:
			return s.Err
		case len(s.Data) >= s.max:
			s.skipping = true
			return s.drop(len(s.Data)-len(marker)+1, "longer than 4 MiB")
		}
	}
}

// drop gives up the first n bytes of the carry.
func (s *Splitter) drop(n int, reason string) error {
	err := &record.SyntaxError{Offset: s.Offset, Line: s.Line, Reason: reason}
	s.Pass(n)
	return err
}
