package csa

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest
// game, with what stands before the next one: it bounds the memory.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// Splitter cuts a stream of CSA into blocks, always where a game begins that takes
// nothing from the one before.
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
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: 2, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns the last place in Data at which a game begins, 0 if there is none.
func (s *Splitter) cut() int {
	for end := len(s.Data); ; {
		i := bytes.LastIndexByte(s.Data[:end], 'V')
		if i <= 0 || begins(s.Data, i) {
			return max(i, 0)
		}
		end = i
	}
}

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() (found bool) {
	for i := 1; i < len(s.Data); i++ {
		n := bytes.IndexByte(s.Data[i:], 'V')
		if n < 0 {
			break
		}
		if i += n; begins(s.Data, i) {
			s.Pass(i)
			return true
		}
	}
	if s.Err != nil {
		s.Pass(len(s.Data))
	} else {
		s.Pass(max(0, len(s.Data)-s.cuts.Keep))
	}
	return false
}

// begins reports whether a line with the version begins at d[i].
func begins(d []byte, i int) bool {
	return (d[i-1] == '\n' || d[i-1] == '\r') && version(d[i:])
}
