package ingest

import (
	"io/fs"
	"os"
	"syscall"
)

// openDisk opens a file for reading as os.Open does, but does not try to have it polled: no file on a
// disk can be, and to learn that takes five calls of the system for each.
func openDisk(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
		default:
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
