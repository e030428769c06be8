package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kifu/internal/lock"
	"kifu/kit/datasettest"
)

// TestCachedTreeAtOnce: an explorer that finds its tree being made by another one waits for it.
func TestCachedTreeAtOnce(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte("[White \"Ada\"]\n\n1. e4 e5 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	steps(t, dir)("ingest", "--out", "games", "g.pgn")
	games := datasettest.Open(t, filepath.Join(dir, "games"))
	mk := newEnv(nil, nil, nil).Maker
	mk.Workers = 1
	made, err := cachedTree(context.Background(), mk, games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(made); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(made, 0o777); err != nil {
		t.Fatal(err)
	}
	release, err := lock.Take(filepath.Join(made, ".lock"))
	if err != nil {
		t.Fatal(err)
	}
	const other = 300 * time.Millisecond
	begun := time.Now()
	time.AfterFunc(other, release)
	if again, err := cachedTree(context.Background(), mk, games); err != nil || again != made {
		t.Errorf("%s, %v; want %s", again, err, made)
	}
	if waited := time.Since(begun); waited < other {
		t.Errorf("it waited %v for another explorer that took %v", waited, other)
	}
}
