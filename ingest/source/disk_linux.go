package source

import (
	"io/fs"
	"os"
	"syscall"
)

// OpenDisk opens a file for reading as os.Open does, but does not try to have it polled: no file on a
// disk can be, and to learn that takes five calls of the system for each.
func OpenDisk(path string) (*os.File, error) {
	fd, err := openFD(path)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

func openFD(path string) (fd int, err error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		switch err {
		case nil:
			return fd, nil
		case syscall.EINTR:
		default:
			return 0, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// ReadSmall reads what a file stores, or as much of it as buf takes, in three calls of the system.
func ReadSmall(path string, buf []byte) (n int, err error) {
	fd, err := openFD(path)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(fd)
	for {
		n, err := syscall.Read(fd, buf)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
