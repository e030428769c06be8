package query

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kifu/internal/lock"
)

const (
	tempPrefix = "kifu-query-"
	tempLock   = "lock" // in a temporary directory: held by the process whose it is
	spillAge   = 24 * time.Hour
)

// makeTemp makes the directory for temporary files, and removes those that killed programs have
// left beside it. It is made only when something is written there, so that nearly all runs
// that are killed leave nothing.
func (db *DB) makeTemp() error {
	if db.unlock != nil {
		return nil
	}
	removeLeft(filepath.Dir(db.temp))
	var err error
	for range 3 { // another program may take it for one that is left before it is locked
		if err = os.MkdirAll(db.temp, 0o700); err != nil {
			break
		}
		if db.unlock, err = lock.Take(filepath.Join(db.temp, tempLock)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("a directory for temporary files: %w", err)
}

// removeLeft removes the temporary directories of programs that are gone: whose lock is free, or
// which have none, as DuckDB makes them when it spills, and have not changed for a day. What
// cannot be removed stays.
func removeLeft(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, d := range left {
		key := filepath.Join(d, tempLock)
		if _, err := os.Stat(key); err != nil {
			if info, err := os.Stat(d); err == nil && time.Since(info.ModTime()) > spillAge {
				_ = os.RemoveAll(d)
			}
			continue
		}
		if unlock, err := lock.Take(key); err == nil {
			unlock()
			_ = os.RemoveAll(d)
		}
	}
}
