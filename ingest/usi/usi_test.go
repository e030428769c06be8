package usi

import (
	"bytes"
	"strings"
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

// TestLongLines: a line that is too long is given up, and the next is read.
func TestLongLines(t *testing.T) {
	text := "startpos\nstartpos moves" + strings.Repeat(" 7g7f", MaxGame/5+9) + "\nstartpos moves 2g2f\n"
	got, err := recordtest.ReadAll(NewReader(strings.NewReader(text), record.Options{}))
	if err != nil || len(got) != 3 || !strings.HasSuffix(got[1], "! longer than 1 MiB") || !strings.Contains(got[2], " 2g2f") {
		t.Errorf("%d lines, %v: %.80q", len(got), err, got)
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	f.Add([]byte("startpos moves 7g7f 3c3d resign\n\nposition sfen 9/9/9/9/9/9/9/9/9 w - 1 moves P*5e\r\nx"), uint16(7))
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		want, err := vectors.All(data)
		if err != nil {
			t.Fatal(err)
		}
		vectors.Same(t, data, int(size)+1, want)
	})
}
