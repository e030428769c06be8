package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
)

// Appending file by file gives the games that one run over all of them gives, under
// the same ids; a file that is there already, whatever its name, adds nothing.
func TestAppend(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i := range 4 {
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("%d.pgn", i)), many(30+i)))
	}
	again := write(t, filepath.Join(dir, "again.pgn"), many(31))
	whole, grown := t.TempDir(), t.TempDir()
	mustBuild(t, whole, Options{Inputs: files}, 500, 10)

	p, add := Params{Game: "chess", PartGames: 10}, datasets.Options{Append: true}
	for _, step := range []struct {
		inputs []string
		fresh  bool
	}{
		{files[:1], true}, {files[:1], false}, {files[:2], true}, {[]string{again}, false},
		{[]string{again, files[2], files[2], files[3]}, true}, {files, false},
	} {
		_, fresh, err := buildOr(t, grown, p, Options{Inputs: step.inputs}, add, 500)
		if err != nil || fresh != step.fresh {
			t.Fatalf("%v: fresh %v, %v", step.inputs, fresh, err)
		}
	}
	if !slices.Equal(rowsOf(t, grown), rowsOf(t, whole)) {
		t.Error("other games than in one run")
	}
	a, b := verified(t, grown), verified(t, whole)
	if fmt.Sprint(a.Counts) != fmt.Sprint(b.Counts) {
		t.Errorf("counts %+v, in one run %+v", a.Counts, b.Counts)
	}

	// The standard input is known only when it has been read.
	for i, want := range []bool{true, false} {
		data := append(many(5), '\n')
		_, fresh, err := buildOr(t, grown, p, Options{Inputs: []string{"-"}, Stdin: bytes.NewReader(data)}, add, 500)
		if err != nil || fresh != want {
			t.Errorf("standard input, time %d: fresh %v, %v", i, fresh, err)
		}
	}
	if n, old := len(rowsOf(t, grown)), len(rowsOf(t, whole)); n != old+5 {
		t.Errorf("%d games, want %d", n, old+5)
	}
}

// An append that is killed keeps what was there, and goes on.
func TestAppendAfterInterruption(t *testing.T) {
	dir := t.TempDir()
	a, b := write(t, filepath.Join(dir, "a.pgn"), many(20)), write(t, filepath.Join(dir, "b.pgn"), many(200))
	whole, grown := t.TempDir(), t.TempDir()
	mustBuild(t, whole, Options{Inputs: []string{a, b}}, 500, 10)
	mustBuild(t, grown, Options{Inputs: []string{a}}, 500, 10)

	p, add := Params{Game: "chess", PartGames: 10}, datasets.Options{Append: true}
	broken := errors.New("disk full")
	_, _, err := buildOr(t, grown, p, Options{Inputs: []string{b}, Log: failingLog{broken}}, add, 500)
	if !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if got := len(rowsOf(t, grown)); got != 20 {
		t.Fatalf("%d games after the failure, want 20", got)
	}
	if _, _, err := buildOr(t, grown, p, Options{Inputs: []string{b}}, add, 500); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rowsOf(t, grown), rowsOf(t, whole)) {
		t.Error("other games than in one run")
	}
	if _, err := os.Stat(filepath.Join(grown, ".tmp")); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
}

// failingLog fails when a game on a line that begins with 8 is rejected.
type failingLog struct{ err error }

func (f failingLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), ":8") {
		return 0, f.err
	}
	return len(p), nil
}

func verified(t *testing.T, dir string) *manifest.Manifest {
	t.Helper()
	d := datasettest.Open(t, dir)
	if err := d.Verify(context.Background()); err != nil {
		t.Fatal(err)
	}
	return d.Manifest
}
