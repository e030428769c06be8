package sgf

import (
	"strings"
	"testing"

	"kifu/ingest/record"
)

func TestScore(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
		ok   bool
	}{
		{"(;GM[1]SZ[9]RE[B+3.5];B[aa])", 350, true},
		{"(;GM[1]SZ[9]RE[W+0.25];B[aa])", -25, true},
		{"(;GM[1]SZ[9]RE[W+R];B[aa])", 0, false},
		{"(;GM[1]SZ[9];B[aa])", 0, false},
		{"(;GM[2]SZ[8]RE[B+12];B[dc])", 0, false},
	} {
		var g record.Game
		if err := record.NewStream(Format(), strings.NewReader(c.text), record.Options{}).Read(&g); err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if score, ok := Score(&g); score != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.text, score, ok, c.want, c.ok)
		}
	}
}
