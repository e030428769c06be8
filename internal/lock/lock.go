// Package lock keeps two processes from writing the same files at once.
//
// The lock is github.com/gofrs/flock's: flock(2) on Unix, LockFileEx on Windows.
// What is added here: the lock file is removed when the lock is released, and a lock on
// a file that was removed in between is not taken for one.
package lock

import (
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"kifu/internal/fresh"
)

// ErrTaken is returned when another process holds the lock.
var ErrTaken = errors.New("locked by another process")

// Take locks the file at path, which is created if it does not exist, for this process,
// or returns ErrTaken. The kernel releases the lock when the process ends, however it
// ends; release removes the file too. Errors of the file system are package os's.
func Take(path string) (release func(), err error) {
	l, err := hold(path, (*flock.Flock).TryLock)
	if err != nil {
		return nil, err
	}
	return func() { remove(path, l) }, nil
}

// patience is how long TakeOwn and Share wait for one who only looks.
const patience = 10 * time.Second

// TakeOwn is Take for a file that only this process uses, among files that others take when
// they look for locks of processes that are gone: it waits until they have seen that this one
// is not. After ten seconds that is ErrTaken.
func TakeOwn(path string) (release func(), err error) {
	err = wait(func() error {
		release, err = Take(path)
		return err
	})
	return release, err
}

// wait tries again until the lock is free, for as long as its patience lasts.
func wait(try func() error) error {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if err := try(); !errors.Is(err, ErrTaken) || time.Now().After(end) {
			return err
		}
	}
}

// Share locks the file at path together with others who share it, or returns ErrTaken if
// another process has had it by Take for ten seconds: one that shares it has it alone for a moment,
// too, when it looks whether it is the last. The last one's release removes the file.
func Share(path string) (release func(), err error) {
	var l *flock.Flock
	err = wait(func() error {
		l, err = hold(path, (*flock.Flock).TryRLock)
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() {
		if alone, err := l.TryLock(); err == nil && alone {
			remove(path, l)
			return
		}
		l.Close()
	}, nil
}

// hold opens and locks the file at path.
func hold(path string, try func(*flock.Flock) (bool, error)) (*flock.Flock, error) {
	for {
		l := flock.New(path, flock.SetPermissions(0o666), flock.SetFlag(os.O_CREATE|os.O_RDWR|fresh.NoFollow))
		got, err := try(l)
		if err != nil || !got {
			l.Close()
			if err == nil {
				err = ErrTaken
			}
			return nil, err
		}
		// A release between the opening and the locking may have removed the file.
		ours, err := l.Stat()
		if err != nil {
			l.Close()
			return nil, err
		}
		if there, err := os.Stat(path); err == nil && os.SameFile(ours, there) {
			return l, nil
		}
		l.Close()
	}
}

// remove removes the file while it is locked, so that no process locks a file without a
// name unnoticed. Windows removes no open file: there the lock is released first, and a
// file that another process has opened since then stays.
func remove(path string, l *flock.Flock) {
	if runtime.GOOS != "windows" {
		os.Remove(path)
	}
	l.Close()
	if runtime.GOOS == "windows" {
		os.Remove(path)
	}
}
