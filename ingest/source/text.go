package source

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// mostText bounds a text file, in bytes.
const mostText = 1 << 30

// ReadText returns the contents of a file, decompressed if its first bytes are of gzip, zstd, bzip2 or xz.
func ReadText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, _, closer := decompress(bufio.NewReader(f))
	defer closer()
	text, err := io.ReadAll(io.LimitReader(r, mostText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case len(text) > mostText:
		return nil, fmt.Errorf("%s: more than %d MB of text", path, mostText>>20)
	}
	return text, nil
}
