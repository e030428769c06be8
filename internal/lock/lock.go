// Package lock keeps two runs of the program from writing one thing.
package lock

import (
	"errors"
	"os"
	"syscall"
)

// ErrTaken says that another process has the lock.
var ErrTaken = errors.New("locked by another process")

// Take makes the file at path the lock of this process, or returns ErrTaken. The kernel
// lets go of it when the process dies, however it dies; release removes the file too.
func Take(path string) (release func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			return nil, ErrTaken
		}
		// A release in between may have removed the file that is locked now.
		ours, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if there, err := os.Stat(path); err == nil && os.SameFile(ours, there) {
			return func() { os.Remove(path); f.Close() }, nil
		}
		f.Close()
	}
}
