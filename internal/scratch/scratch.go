// Package scratch makes directories for temporary files that do not outlive a killed process
// for long: whoever makes one removes those that are left.
//
// A directory NAME has a lock NAME.lock next to it, held by the process whose it is. A directory
// without a lock, as DuckDB makes it by itself when it spills, counts as left when nothing has
// changed in it for a day.
package scratch

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kifu/internal/lock"
	"kifu/internal/pattern"
)

const (
	lockSuffix = ".lock"
	age        = 24 * time.Hour
)

// named matches the directories of this package and their locks, and hardly anything else.
var named = pattern.Of(`^kifu-[a-z]+-[0-9]+-[0-9a-f]{8}(\.lock)?$`)

// Dir is a directory for temporary files, which Make makes.
type Dir struct {
	path   string
	unlock func()
}

// New names a new directory in parent, or in the system's where parent is "": of is a word
// that names its owner.
func New(parent, of string) *Dir {
	parent = cmp.Or(parent, os.TempDir())
	return &Dir{path: filepath.Join(parent, fmt.Sprintf("kifu-%s-%d-%08x", of, os.Getpid(), rand.Uint32()))}
}

// Path returns the path of the directory, which need not be there yet.
func (d *Dir) Path() string { return d.path }

// Make makes the directory unless it is there, and removes those that killed processes have
// left next to it. Directories are made when something is written there, so that nearly all
// processes that are killed leave nothing.
func (d *Dir) Make() error {
	if d.unlock != nil {
		return nil
	}
	parent := filepath.Dir(d.path)
	sweep(parent)
	err := os.MkdirAll(parent, 0o777)
	if err == nil {
		d.unlock, err = lock.TakeOwn(d.path + lockSuffix)
	}
	if err == nil {
		err = os.MkdirAll(d.path, 0o700) // it is there if DuckDB has spilled
	}
	if err != nil {
		return fmt.Errorf("a directory for temporary files: %w", err)
	}
	return nil
}

// Remove removes the directory with what is in it, if it is there.
func (d *Dir) Remove() error {
	err := os.RemoveAll(d.path)
	if d.unlock != nil {
		d.unlock()
		d.unlock = nil
	}
	return err
}

// sweep removes the directories of processes that are gone. What cannot be removed stays.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		path := filepath.Join(parent, e.Name())
		if !named().MatchString(e.Name()) {
			continue
		}
		if of, is := strings.CutSuffix(path, lockSuffix); is {
			if unlock, err := lock.Take(path); err == nil {
				_ = os.RemoveAll(of)
				unlock()
			}
		} else if _, err := os.Stat(path + lockSuffix); err != nil {
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > age {
				_ = os.RemoveAll(path)
			}
		}
	}
}
