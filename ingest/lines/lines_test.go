package lines

import (
	"bytes"
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

func tested(read reading) recordtest.Format {
	return recordtest.NewFormat(format("", nil, read))
}

// either reads lines of both formats.
func either(g *record.Game, line []byte, keep func(*record.Game) bool) string {
	if word, _ := record.NextWord(line); len(word) > 5 && isSquare(bytes.ToLower(word)) {
		return readTranscript(g, line, keep)
	}
	return readMoves(g, line, keep)
}

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested(either).Run(t) }

// TestRecognise: lines of moves are told from each other and from other text.
func TestRecognise(t *testing.T) {
	for text, want := range map[string]string{
		"e2e4 e7e5 g1f3\n":                    "moves",
		"e4 e5 Nf3\nd4 d5\n":                  "moves",
		"1. e4 e5 2. Nf3\n1. d4 d5 0-1\n":     "moves",
		"# openings\n\n1.e4 e5\n1.d4 d5\n":    "moves",
		"position startpos moves e2e4\n":      "moves",
		"startpos moves e2e4\n":               "moves",
		"position startpos moves 7g7f 3c3d\n": "",
		"position startpos\n":                 "",
		"startpos\nstartpos moves e2e4\n":     "moves",
		"1. e4 e5 2. Nf3\n":                   "",
		"1. e4 e5\n2. Nf3 Nc6 1-0\n":          "",
		"1. e4 e5\n\n2. Nf3 Nc6 1-0\n":        "",
		"e4 e5 Nf3\nNc6 Bb5\n":                "",
		"f5d6c3d3c4\nf5f6e6d6\n":              "transcripts",
		"F5D6C3D3C4 +12\n":                    "transcripts",
		"f5d6c3d3c4, 38-26\n":                 "transcripts",
		"f5 d6 c3 d3 c4\nE6 F4 C3 C4\n":       "transcripts",
		"f5 d6 c3 +12\n":                      "transcripts",
		"f5 d6\n":                             "",
		"c4 e3 f4 c5 d6\n":                    "moves",
		"c4 e3 f6 e6 f5 c5 f4 g6 f7 d3 e2 f3 c6 d6 b5 b4 c3 c2 g5 h5\n": "movestranscripts",
		"f5f5f5\n":                          "",
		"c4d4 e5\n":                         "",
		"[Event \"?\"]\n\ne4 e5\n":          "",
		"hello world\n":                     "",
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n": "",
		"(;GM[1])":                          "",
		"32-28 19-23\n":                     "",
		"":                                  "",
	} {
		got := ""
		if Moves().Recognize([]byte(text)) {
			got = "moves"
		}
		if Transcripts().Recognize([]byte(text)) {
			got += "transcripts"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestKeep: without tags the filter sees none.
func TestKeep(t *testing.T) {
	for _, text := range []string{"e4 e5\n", "f5d6c3\n"} {
		var g record.Game
		r := blockReader(record.Options{Keep: func(g *record.Game) bool { return false }}, either)
		r.Reset(record.Block{Data: []byte(text), Line: 1})
		if err := r.Read(&g); err != nil || !g.Skipped || len(g.Moves) > 0 {
			t.Errorf("%q: %v, skipped %v, %d moves", text, err, g.Skipped, len(g.Moves))
		}
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested(either).FuzzBlocks(f, "e4 e5 1-0\r\n\nf5d6c3 38-26\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2\nx")
}
