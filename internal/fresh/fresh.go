// Package fresh creates files under names that others can guess, in folders that may come
// from others.
//
// In: a path. Out: an open file that was not there before. It does not write through a
// symbolic link that is under that name, and does not open what is there.
package fresh

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
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

// Of returns what writes data, for Write and Replace.
func Of(data []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Write writes a new file to the disk. One that is not whole is removed.
func Write(path string, write func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path) // what failed before is the error to report
	}
	return err
}

// Replace writes the file tmp and gives it its final name when it is whole. A file of that name stays unchanged until then.
func Replace(tmp, path string, write func(w io.Writer) error) error {
	err := Write(tmp, write)
	if err == nil {
		if err = os.Rename(tmp, path); err != nil {
			os.Remove(tmp)
		}
	}
	return err
}

// Commit writes a file unless there is one: the first writer wins.
func Commit(path string, data []byte) error {
	tmp := Temp(path)
	defer os.Remove(tmp)
	if err := Write(tmp, Of(data)); err != nil {
		return err
	}
	if err := Publish(tmp, path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Publish gives the file tmp its final name, or returns fs.ErrExist if another file has it. It uses a link,
// which no file system makes twice, or renames the file where links do not exist.
func Publish(tmp, final string) error {
	err := os.Link(tmp, final)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Stat(final); err == nil {
		return fs.ErrExist
	}
	return os.Rename(tmp, final)
}

// Temp returns a name for the file at path while it is written: another one each time,
// since two processes may write the same file.
func Temp(path string) string { return fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32()) }
