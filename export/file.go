package export

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Compressed writes to w what write writes, compressed when the name of the file ends in .zst or .gz;
// equal text gives equal bytes.
func Compressed(name string, w io.Writer, write func(w io.Writer) error) error {
	var c io.WriteCloser
	switch {
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		c = z
	case strings.HasSuffix(name, ".gz"):
		c = gzip.NewWriter(w)
	default:
		return write(w)
	}
	err := write(c)
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	return err
}
