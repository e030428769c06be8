package kif

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

// Splitter cuts a stream of KIF into blocks, always where a game begins for sure.
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
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: 8, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns the last place in Data at which a game begins for sure, 0 if there is none.
// What may be cut off at the end is not looked at.
func (s *Splitter) cut() int {
	for end := max(len(s.Data)-s.cuts.Keep, 0); ; {
		i := bytes.LastIndexByte(s.Data[:end], '#')
		if i <= 0 || begins(s.Data, i) {
			return max(i, 0)
		}
		end = i
	}
}

// skip looks for the next game after one that was given up.
func (s *Splitter) skip() (found bool) {
	for i := 1; i < len(s.Data)-s.cuts.Keep; i++ {
		n := bytes.IndexByte(s.Data[i:], '#')
		if n < 0 {
			break
		}
		if i += n; i < len(s.Data)-s.cuts.Keep && begins(s.Data, i) {
			s.Pass(i)
			return true
		}
	}
	if s.Err != nil {
		s.Pass(len(s.Data))
	} else {
		s.Pass(max(0, len(s.Data)-2*s.cuts.Keep))
	}
	return false
}

// begins reports whether a game begins for sure with the # at d[i], i > 0: with a line
// #KIF, or with a line # --- after one that has no # itself. # is in no character of
// two bytes.
func begins(d []byte, i int) bool {
	if d[i-1] != '\n' {
		return false
	}
	if bytes.HasPrefix(d[i:], []byte("#KIF ")) {
		return true
	}
	if !bytes.HasPrefix(d[i:], []byte("# --")) {
		return false
	}
	before := bytes.LastIndexByte(d[:i-1], '\n') + 1
	return d[before] != '#'
}
