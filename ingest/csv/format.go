// Package csv reads chess games that are rows of a table into record.Games. A heading names the
// columns. One column has the moves, in SAN or UCI, or the game in PGN. columns.go has the names
// that become tags; all other columns become tags of their own names.
//
// Rows may have fields in quotes, in which lines may break. It knows syntax only; moves are read by package pgn.
package csv

import (
	"bytes"
	"io"

	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

// maxGame and maxHeading are the lengths of the longest row and heading in bytes.
const (
	maxGame    = 1 << 20
	maxHeading = 4 << 10
)

// Format returns the description of tables of games.
func Format() *record.Format {
	return &record.Format{
		Name: "CSV",
		Recognize: func(head []byte) bool {
			line, _, _ := bytes.Cut(bytes.TrimPrefix(head, mark), []byte("\n"))
			return len(line) <= maxHeading && columnsOf(line).hasGames()
		},
		HeaderSize:  maxHeading,
		NewSplitter: newSplitter,
		Whole:       true,
		NewReader: func(o record.Options) record.BlockReader {
			return &BlockReader{keep: o.Keep, movers: pgn.NewBlockReader(record.Options{})}
		},
		VariantTag: record.TagVariant,
	}
}

var mark = []byte("\uFEFF")

// rows are the cuts of a table: whole rows.
var rows = record.Cuts{Max: 2 * maxGame, TooLong: "longer than 2 MiB", Cut: lastRow, Next: record.SecondLine}

// splitter cuts a table into blocks of whole rows. Each block begins with a copy of the heading, so a
// BlockReader needs nothing else; its Offset and Line are shifted so that rows keep their places in the
// stream.
type splitter struct {
	*record.Cutter
	heading []byte
}

// newSplitter cuts r, which begins at from, into blocks of about size bytes.
func newSplitter(r io.Reader, size int, from record.Start) record.Splitter {
	s := &splitter{Cutter: rows.Cutter(r, size, from)}
	if from.Offset > 0 {
		s.heading = bytes.Clone(headingOf(from.Header))
	}
	return s
}

// headingOf returns the first line, with its break, or as much of it as a heading may have.
func headingOf(d []byte) []byte {
	return d[:lineEnd(d[:min(len(d), maxHeading)])]
}

// lineEnd returns the length of the first line of d with its break, or of d.
func lineEnd(d []byte) int {
	if n := bytes.IndexByte(d, '\n'); n >= 0 {
		return n + 1
	}
	return len(d)
}

// Next implements record.Splitter.
func (s *splitter) Next(b *record.Block) error {
	if s.heading == nil {
		s.Fill(maxHeading)
		s.heading = bytes.Clone(headingOf(s.Data))
		s.Pass(len(s.heading))
	}
	if err := s.Cutter.Next(b); err != nil {
		return err
	}
	b.Data = append(bytes.Clone(s.heading), b.Data...)
	b.Offset, b.Line = b.Offset-int64(len(s.heading)), b.Line-1
	return nil
}

// lastRow returns where the last row ends that is known to end in d.
func lastRow(d []byte, _ bool) (end int) {
	for {
		n, _, known := rowEnd(d[end:])
		if !known {
			return end
		}
		end += n
	}
}

// rowEnd returns the length of the first row of d. A quote that does not end within maxGame, or with d,
// ends with its line, and the row is not whole. known is false if the answer needs more than d.
func rowEnd(d []byte) (n int, whole, known bool) {
	quoted := false
	for ; n < min(len(d), maxGame); n++ {
		switch c := d[n]; {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return n + 1, true, true
		}
	}
	if quoted || n == maxGame {
		return lineEnd(d), false, n == maxGame
	}
	return n, true, false
}
