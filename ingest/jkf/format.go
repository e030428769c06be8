// Package jkf reads games of Shogi in JKF, the JSON Kifu Format of programs for the web, into
// record.Games. A stream holds one object a game, one after the other. It knows syntax only:
// start positions are handed out as SFEN, moves in USI, as CSA has them, or in Japanese where
// a move names no square that it comes from.
//
// Of the moves the main line is read, and forks are counted. Times are passed over.
package jkf

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame that of the longest game.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// Format returns the description of JKF.
func Format() *record.Format {
	return &record.Format{
		Name: "JKF", Extensions: []string{".jkf"},
		Recognize: recognize,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return NewSplitter(r, size, from.Offset, from.Line)
		},
		Whole:      true,
		NewReader:  func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag: record.TagVariant,
	}
}

// NewReader returns a reader of the stream r.
func NewReader(r io.Reader, o record.Options) *record.Stream {
	return record.NewStream(NewSplitter(r, 0, 0, 1), NewBlockReader(o))
}

var mark = []byte("\uFEFF")

// recognize reports whether head begins with an object that has a header or a start, and
// moves.
func recognize(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"moves"`)) &&
		(bytes.Contains(head, []byte(`"header"`)) || bytes.Contains(head, []byte(`"initial"`)))
}

// Splitter cuts a stream into blocks of whole objects.
type Splitter struct {
	record.Carry
	cuts record.Cuts
}

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if size
// is 0. r begins at the given place of the whole stream.
func NewSplitter(r io.Reader, size int, offset int64, line int) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	s := &Splitter{Carry: record.NewCarry(r, min(size, MaxGame), offset, line)}
	s.cuts = record.Cuts{Max: MaxGame, TooLong: "longer than 8 MiB", Keep: 1, Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error { return s.Carry.Next(b, &s.cuts) }

// cut returns where the last line begins that begins with an object, after what Read takes
// before it: whole objects, and what is none up to such a line.
func (s *Splitter) cut() (cut int) {
	for at := 0; ; {
		d := bytes.TrimLeft(s.Data[at:], between)
		if at = len(s.Data) - len(d); at > 0 && bytes.HasPrefix(s.Data[at-1:], nextObject) {
			cut = at
		}
		n, ok := object(d)
		if len(d) > 0 && d[0] != '{' {
			n = bytes.Index(d, nextObject) + 1
			ok = n > 0
		}
		if !ok {
			return cut
		}
		at += n
	}
}

// skip goes to the next line that begins with an object.
func (s *Splitter) skip() (found bool) {
	if n := bytes.Index(s.Data, nextObject); n >= 0 {
		s.Pass(n + 1)
		return true
	}
	s.Pass(max(0, len(s.Data)-1))
	return false
}

var nextObject = []byte("\n{")

// between holds the bytes that may stand between objects.
const between = " \t\r\n,"

// object returns the length of what d begins with up to the end of the first object in it;
// ok is false if none ends there.
func object(d []byte) (n int, ok bool) {
	depth := 0
	for i := 0; i < len(d); i++ {
		switch d[i] {
		case '"':
			if depth == 0 {
				break
			}
			for i++; i < len(d) && d[i] != '"'; i++ {
				if d[i] == '\\' {
					i++
				}
			}
		case '{':
			depth++
		case '[':
			if depth > 0 {
				depth++
			}
		case '}', ']':
			if depth == 0 {
				break
			}
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(d), false
}
