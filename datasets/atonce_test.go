package datasets

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// TestWriteAtOnce: of processes that write one file at the same time each writes all of it or is
// refused; nobody ever sees half of one, or a mixture.
func TestWriteAtOnce(t *testing.T) {
	for name, write := range map[string]func(path string, data []byte) error{
		"WriteFile": WriteFile,
		"WriteStream": func(path string, data []byte) error {
			err := WriteStream(path, func(w io.Writer) error {
				for part := range bytes.Lines(data) {
					if _, err := w.Write(part); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil && strings.Contains(err.Error(), "is being written by another kifu") {
				return nil
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x")
			line := func(who int) []byte { return append(bytes.Repeat([]byte{byte('a' + who)}, 99), '\n') }
			var group errgroup.Group
			for who := range 4 {
				group.Go(func() error {
					for range 50 {
						if err := write(path, bytes.Repeat(line(who), 10+who)); err != nil {
							return err
						}
						text, err := os.ReadFile(path)
						if errors.Is(err, fs.ErrNotExist) {
							continue // the first one is being written
						} else if err != nil {
							return err
						}
						if seen := bytes.IndexByte([]byte("abcd"), append(text, 0)[0]); seen < 0 || !bytes.Equal(text, bytes.Repeat(line(seen), 10+seen)) {
							return errors.New("half of a file, or of two, is seen")
						}
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}
