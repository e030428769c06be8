package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kifu/datasets/remote"
	"kifu/internal/fresh"
	"kifu/internal/lock"
)

// WriteFile writes a file under its final name only when it is whole, with the directories
// above it. It waits while another process does.
func WriteFile(path string, data []byte) error { return writeAlone(path, lock.TakeOwn, fresh.Of(data)) }

// WriteStream is WriteFile for content that does not fit into memory. write writes it, and the file
// gets its final name when write has returned nil. A file of that name stays unchanged until then.
// It is an error if another process writes the file.
func WriteStream(path string, write func(w io.Writer) error) error {
	err := writeAlone(path, lock.Take, write)
	if errors.Is(err, lock.ErrTaken) {
		return fmt.Errorf("%s is being written by another kifu", path)
	}
	return err
}

// writeAlone writes the file at path.tmp, while it has the lock next to it, and renames it. What a
// killed process left of it is written over.
func writeAlone(path string, take func(string) (func(), error), write func(w io.Writer) error) error {
	if err := remote.Refuse(path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp := path + ".tmp"
	unlock, err := take(tmp + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	return fresh.Replace(tmp, path, write)
}
