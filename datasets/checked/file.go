// Package checked compares the files of datasets in a directory with their checksums: in full, by the footer,
// or not again if they are unchanged since.
//
// In: what a manifest has of a file. Out: an error for a damaged one. It does not know what is in the files, but for Check of a
// Parquet file.
package checked

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kifu/internal/checksum"
)

// File is a file of the dataset with its checksum.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	// Footer is the footer of a Parquet file that has checksums of its column chunks.
	Footer Footer `json:"footer,omitzero"`
}

// Footer is the end of a Parquet file after its column chunks, as the manifest knows it.
type Footer struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Sized reports whether the file is in dir with its size.
func (f File) Sized(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, f.Name))
	return err == nil && info.Size() == f.Bytes
}

// Check compares the file in dir with its entry.
func (f File) Check(dir string) error { return f.end(dir, "its checksum", f.Bytes, f.SHA256) }

// CheckFooter compares the end of the file in dir with the manifest.
func (f File) CheckFooter(dir string) error {
	return f.end(dir, "the checksum of its footer", f.Footer.Bytes, f.Footer.SHA256)
}

// end compares the size of the file in dir, and the checksum of its last bytes, which errors call by what.
func (f File) end(dir, what string, bytes int64, want string) error {
	path := filepath.Join(dir, f.Name)
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w (the dataset is not whole: build it again with --force)", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a plain file", path) // a pipe would be waited for
	}
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if info.Size() != f.Bytes || bytes < 0 || bytes > f.Bytes {
		return fmt.Errorf("%s: damaged: %d bytes, not the manifest's %d (build it again with --force)", path, info.Size(), f.Bytes)
	}
	sum, _, err := checksum.Of(io.NewSectionReader(r, f.Bytes-bytes, bytes))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if sum != want {
		return fmt.Errorf("%s: damaged: %s is not the manifest's (build it again with --force)", path, what)
	}
	return nil
}
