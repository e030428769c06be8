// Package ndjson reads games of chess that are objects of JSON into record.Games: an object a
// line, as lichess exports them, or objects in an array, as in the monthly archives of chess.com.
// It knows syntax only; texts in PGN, which objects may have, are read by package pgn.
//
// An object's member pgn is the game, if it has one. In others the tags are those of the game's PGN at
// lichess, and clocks and analysis become the clocks and values of moves.
package ndjson

import (
	"bytes"

	"kifu/ingest/record"
)

// Format returns the description of games in JSON.
func Format() *record.Format {
	return &record.Format{
		Name: "JSON", Extensions: []string{".ndjson", ".jsonl"},
		Recognize:   recognize,
		NewSplitter: record.ObjectCuts(8<<20, "longer than 8 MiB").Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag:  record.TagVariant,
	}
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
