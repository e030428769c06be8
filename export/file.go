package export

import (
	"compress/gzip"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"kifu/datasets"
)

// ToFile writes a file under its final name only when it is whole. What write writes is
// compressed when the name ends in .zst or .gz; equal text gives equal bytes.
func ToFile(path string, write func(w io.Writer) error) error {
	return datasets.WriteStream(path, func(w io.Writer) error {
		var c io.WriteCloser
		switch {
		case strings.HasSuffix(path, ".zst"):
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			c = z
		case strings.HasSuffix(path, ".gz"):
			c = gzip.NewWriter(w)
		default:
			return write(w)
		}
		err := write(c)
		if cerr := c.Close(); err == nil {
			err = cerr
		}
		return err
	})
}
