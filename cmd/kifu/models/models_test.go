package models

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/players"
)

// TestCandidatesInBrackets: models are found in a directory whose name is a pattern, too.
func TestCandidatesInBrackets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "models [old]")
	if err := os.MkdirAll(filepath.Join(dir, "one"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "one", players.File), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	mk := command.New(nil, io.Discard, io.Discard, nil).Maker
	if _, err := Candidates(mk, command.Game{}, dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "one")+" is not a dataset") {
		t.Errorf("%v, want that the model is no dataset", err)
	}
}
