package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kifu/datasets"
	"kifu/schemas"
)

// buildWhile ingests in and does something between the keys and the reading, or while it is
// read: after the first game is logged.
func buildWhile(t *testing.T, dir, in string, held *Held, between func()) error {
	t.Helper()
	o, p := Options{Inputs: []string{in}, Seen: &Seen{}, Held: held}, Params{Game: "chess"}
	keys, err := InputKeys(t.Context(), game, p, o)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = datasets.Build(t.Context(), dir, datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: p, InputKeys: keys,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			between()
			return Run(ctx, game, p, o, out)
		},
	}, datasets.Options{})
	return err
}

// A file that is written after its key was taken is an error that names it, and leaves
// nothing; left alone, or with another file beside it, it is read.
func TestChangedInput(t *testing.T) {
	long := many(50)
	for name, change := range map[string]func(path string) error{
		"longer":  func(path string) error { return os.WriteFile(path, append(many(50), many(1)...), 0o666) },
		"shorter": func(path string) error { return os.Truncate(path, int64(len(long)/2)) },
		"touched": func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"2", long, 0o666), os.Rename(path+"2", path))
		},
		"": func(path string) error { return os.WriteFile(path+"2", long, 0o666) },
	} {
		for _, held := range []*Held{nil, {}} {
			dir, in := filepath.Join(t.TempDir(), "games"), write(t, filepath.Join(t.TempDir(), "a.pgn"), long)
			err := buildWhile(t, dir, in, held, func() {
				if err := change(in); err != nil {
					t.Fatal(err)
				}
			})
			if errors.Is(err, datasets.ErrChanged) != (name != "") {
				t.Errorf("%s, held %v: %v", name, held != nil, err)
			}
			if _, err := os.Stat(dir); name != "" && err == nil {
				t.Errorf("%s, held %v: something is left", name, held != nil)
			}
		}
	}
}

// What changes while its key is taken is told, too.
func TestChangedWhileHashed(t *testing.T) {
	in := write(t, filepath.Join(t.TempDir(), "a.pgn"), many(5))
	before, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	write(t, in, many(6))
	after, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := unchanged(in, before, after); !errors.Is(err, datasets.ErrChanged) {
		t.Error(err)
	}
	if err := unchanged(in, after, after); err != nil {
		t.Error(err)
	}
}

// TestAddedInput: a file that comes into a directory after the keys were taken is not read: the
// key of the dataset does not know it.
func TestAddedInput(t *testing.T) {
	dir, in := filepath.Join(t.TempDir(), "games"), t.TempDir()
	write(t, filepath.Join(in, "b.pgn"), many(3))
	if err := buildWhile(t, dir, in, nil, func() { write(t, filepath.Join(in, "a.pgn"), many(5)) }); err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Open(dir)
	if err != nil || d.Rows() != 3 {
		t.Errorf("%v, %v", d.Rows(), err)
	}
}
