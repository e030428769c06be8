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

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if size
// is 0. r begins at the given place of the whole stream.
func NewSplitter(r io.Reader, size int, offset int64, line int) *record.ObjectSplitter {
	if size <= 0 {
		size = DefaultBlock
	}
	return record.NewObjectSplitter(r, size, offset, line, MaxGame, "longer than 8 MiB")
}
