package ingest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDirectory: text files that begin with a record are read, what is passed over is counted, and a
// link that leads nowhere does not stop the rest.
func TestDirectory(t *testing.T) {
	src, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.pgn": "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n", "sub/moves.txt": "1. c4 e5 0-1\n", "games.txt": "[White \"c\"]\n[Black \"d\"]\n\n1. d4 1-0\n",
		"README.txt": "These are games:\n\n1. e4 e5 1-0\n", "list.doc": "x", ".hidden": "x", "go.txt": "(;GM[1]SZ[9];B[aa])", "go.sgf": "(;GM[1]SZ[9];B[aa])",
	} {
		write(t, filepath.Join(src, name), []byte(text))
	}
	if err := os.Symlink("nowhere", filepath.Join(src, "gone.pgn")); err != nil {
		t.Skip(err)
	}
	for _, held := range []*Held{nil, {}} {
		o := Options{Inputs: []string{src}, Games: []Game{game, goGame}, Held: held}
		if names, err := Detect(o.Games, o.Inputs, nil, false, held); err != nil || len(names) != 2 {
			t.Fatal(names, err)
		}
		m := mustBuild(t, dir, o, 3000, 50)
		if m.Counts.Written != 3 || m.Counts.Noted[noRecords] != 2 || m.Counts.Noted[deadLink] != 1 {
			t.Errorf("%d games, noted %v", m.Counts.Written, m.Counts.Noted)
		}
		dir = t.TempDir()
	}
}
