package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kifu/internal/lock"
)

const (
	tempPrefix = "kifu-query-"
	tempLock   = ".lock" // beside a temporary directory: held by the process whose it is
	spillAge   = 24 * time.Hour
)

// makeTemp makes the directory for temporary files, and removes those that killed programs have
// left beside it. It is made only when something is written there, so that nearly all runs
// that are killed leave nothing.
func (db *DB) makeTemp() error {
	if db.unlock != nil {
		return nil
	}
	dir := filepath.Dir(db.temp)
	removeLeft(dir)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		db.unlock, err = lock.TakeOwn(db.temp + tempLock)
	}
	if err == nil {
		err = os.MkdirAll(db.temp, 0o700) // it is there if DuckDB has spilled
	}
	if err != nil {
		return fmt.Errorf("a directory for temporary files: %w", err)
	}
	return nil
}

// removeLeft removes the temporary directories of programs that are gone: whose lock is free, or
// which have none, as DuckDB makes them when it spills, and have not changed for a day. What
// cannot be removed stays.
func removeLeft(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, d := range left {
		if of, is := strings.CutSuffix(d, tempLock); is {
			if unlock, err := lock.Take(d); err == nil {
				_ = os.RemoveAll(of)
				unlock()
			}
		} else if _, err := os.Stat(d + tempLock); err != nil {
			if info, err := os.Stat(d); err == nil && time.Since(info.ModTime()) > spillAge {
				_ = os.RemoveAll(d)
			}
		}
	}
}
