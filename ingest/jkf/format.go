// Package jkf reads games of Shogi in JKF, the JSON Kifu Format of programs for the web, into
// record.Games. A stream holds one object a game, one after the other. It knows syntax only:
// start positions are handed out as SFEN, moves in USI, as CSA has them, or in Japanese where
// a move names no square that it comes from.
//
// Of the moves the main line is read, and forks are counted. Times are passed over.
package jkf

import (
	"bytes"

	"kifu/ingest/record"
)

// Format returns the description of JKF.
func Format() *record.Format {
	return &record.Format{
		Name: "JKF", Extensions: []string{".jkf"},
		Recognize:   recognize,
		NewSplitter: record.ObjectCuts(8<<20, "longer than 8 MiB").Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag:  record.TagVariant,
	}
}

var mark = []byte("\uFEFF")

// recognize reports whether head begins with an object that has a header or a start, and
// moves.
func recognize(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"moves"`)) &&
		(bytes.Contains(head, []byte(`"header"`)) || bytes.Contains(head, []byte(`"initial"`)))
}
