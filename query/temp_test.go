package query

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kifu/internal/lock"
)

// TestRemoveLeft: of temporary directories those of programs that were killed are removed when
// the next one needs its own, and none of those that run.
func TestRemoveLeft(t *testing.T) {
	temp := t.TempDir()
	place := func(name string) string { return filepath.Join(temp, name) }
	for _, name := range []string{"kifu-query-1-killed", "kifu-query-2-runs", "kifu-query-3-spills", "kifu-query-4-spilled", "other"} {
		if err := os.Mkdir(place(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(place(name), "rows.parquet"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(place("kifu-query-1-killed")+tempLock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock.Take(place("kifu-query-2-runs") + tempLock)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	old := time.Now().Add(-2 * spillAge)
	if err := os.Chtimes(place("kifu-query-4-spilled"), old, old); err != nil {
		t.Fatal(err)
	}
	db, err := Open(context.Background(), Options{TempDir: temp, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.makeTemp(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"kifu-query-1-killed" + tempLock: false, "kifu-query-1-killed": false, "kifu-query-2-runs": true, "kifu-query-3-spills": true, "kifu-query-4-spilled": false,
		"other": true, filepath.Base(db.temp): true} {
		if _, err := os.Stat(place(name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	own := db.temp
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(own); err == nil {
		t.Errorf("%s is left", own)
	}
	if _, err := os.Stat(own + tempLock); err == nil {
		t.Errorf("the lock of %s is left", own)
	}
}

// TestTempAtOnce: programs that make their directories at once take none of each other's for one
// that is left.
func TestTempAtOnce(t *testing.T) {
	temp := t.TempDir()
	var group errgroup.Group
	for who := range 8 {
		group.Go(func() error {
			for i := range 100 {
				db := &DB{temp: filepath.Join(temp, fmt.Sprintf(tempPrefix+"%d-%d", who, i))}
				if err := db.makeTemp(); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(db.temp, "rows"), nil, 0o600); err != nil {
					return err
				}
				if err := os.RemoveAll(db.temp); err != nil {
					return err
				}
				db.unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}
