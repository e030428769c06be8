// Package ndjson reads games of chess that are objects of JSON into record.Games: an object a
// line, as lichess exports them, or objects in an array, as in the monthly archives of chess.com.
// It knows syntax only; texts in PGN, which objects may have, are read by package pgn.
//
// An object with a member pgn is that game. In others the tags are those of the game's PGN at
// lichess, and clocks and analysis become the clocks and values of moves.
package ndjson

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// DefaultBlock is the usual size of a block in bytes, and MaxGame the size of the longest game.
const (
	DefaultBlock = 2 << 20
	MaxGame      = 8 << 20
)

// Format returns the description of games in JSON.
func Format() *record.Format {
	return &record.Format{
		Name: "JSON", Extensions: []string{".ndjson", ".jsonl"},
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

// NewSplitter cuts r into blocks of about size bytes, at most MaxGame; DefaultBlock if size
// is 0. r begins at the given place of the whole stream.
func NewSplitter(r io.Reader, size int, offset int64, line int) *record.ObjectSplitter {
	if size <= 0 {
		size = DefaultBlock
	}
	return record.NewObjectSplitter(r, size, offset, line, MaxGame, "longer than 8 MiB")
}

// recognize reports whether head begins with objects that have a game in PGN, or players and moves.
func recognize(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\uFEFF")), " \t\r\n")
	if head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("[")), " \t\r\n"); !bytes.HasPrefix(head, []byte("{")) {
		return false
	}
	has := func(member string) bool { return bytes.Contains(head, []byte(`"`+member+`"`)) }
	return has("pgn") || has("players") && has("moves") && has("variant")
}
