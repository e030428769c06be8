// Package csv reads games of chess that are rows of a table into record.Games: a heading names the
// columns, of which one has the moves, in SAN or UCI, or the game in PGN. columns.go has the names
// that become tags; all other columns become tags of their own names.
//
// Rows may have fields in quotes, in which lines may break. It knows syntax only; moves are read by package pgn.
package csv

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, MaxGame that of the longest row and
// MaxHeading that of the heading.
const (
	DefaultBlock = 1 << 20
	MaxGame      = 1 << 20
	MaxHeading   = 4 << 10
)

// Format returns the description of tables of games.
func Format() *record.Format {
	return &record.Format{
		Name: "CSV",
		Recognize: func(head []byte) bool {
			line, _, _ := bytes.Cut(bytes.TrimPrefix(head, mark), []byte("\n"))
			return len(line) <= MaxHeading && columnsOf(line).hasGames()
		},
		HeaderSize: MaxHeading,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return NewSplitter(r, size, from)
		},
		Whole:      true,
		NewReader:  func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag: record.TagVariant,
	}
}

var mark = []byte("\uFEFF")

// NewReader returns a reader of the stream r.
func NewReader(r io.Reader, o record.Options) *record.Stream {
	return record.NewStream(NewSplitter(r, 0, record.Start{Line: 1}), NewBlockReader(o))
}

// Splitter cuts a table into blocks of whole rows. Each block begins with a copy of the heading, so that a
// BlockReader needs nothing else; its Offset and Line are such that its rows are where they are in the stream.
type Splitter struct {
	record.Carry
	cuts    record.Cuts
	heading []byte
}

// NewSplitter cuts r into blocks of about size bytes; DefaultBlock if size is 0. r begins at from.
func NewSplitter(r io.Reader, size int, from record.Start) *Splitter {
	if size <= 0 {
		size = DefaultBlock
	}
	s := &Splitter{Carry: record.NewCarry(r, size, from.Offset, from.Line)}
	if from.Offset > 0 {
		s.heading = bytes.Clone(headingOf(from.Header))
	}
	s.cuts = record.Cuts{Max: 2 * max(size, MaxGame), TooLong: "longer than 2 MiB", Cut: s.cut, Drop: s.Drop, Skip: s.skip}
	return s
}

// headingOf returns the first line, with its break, or as much of it as a heading may have.
func headingOf(d []byte) []byte {
	return d[:lineEnd(d[:min(len(d), MaxHeading)])]
}

// lineEnd returns the length of the first line of d with its break, or of d.
func lineEnd(d []byte) int {
	if n := bytes.IndexByte(d, '\n'); n >= 0 {
		return n + 1
	}
	return len(d)
}

// Next implements record.Splitter.
func (s *Splitter) Next(b *record.Block) error {
	if s.heading == nil {
		s.Fill(MaxHeading)
		s.heading = bytes.Clone(headingOf(s.Data))
		s.Pass(len(s.heading))
	}
	if err := s.Carry.Next(b, &s.cuts); err != nil {
		return err
	}
	b.Data = append(bytes.Clone(s.heading), b.Data...)
	b.Offset, b.Line = b.Offset-int64(len(s.heading)), b.Line-1
	return nil
}

// cut returns where the last row ends that is known to end in Data.
func (s *Splitter) cut() (cut int) {
	for {
		n, _, known := rowEnd(s.Data[cut:])
		if !known {
			return cut
		}
		cut += n
	}
}

// skip goes to the next line.
func (s *Splitter) skip() (found bool) {
	n := bytes.IndexByte(s.Data, '\n') + 1
	if n == 0 {
		s.Pass(len(s.Data))
		return false
	}
	s.Pass(n)
	return true
}

// rowEnd returns the length of the row that d begins with. A quote that does not end within MaxGame, or
// with d, ends with its line, and the row is not whole. known is false if more than d is needed to tell.
func rowEnd(d []byte) (n int, whole, known bool) {
	quoted := false
	for ; n < min(len(d), MaxGame); n++ {
		switch c := d[n]; {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return n + 1, true, true
		}
	}
	if quoted || n == MaxGame {
		return lineEnd(d), false, n == MaxGame
	}
	return n, true, false
}
