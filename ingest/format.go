package ingest

import (
	"fmt"
	"io"

	"kifu/ingest/pgn"
	"kifu/ingest/record"
)

// format is a way to write records down.
type format struct {
	extensions []string // of files that are taken from a directory
	// split cuts r, which begins at the given place of its stream, into blocks; size is
	// the length wished for.
	split func(r io.Reader, size int, offset int64, line int) record.Splitter
	// reader asks keep, unless it is nil, for every game whose tags it has read.
	reader func(keep func(*record.Game) bool) record.BlockReader
}

var pgnFormat = format{
	extensions: []string{".pgn"},
	split: func(r io.Reader, size int, offset int64, line int) record.Splitter {
		return pgn.NewSplitter(r, size, offset, line)
	},
	reader: func(keep func(*record.Game) bool) record.BlockReader {
		return pgn.NewBlockReader(pgn.Options{Keep: keep})
	},
}

func formatOf(game string) (format, error) {
	if game == "chess" {
		return pgnFormat, nil
	}
	return format{}, fmt.Errorf("no record format of %s is read yet", game)
}
