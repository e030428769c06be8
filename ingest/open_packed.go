package ingest

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// compressed are the extensions that may follow a format's own. What a file really is
// its first bytes say.
var compressed = []string{".zst", ".gz", ".bz2", ".xz"}

var (
	magicZstd  = []byte{0x28, 0xB5, 0x2F, 0xFD}
	magicSkip  = []byte{0x2A, 0x4D, 0x18} // from the second byte: a zstd frame to be skipped
	magicGzip  = []byte{0x1F, 0x8B}
	magicBzip2 = []byte("BZh")
	magicXz    = []byte("\xFD7zXZ\x00")
)

// maxWindow bounds the memory of the zstd decoder and that of xz: zstd --long asks for
// 128 MB, xz -9 for 64 MB.
const maxWindow = 128 << 20

// decompress returns what b holds, decompressed if its first bytes say that it is
// compressed. A fault of the archive comes when it is read.
func decompress(b *bufio.Reader) (r io.Reader, packed bool, closer func()) {
	closer = func() {}
	head, _ := b.Peek(6)
	var err error
	switch {
	case bytes.HasPrefix(head, magicZstd), len(head) > 3 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], magicSkip):
		var d *zstd.Decoder
		d, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err == nil {
			r, closer = d, d.Close
		}
	case bytes.HasPrefix(head, magicGzip):
		r, err = gzip.NewReader(b)
	case bytes.HasPrefix(head, magicBzip2):
		r = bzip2.NewReader(b)
	case bytes.HasPrefix(head, magicXz):
		if err = checkXz(b); err == nil {
			r, err = xz.NewReader(b)
		}
	default:
		return b, false, closer
	}
	if err != nil {
		r = failing{err} // of this archive, not of the run
	}
	return r, true, closer
}

// checkXz refuses an xz stream that asks for too much memory, by the header of its
// first block (the .xz file format 1.2.1, sections 2.1.1, 3.1 and 5.3.1).
func checkXz(b *bufio.Reader) error {
	const streamHeader = 12
	head, err := b.Peek(streamHeader + 2)
	if err != nil {
		return err
	}
	length := 4 * (int(head[streamHeader]) + 1)
	flags := head[streamHeader+1]
	if length == 4 {
		return nil // no block, but the index
	}
	if head, err = b.Peek(streamHeader + length); err != nil {
		return err
	}
	rest := head[streamHeader+2:]
	for _, present := range []byte{0x40, 0x80} { // the sizes, compressed and not
		for more := flags&present != 0; more && len(rest) > 0; rest = rest[1:] {
			more = rest[0]&0x80 != 0
		}
	}
	const lzma2 = 0x21
	if len(rest) < 3 || rest[0] != lzma2 || rest[1] != 1 {
		return nil // the decoder says what it is
	}
	bits := int(rest[2] & 0x3F)
	if size := int64(2|bits&1) << (bits/2 + 11); size > maxWindow {
		return &unread{"archive asks for too much memory", fmt.Sprintf("a dictionary of %d MB", size>>20)}
	}
	return nil
}

// unread is why a member or a whole archive is left out, though it is not damaged.
type unread struct {
	reason string // constant, for counting
	detail string // may be empty
}

func (u *unread) Error() string {
	if u.detail == "" {
		return u.reason
	}
	return u.reason + ": " + u.detail
}

// damage says what a fault of an archive is counted as, and what is said about it.
func damage(name string, err error) (reason, line string) {
	var u *unread
	if errors.As(err, &u) {
		return u.reason, fmt.Sprintf("%s: %v\n", name, u)
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return damage(name, &unread{"archive asks for too much memory", "a window above 128 MB"})
	}
	return "archive cut short or damaged", fmt.Sprintf("%s: the archive is cut short or damaged (%v): what was whole has been read\n", name, err)
}
