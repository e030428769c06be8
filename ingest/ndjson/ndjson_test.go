package ndjson

import (
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// TestKeep: the tags choose games.
func TestKeep(t *testing.T) {
	tested.Keep(t, `{"players":{"black":{"user":{"name":"yes"}}},"moves":"e4 e5"}`+"\n"+
		`{"players":{"black":{"user":{"name":"no"}}},"moves":"e4 e5"}`+"\n"+`{"pgn":"[Black \"yes\"]\n\n1. e4 *"}`, 2, recordtest.Skipped, 1)
}

// TestRecognise: games in JSON are told from the objects of other formats.
func TestRecognise(t *testing.T) {
	for text, want := range map[string]bool{
		`{"id":"a","variant":"standard","players":{},"moves":"e4"}`: true,
		` [{"url":"x","pgn":"1. e4 *"}]`:                            true,
		`{"games":[{"url":"x","pgn":"1. e4 *"}]}`:                   true,
		`{"header":{},"initial":{"preset":"HIRATE"},"moves":[{}]}`:  false,
		`{"name":"kifu","version":"1"}`:                             false,
		"[Event \"pgn\"]\n":                                         false,
		"":                                                          false,
	} {
		if got := recognize([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f,
		`{"games":[{"pgn":"[White \"a\"]\n\n1. e4 *"},`+"\r\n"+`{"moves":"e4 e5","clocks":[1]}]}x`,
		"{\"a\n{\"moves\":\"e4\"}\n}]\n{",
	)
}
