package usi

import (
	"strings"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// TestLongLines: a line that is too long is given up, and the next is read.
func TestLongLines(t *testing.T) {
	text := "startpos\nstartpos moves" + strings.Repeat(" 7g7f", maxLine/5+9) + "\nstartpos moves 2g2f\n"
	got, err := recordtest.ReadAll(record.NewStream(Format(), strings.NewReader(text), record.Options{}))
	if err != nil || len(got) != 3 || !strings.HasSuffix(got[1], "! longer than 1 MiB") || !strings.Contains(got[2], " 2g2f") {
		t.Errorf("%d lines, %v: %.80q", len(got), err, got)
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f,
		"startpos moves 7g7f 3c3d resign\n\nposition sfen 9/9/9/9/9/9/9/9/9 w - 1 moves P*5e\r\nx",
	)
}

// TestRecognize: a start without moves may be one of chess.
func TestRecognize(t *testing.T) {
	for text, want := range map[string]bool{
		"position startpos moves 7g7f 3c3d\n":                    true,
		"# games\nposition startpos\nstartpos moves 7g7f 3c3d\n": true,
		"startpos moves resign\n":                                true,
		"sfen lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b - 1\n":         true,
		"position startpos\n":                                    false,
		"position startpos moves e2e4\n":                         false,
		"":                                                       false,
	} {
		if got := recognize([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
