//go:build !linux

package source

import (
	"io"
	"os"
)

// OpenDisk opens a file for reading.
func OpenDisk(path string) (*os.File, error) { return os.Open(path) }

// ReadSmall reads what a file stores, or as much of it as buf takes.
func ReadSmall(path string, buf []byte) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err = io.ReadFull(f, buf)
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}
