package wthor

import (
	"bytes"
	"io"

	"kifu/ingest/record"
)

// The extensions of the files of names that WTHOR keeps for all its files of games.
const (
	playersExtension     = ".jou"
	tournamentsExtension = ".trn"
)

// Format returns the description of WTHOR, read without files of names.
func Format() *record.Format { return format(nil) }

func format(names *Names) *record.Format {
	return &record.Format{
		Name: "WTHOR", Extensions: []string{".wtb"},
		Recognize: func(head []byte) bool {
			return bytes.IndexByte(head[:min(len(head), HeaderSize)], 0) >= 0 && Recognize(head)
		},
		HeaderSize: HeaderSize,
		NewSplitter: func(r io.Reader, size int, from record.Start) record.Splitter {
			return NewSplitter(r, size, from.Offset, from.Header)
		},
		NewReader:       func(o record.Options) record.BlockReader { return NewBlockReader(o, names) },
		Charset:         "windows-1252",
		VariantTag:      record.TagVariant,
		Score:           Score,
		TableExtensions: []string{playersExtension, tournamentsExtension},
		WithTables: func(tables map[string]io.Reader) (*record.Format, error) {
			names, err := ReadNames(tables[playersExtension], tables[tournamentsExtension])
			if err != nil {
				return nil, err
			}
			return format(names), nil
		},
	}
}
