package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzDamage: whatever stands in the place of game 1, the rows of game 0 and of game 3
// and those after it are what they ever were, but for their numbers and places.
func FuzzDamage(f *testing.F) {
	const before = "[Event \"0\"]\n\n1. e4 {[%eval 0.3]} e5 1-0\n\n"
	const after = "[Event \"2\"]\n[White \"w\"]\n\n1. c4 (1. b4) c5 *\n\n[Event \"3\"]\n[White \"w\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {d} Kd7 0-1\n\n[Event \"4\"]\n\n1. Sf3 Sf6 2. g3 {[%clk 0:01:00]} g6 3. Lg2 1/2-1/2\n"
	games := func(t testing.TB, text string) []string {
		j := parseText(t, text, 64, Params{KeepPrefix: true})
		var lines []string
		for row := range j.rows.Rows {
			_, text, _ := strings.Cut(rowText(j.rows.Batch, row, " "), " game=") // after game_id
			where := strings.Index(text, " source_offset=")
			lines = append(lines, text[:where]+text[where+1+strings.IndexByte(text[where+1:], ' '):])
		}
		return lines
	}
	want := games(f, before+after)
	if len(want) != 4 || !strings.Contains(want[3], "draw") {
		f.Fatalf("%q", want)
	}
	files, err := filepath.Glob("pgn/testdata/vectors/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "\n-----\n")
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := games(t, before+text+after)
		if n := len(got); n < 3 || got[0] != want[0] || got[n-2] != want[2] || got[n-1] != want[3] {
			t.Fatalf("got\n%s\nwant at its ends\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
