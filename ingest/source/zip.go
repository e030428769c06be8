package source

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// registerZip adds to what archive/zip decompresses the other methods that are met
// (APPNOTE.TXT 6.3.10, section 4.4.5), and a faster inflate.
func registerZip(z *zip.Reader) {
	const methodBzip2, methodZstd, methodXz = 12, 93, 95
	var free []*inflater // members may be many and small
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser {
		if n := len(free); n > 0 {
			f := free[n-1]
			free = free[:n-1]
			f.reset(r)
			return f
		}
		b := bufio.NewReaderSize(r, 1<<16)
		return &inflater{ReadCloser: flate.NewReader(b), b: b, free: &free}
	})
	z.RegisterDecompressor(methodBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(methodZstd, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow)))
	z.RegisterDecompressor(methodXz, func(r io.Reader) io.ReadCloser {
		x, err := xz.NewReader(r, maxWindow)
		if err != nil {
			return io.NopCloser(failing{err})
		}
		return io.NopCloser(x)
	})
}

var errShared = errors.New("its members claim more bytes than the archive has")

// shared reports whether members share their bytes: a megabyte could then unpack to terabytes, as no
// compression can.
func shared(files []*zip.File, size int64) bool {
	left := uint64(size)
	for _, f := range files {
		if f.CompressedSize64 > left {
			return true
		}
		left -= f.CompressedSize64
	}
	return false
}

// inflater decompresses a member of a zip archive, and is used again for the next.
type inflater struct {
	io.ReadCloser
	b    *bufio.Reader
	free *[]*inflater
}

func (f *inflater) reset(r io.Reader) {
	f.b.Reset(r)
	f.ReadCloser.(flate.Resetter).Reset(f.b, nil) // never fails
}

// Close keeps f for the next member.
func (f *inflater) Close() error {
	*f.free = append(*f.free, f)
	return nil
}

// cutZip reads a zip archive whose table is missing, as its end is: by the header
// before each member, in the order of the archive.
type cutZip struct {
	b    *bufio.Reader
	err  error     // why the table cannot be read
	data io.Reader // of the member, compressed
	body io.Reader // decompressed; nil for one that cannot be
	odd  error
}

func newCutZip(r io.Reader, err error) archive {
	return &cutZip{b: bufio.NewReaderSize(r, 1<<16), err: fmt.Errorf("its table of members cannot be read: %w", err)}
}

func (z *cutZip) next() (string, error) {
	// To the end of the member before, then to the next header.
	if z.body != nil {
		io.Copy(io.Discard, z.body) // what is wrong with it has been told
	}
	if z.data != nil {
		io.Copy(io.Discard, z.data)
	}
	if !z.find() {
		return "", z.err
	}
	var h [30]byte // APPNOTE.TXT, section 4.3.7
	if _, err := io.ReadFull(z.b, h[:]); err != nil {
		return "", z.err
	}
	u16 := func(i int) int { return int(binary.LittleEndian.Uint16(h[i:])) }
	flags, method, stored := u16(6), u16(8), binary.LittleEndian.Uint32(h[18:])
	names := make([]byte, u16(26)+u16(28)) // the name and extra fields
	if _, err := io.ReadFull(z.b, names); err != nil {
		return "", z.err
	}
	const encrypted, sizeBehind = 1, 8
	z.data, z.body, z.odd = nil, nil, nil
	if sized := flags&sizeBehind == 0 && stored != 1<<32-1; sized {
		z.data = &exactly{z.b, int64(stored)}
	}
	switch {
	case flags&encrypted != 0:
		z.odd = errEncrypted
	case method == int(zip.Deflate) && z.data == nil:
		z.body = flate.NewReader(z.b) // reads no byte too many
	case method == int(zip.Deflate):
		z.body = flate.NewReader(z.data)
	case method == int(zip.Store) && z.data != nil:
		z.body = z.data
	default:
		z.odd = &Unread{"archive member compressed in an unknown way", fmt.Sprintf("method %d without a table", method)}
	}
	return memberName(string(names[:u16(26)])), nil
}

// find goes to the next header.
func (z *cutZip) find() bool {
	for {
		head, err := z.b.Peek(1 << 12)
		if i := bytes.Index(head, magicZip); i >= 0 {
			z.b.Discard(i)
			return true
		}
		if err != nil {
			return false
		}
		z.b.Discard(len(head) - len(magicZip) + 1)
	}
}

func (z *cutZip) open() (io.ReadCloser, error) { return io.NopCloser(z.body), z.odd }

// exactly reads n bytes of r, and returns an error when there are fewer.
type exactly struct {
	r    io.Reader
	left int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if err == io.EOF && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
