// Package bounded reads texts that may be anybody's, and are no longer than what they are for needs.
package bounded

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// errLong is the error of a text that is too long.
var errLong = errors.New("too long")

// The most bytes of a kifu.toml or model.toml; of a study; of a weights.toml or a list; and of the
// tables next to a pattern file. The library of TOML takes a time that grows with the square of the
// number of keys: two seconds for 64 KiB of a study.
const (
	Settings = 16 << 10
	Study    = 64 << 10
	Weights  = 4 << 20
	Tables   = 2 << 30
)

// ReadFile reads the file at path, or returns errLong if it has more than that many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := ReadAll(f, most)
	if errors.Is(err, errLong) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return text, err
}

// ReadAll is ReadFile for what r has.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%w: want %s at most", errLong, size(most))
	}
	return text, err
}

func size(n int64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB"} {
		if n < 1<<10 {
			return fmt.Sprint(n, " ", unit)
		}
		n >>= 10
	}
	return fmt.Sprint(n, " GiB")
}
