package ingest

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestOpeningOfMoves: a record that says no opening has the code of its moves, in whatever
// order; one that says it keeps what it says.
func TestOpeningOfMoves(t *testing.T) {
	dir := t.TempDir()
	in := write(t, filepath.Join(dir, "a.pgn"), []byte(`[White "a"]

1. Nf3 Nc6 2. e4 e5 3. Bb5 *

[White "b"]
[ECO "?"]

1. c4 e6 2. d4 d5 *

[White "c"]
[ECO "C44"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[White "d"]
[Opening "Spanish"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[White "e"]
[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kxe4 *

`))
	out := filepath.Join(dir, "games")
	mustBuild(t, out, Options{Inputs: []string{in}}, 0, 0)
	opening := regexp.MustCompile(`first_player="(.)"|opening="(.*?)"`)
	var got []string
	for _, row := range rowsOf(t, out) {
		line := ""
		for _, m := range opening.FindAllStringSubmatch(row, -1) {
			line += m[1] + m[2] + " "
		}
		got = append(got, line)
	}
	if want := []string{"a C60 ", "b D30 ", "c C44 ", "d Spanish ", "e "}; !slices.Equal(got, want) {
		t.Errorf("openings %q, want %q", got, want)
	}
}
