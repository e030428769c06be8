package pgn

import (
	"bytes"

	"kifu/ingest/record"
)

// Format returns the description of PGN. A record is of chess unless its tag Variant names
// tic-tac-toe.
func Format() *record.Format {
	return &record.Format{
		Name: "PGN", Extensions: []string{".pgn"},
		NewSplitter: initial.Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		TagLine:     func(line []byte) bool { return line[0] == '[' },
		VariantTag:  record.TagVariant,
		GameOf: func(value []byte) string {
			if bytes.EqualFold(value, []byte("tictactoe")) {
				return "tictactoe"
			}
			return "chess"
		},
		GameByMoves: func(*record.Game) (string, bool) { return "chess", true },
		SureGame: func(text []byte) string {
			if bytes.Contains(text, []byte(record.TagVariant)) {
				return ""
			}
			return "chess"
		},
	}
}
