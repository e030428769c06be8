package ggf

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// Format returns the description of GGF.
func Format() *record.Format {
	return &record.Format{
		Name: "GGF", Extensions: []string{".ggf"},
		Recognize: func(head []byte) bool { return bytes.Contains(head, []byte("(;GM[Othello]")) },
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return NewSplitter(r, size, from.Offset, from.Line)
		},
		Whole:      true,
		NewReader:  func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		VariantTag: record.TagVariant,
		Score:      Score,
	}
}
