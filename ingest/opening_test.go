package ingest

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"kifu/games/shogi"
	"kifu/ingest/csa"
	"kifu/ingest/legal"
	"kifu/ingest/record"
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
	if got, want := openings(t, out), []string{"a C60 ", "b D30 ", "c C44 ", "d Spanish ", "e "}; !slices.Equal(got, want) {
		t.Errorf("openings %q, want %q", got, want)
	}
}

// TestOpeningOfPositions: a game of Shogi that names no opening has the name that most of its positions from ply 16 on show, a
// short game has none.
func TestOpeningOfPositions(t *testing.T) {
	const fourthFile = "+7776FU\n-3334FU\n+6766FU\n-8384FU\n+2868HI\n-8485FU\n+8877KA\n-7162GI\n+3938GI\n-5142OU\n+5948OU\n-4232OU\n+4839OU\n-6152KI\n+3928OU\n"
	out, _ := ingestGame(t, legal.Bind[shogi.Position](shogi.Rules{}, []*record.Format{csa.Format()}), Params{}, map[string]string{"a.csa": "N+a\nPI\n+\n" + fourthFile + "-9394FU\n+9796FU\n-5354FU\n+6858HI\n-6364FU\n%TORYO\n/\nN+b\nPI\n+\n" + fourthFile + "%TORYO\n/\nN+c\n$OPENING:矢倉\nPI\n+\n" + fourthFile + "-9394FU\n+9796FU\n%TORYO\n"})
	if got, want := openings(t, out), []string{"a 四間飛車 ", "b ", "c 矢倉 "}; !slices.Equal(got, want) {
		t.Errorf("openings %q, want %q", got, want)
	}
}

// openings returns the first player and the opening of each game.
func openings(t *testing.T, games string) (all []string) {
	opening := regexp.MustCompile(`first_player="(.)"|opening="(.*?)"`)
	for _, row := range rowsOf(t, games) {
		line := ""
		for _, m := range opening.FindAllStringSubmatch(row, -1) {
			line += m[1] + m[2] + " "
		}
		all = append(all, line)
	}
	return all
}
