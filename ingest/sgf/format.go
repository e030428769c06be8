package sgf

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// Format returns the description of SGF. Its tag Variant has the size of the board, which
// is two numbers in Go (19x19) and one in Othello (8).
func Format() *record.Format {
	return &record.Format{
		Name: "SGF", Extensions: []string{".sgf"},
		Recognize: func(head []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(head), []byte("(;")) },
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return NewSplitter(r, size, from.Offset, from.Line)
		},
		NewReader:  func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag: record.TagVariant,
		GameOf: func(value []byte) string {
			if bytes.IndexByte(value, 'x') > 0 {
				return "go"
			}
			return "othello"
		},
		GameByMoves: func(*record.Game) string { return "go" },
		Score:       Score,
		AgreedScore: true,
	}
}
