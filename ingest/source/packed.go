package source

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// compressed are the extensions that may follow a format's own. A file's first bytes decide what it really
// is.
var compressed = []string{".zst", ".gz", ".bz2", ".xz"}

var (
	magicZstd  = []byte{0x28, 0xB5, 0x2F, 0xFD}
	magicSkip  = []byte{0x2A, 0x4D, 0x18} // from the second byte: a zstd frame to be skipped
	magicGzip  = []byte{0x1F, 0x8B}
	magicBzip2 = []byte("BZh")
	magicXz    = []byte("\xFD7zXZ\x00")
)

// maxWindow bounds the memory of the zstd and xz decoders: zstd --long asks for 128 MB, xz -9 for 64 MB.
const maxWindow = 128 << 20

// packing names how a stream that begins with head is compressed; "" if it is not.
func packing(head []byte) string {
	switch {
	case bytes.HasPrefix(head, magicZstd), len(head) > 3 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], magicSkip):
		return "zstd"
	case bytes.HasPrefix(head, magicGzip):
		return "gzip"
	case bytes.HasPrefix(head, magicBzip2):
		return "bzip2"
	case bytes.HasPrefix(head, magicXz):
		return "xz"
	}
	return ""
}

// decompress returns the content of b, decompressed if its first bytes are of a compression. A fault of the
// archive comes when it is read.
func decompress(b *bufio.Reader) (r io.Reader, packed bool, closer func()) {
	closer = func() {}
	head, _ := b.Peek(6)
	var err error
	switch packing(head) {
	case "zstd":
		var d *zstd.Decoder
		d, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err == nil {
			r, closer = d, d.Close
		}
	case "gzip":
		r, err = gzip.NewReader(b)
	case "bzip2":
		r = bzip2.NewReader(b)
	case "xz":
		r, err = xz.NewReader(b, maxWindow)
	default:
		return b, false, closer
	}
	if err != nil {
		r = failing{err} // of this archive, not of the run
	}
	return r, true, closer
}

// Unread is why a member or a whole archive is left out, though it is not damaged.
type Unread struct {
	Reason string // constant, for counting
	Detail string // may be empty
}

func (u *Unread) Error() string {
	if u.Detail == "" {
		return u.Reason
	}
	return u.Reason + ": " + u.Detail
}

// Damage returns the reason by which a fault of an archive is counted, and the line about it.
func Damage(name string, err error) (reason, line string) {
	if u, ok := errors.AsType[*Unread](err); ok {
		return u.Reason, fmt.Sprintf("%s: %v\n", name, u)
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return Damage(name, &Unread{"archive asks for too much memory", "a window above 128 MB"})
	}
	return "archive cut short or damaged", fmt.Sprintf("%s: the archive is cut short or damaged (%v): what was whole has been read\n", name, err)
}

// buffers keeps the buffers of streams that were closed for those that are opened next:
// inputs may be many and small. It is for one goroutine; a nil one keeps nothing.
type buffers struct{ free []*bufio.Reader }

// get returns a reader of r with a buffer of the size.
func (b *buffers) get(r io.Reader, size int) *bufio.Reader {
	if b != nil {
		for i, have := range b.free {
			if have.Size() == size {
				b.free = append(b.free[:i], b.free[i+1:]...)
				have.Reset(r)
				return have
			}
		}
	}
	return bufio.NewReaderSize(r, size)
}

// put takes a reader that is not used any more.
func (b *buffers) put(r *bufio.Reader) {
	const most = 8
	if b != nil && len(b.free) < most {
		r.Reset(nil)
		b.free = append(b.free, r)
	}
}

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
