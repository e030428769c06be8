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
	cuts record.Cuts
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
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 4 MiB", Keep: len(marker) - 1, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns where the carry can be cut, 0 or less if nowhere.
func (s *Splitter) cut() int { return bytes.LastIndex(s.Data, marker) }

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() (found bool) {
	i := bytes.Index(s.Data, marker)
	switch {
	case i >= 0:
		s.Pass(i)
	case s.Err != nil:
		s.Pass(len(s.Data))
	default:
		s.Pass(max(0, len(s.Data)-len(marker)+1))
	}
	return i >= 0
}
