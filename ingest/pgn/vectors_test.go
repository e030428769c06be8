package pgn

import (
	"bytes"
	"testing"

	"kifu/ingest/record"
	"kifu/ingest/record/recordtest"
)

var vectors = recordtest.Vectors{
	Decode: recordtest.Unescape,
	All: func(data []byte) ([]string, error) {
		return recordtest.ReadAll(NewReader(bytes.NewReader(data), record.Options{}))
	},
	Split: func(data []byte, size int) ([]string, error) {
		return readBlocks(NewSplitter(bytes.NewReader(data), size, 0, 1))
	},
}

// readBlocks reads the blocks that s cuts.
func readBlocks(s record.Splitter) (lines []string, err error) {
	return recordtest.ReadBlocks(s, NewBlockReader(record.Options{}))
}

func TestVectors(t *testing.T) { vectors.Run(t) }
