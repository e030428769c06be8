// Package fresh creates files under names that others can guess, in folders that may come
// from others.
//
// In: a path. Out: an open file that was not there before. It does not write through a
// symbolic link that is under that name, and does not open what is there.
package fresh

import (
	"errors"
	"io/fs"
	"os"
)

// Create is os.Create for a new file: what has the name, a symbolic link for one, is removed.
// Two processes that create one file are kept apart by package lock, not here.
func Create(path string) (*os.File, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}
