package datasets

import (
	"io"
	"os"
	"path/filepath"
)

// WriteStream is WriteFile for what does not fit into memory: write writes the content,
// and the file gets its final name when write has returned nil. A file of that name
// stays as it was until then.
func WriteStream(path string, write func(w io.Writer) error) error {
	if err := NotRemote(path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path + ".tmp")
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
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name()) // what failed before is the error to report
	}
	return err
}
