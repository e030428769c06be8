package ingest

import (
	"os"
	"path/filepath"
	"testing"

	"kifu/ingest/legal"
)

// TestDirectory: texts that begin with a record are read, what is passed over is counted, and a
// link that leads nowhere does not stop the rest.
func TestDirectory(t *testing.T) {
	src, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a.pgn": "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n", "sub/moves.txt": "1. c4 e5 0-1\n", "games.txt": "[White \"c\"]\n[Black \"d\"]\n\n1. d4 1-0\n",
		"README.txt": "These are games:\n\n1. e4 e5 1-0\n", "list.doc": "x", "table.csv": "[White \"e\"]\n[Black \"f\"]\n\n1. g4 0-1\n", "settings.json": "{}", ".hidden": "x", "go.txt": "(;GM[1]SZ[9];B[aa])", "go.sgf": "(;GM[1]SZ[9];B[aa])",
	} {
		write(t, filepath.Join(src, name), []byte(text))
	}
	if err := os.Symlink("nowhere", filepath.Join(src, "gone.pgn")); err != nil {
		t.Skip(err)
	}
	for _, held := range []*Held{nil, {}} {
		o := Options{Inputs: []string{src}, Games: []legal.Game{game, goGame}, Held: held}
		if names, err := Detect(o.Games, o.Inputs, nil, false, held); err != nil || len(names) != 2 {
			t.Fatal(names, err)
		}
		m := mustBuild(t, dir, o, 3000, 50)
		if m.Counts.Written != 4 || m.Counts.Noted[noRecords] != 3 || m.Counts.Noted[deadLink] != 1 {
			t.Errorf("%d games, noted %v", m.Counts.Written, m.Counts.Noted)
		}
		dir = t.TempDir()
	}
}

// TestTextsInArchive: a member of an archive whose name may mean anything is read if it begins with a record
// of the game, also when the run begins in the middle of the archive, and the others are counted. An
// archive that is called a text is one of a directory's files without records.
func TestTextsInArchive(t *testing.T) {
	texts := map[string]string{
		"a.txt": "Read me", "b.txt": "[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n", "c.csv": "[White \"c\"]\n[Black \"d\"]\n\n1. d4 1-0\n", "d.json": "{}",
		"e.pgn": "[White \"e\"]\n[Black \"f\"]\n\n1. c4 1-0\n", "go.txt": "(;GM[1]SZ[9];B[aa])",
	}
	zipped, tarred := packed(t, texts)
	for name, archive := range map[string][]byte{"x.zip": zipped, "x.tar": tarred} {
		src := t.TempDir()
		write(t, filepath.Join(src, name), archive)
		write(t, filepath.Join(src, "zip.txt"), zipped)
		o := Options{Inputs: []string{src}, Games: []legal.Game{game, goGame}}
		m := mustBuild(t, t.TempDir(), o, 3000, 50)
		if m.Counts.Written != 3 || m.Counts.Noted["archive member that is no record file"] != 3 || m.Counts.Noted[noRecords] != 1 {
			t.Errorf("%s: %d games, noted %v", name, m.Counts.Written, m.Counts.Noted)
		}
	}
}
