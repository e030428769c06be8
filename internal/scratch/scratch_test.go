package scratch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kifu/internal/lock"
)

// TestLeft: of temporary directories those of processes that were killed are removed when the
// next one needs its own, and none of those that run, nor what only looks like one.
func TestLeft(t *testing.T) {
	temp := t.TempDir()
	place := func(name string) string { return filepath.Join(temp, name) }
	const killed, runs, spills, spilled = "kifu-book-1-00000001", "kifu-labels-2-00000002", "kifu-query-3-00000003", "kifu-query-4-00000004"
	others := []string{"kifu-query", "kifu-games-2024", "kifu-x-2024-00000001.part"}
	for _, name := range append([]string{killed, runs, spills, spilled}, others...) {
		if err := os.Mkdir(place(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(place(name), "rows.parquet"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append([]string{killed}, others...) {
		if err := os.WriteFile(place(name)+lockSuffix, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := lock.Take(place(runs) + lockSuffix)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	old := time.Now().Add(-2 * age)
	for _, name := range []string{spilled, others[0]} {
		if err := os.Chtimes(place(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	d := New(temp, "query")
	if _, err := os.Stat(d.Path()); err == nil {
		t.Error("it is made before it is needed")
	}
	for range 2 {
		if err := d.Make(); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]bool{killed + lockSuffix: false, killed: false, runs: true, spills: true, spilled: false, filepath.Base(d.Path()): true}
	for _, name := range others {
		want[name], want[name+lockSuffix] = true, true
	}
	for name, want := range want {
		if _, err := os.Stat(place(name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if err := d.Remove(); err != nil {
		t.Error(err)
	}
	for _, left := range []string{d.Path(), d.Path() + lockSuffix} {
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s is left", left)
		}
	}
}

// TestAtOnce: processes that make their directories at once take none of each other's for one
// that is left.
func TestAtOnce(t *testing.T) {
	temp := t.TempDir()
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			for range 100 {
				d := New(temp, "query")
				if err := d.Make(); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(d.Path(), "rows"), nil, 0o600); err != nil {
					return err
				}
				if err := d.Remove(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
