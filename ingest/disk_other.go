//go:build !linux

package ingest

import "os"

// openDisk opens a file for reading.
func openDisk(path string) (*os.File, error) { return os.Open(path) }
