package sgf

import (
	"errors"
	"io"
	"testing"

	"kifu/ingest/record"
)

// othello reports whether a record of text is read as one of Othello.
func othello(t *testing.T, text []byte) bool {
	t.Helper()
	f := Format()
	r := NewBlockReader(record.Options{})
	r.Reset(record.Block{Data: text, Line: 1})
	var g record.Game
	for {
		err := r.Read(&g)
		var fault *record.SyntaxError
		switch {
		case err == io.EOF:
			return false
		case errors.As(err, &fault):
		case err != nil:
			t.Fatal(err)
		case f.GameOf(g.Tag(f.VariantTag)) == "othello":
			return true
		}
	}
}

// TestSureGame: what is told without reading is what the records are, and common texts are told.
func TestSureGame(t *testing.T) {
	for text, sure := range map[string]bool{
		"(;GM[1]SZ[19];B[pd])":           true,
		"(;KM[6.5]PB[A];B[pd]C[GM, M])":  true,
		"(;GaMe[1]SZ[9];B[aa])":          true,
		"(;GM\n[ 1 ]PB[\xC1\xC9];B[aa])": true,
		"":                               true,
		"(;GM[2];B[d3])":                 false,
		"(;GaMe[2];B[d3])":               false,
		"(;gGMm [2];B[d3])":              false,
		"(;GM[1][2];B[d3])":              false,
		"(;GM[1] [2];B[d3])":             false,
		"(;GM[\\2];B[d3])":               false,
		"(;GM[+2];B[d3])":                false,
		"(;GM[1];B[pd])(;GM[2];B[d3])":   false,
		"(;CA[iso-2022-jp]PB[\x1B$B%/\x1B(B\xFF]G\x1B(BM[2];B[d3])":              false,
		"(\x00;\x00G\x00M\x00[\x002\x00]\x00;\x00B\x00[\x00d\x003\x00]\x00)\x00": false,
	} {
		if got := Format().SureGame([]byte(text)); got == "go" != sure || got != "" && got != "go" {
			t.Errorf("%q: %q", text, got)
		} else if got != "" && othello(t, []byte(text)) {
			t.Errorf("%q is of Othello", text)
		}
	}
}

// FuzzSureGame: what is told for sure is not read otherwise.
func FuzzSureGame(f *testing.F) {
	f.Add([]byte("(;GM[1];B[pd])(;GaMe[2]PB[\xC1\xC9];B[d3])"))
	f.Add([]byte("(;CA[iso-2022-jp]PB[\x1B$B%/\x1B(B\xFF]G\x1B(BM[2];B[d3])"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if Format().SureGame(text) != "" && othello(t, text) {
			t.Errorf("%q", text)
		}
	})
}
