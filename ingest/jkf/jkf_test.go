package jkf

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
		return recordtest.ReadBlocks(NewSplitter(bytes.NewReader(data), size, 0, 1), NewBlockReader(record.Options{}))
	},
}

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { vectors.Run(t) }

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"header\":{},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}\n{ [1"), uint16(7))
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		want, err := vectors.All(data)
		if err != nil {
			t.Fatal(err)
		}
		vectors.Same(t, data, int(size)+1, want)
	})
}
