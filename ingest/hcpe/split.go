package hcpe

import (
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and maxGame the number of records of
// the longest game, which bounds the memory.
const (
	DefaultBlock = 1 << 20
	maxGame      = 1 << 15
)

// Splitter cuts a stream into blocks where a game begins.
type Splitter struct {
	record.Carry
	layout *layout
	cuts   record.Cuts
}

// newSplitter cuts r into blocks of about size bytes; DefaultBlock if that is 0. r begins at
// offset of the whole stream, where a record begins.
func (l *layout) newSplitter(r io.Reader, size int, offset int64) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	size = min(max(1, size/l.size), maxGame) * l.size
	s := &Splitter{Carry: record.NewCarry(r, size, offset, 1), layout: l}
	s.cuts = record.Cuts{Max: maxGame * l.size, TooLong: "more than 32768 moves", Keep: l.size, Cut: s.cut, Drop: s.drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter. Lines are numbers of records.
func (s *Splitter) Next(b *record.Block) error {
	err := s.Carry.Next(b, &s.cuts)
	if err == nil {
		b.Line = s.number(b.Offset)
		b.EndLine = s.number(b.Offset + int64(len(b.Data)))
	}
	return err
}

func (s *Splitter) number(offset int64) int { return int(offset/int64(s.layout.size)) + 1 }

func (s *Splitter) drop(n int, reason string) error {
	err := &record.SyntaxError{Offset: s.Offset, Line: s.number(s.Offset), Reason: reason}
	s.Pass(n)
	return err
}

// cut returns the last place in Data at which a game begins, 0 without one.
func (s *Splitter) cut() int {
	size := s.layout.size
	last := len(s.Data)/size - 1
	if last < 1 {
		return 0
	}
	b, fault := s.layout.read(s.Data[last*size:])
	for i := last; i > 0; i-- {
		a, before := s.layout.read(s.Data[(i-1)*size:])
		if fault != "" || before != "" || !follows(&a, &b) {
			return i * size
		}
		b, fault = a, before
	}
	return 0
}

// skip passes over the rest of a game that was given up, of which Data begins with a record.
func (s *Splitter) skip() (found bool) {
	size := s.layout.size
	if len(s.Data) < size {
		s.Pass(len(s.Data))
		return false
	}
	a, fault := s.layout.read(s.Data)
	at := size
	for ; at+size <= len(s.Data); at += size {
		b, next := s.layout.read(s.Data[at:])
		if fault != "" || next != "" || !follows(&a, &b) {
			s.Pass(at)
			return true
		}
		a = b
	}
	if s.Err != nil {
		s.Pass(len(s.Data))
	} else {
		s.Pass(at - size)
	}
	return false
}
