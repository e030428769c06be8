package ingest

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// compressed are the extensions that may follow a format's own. What a file really is
// its first bytes say.
var compressed = []string{".zst", ".gz", ".bz2"}

var (
	magicZstd  = []byte{0x28, 0xB5, 0x2F, 0xFD}
	magicSkip  = []byte{0x2A, 0x4D, 0x18} // from the second byte: a zstd frame to be skipped
	magicGzip  = []byte{0x1F, 0x8B}
	magicBzip2 = []byte("BZh")
)

// notRead names the archives that would otherwise be taken for text.
var notRead = []struct{ magic, name string }{
	{"\xFD7zXZ\x00", "xz"}, {"PK\x03\x04", "zip"}, {"7z\xBC\xAF\x27\x1C", "7z"},
}

// maxWindow bounds the memory of the zstd decoder; zstd --long asks for 128 MB.
const maxWindow = 128 << 20

// stream is an open file, decompressed and, if it was UTF-16, recoded.
type stream struct {
	io.Reader
	raw    *rawReader
	packed bool // compressed: a fault may be the archive's
	close  []func()
}

// rawReader counts and hashes what is read from the disk, and remembers its failure.
type rawReader struct {
	r     io.Reader
	sum   hash.Hash   // may be nil
	count func(int64) // of bytes, for the progress bar
	err   error
}

func (r *rawReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if r.sum != nil {
		r.sum.Write(p[:n])
	}
	r.count(int64(n))
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// open opens f for reading from offset on, in decompressed bytes. sum, unless nil, gets
// every byte as stored.
func open(f file, stdin io.Reader, offset int64, sum hash.Hash, count func(int64)) (s *stream, err error) {
	raw := &rawReader{r: stdin, sum: sum, count: count}
	s = &stream{raw: raw}
	var disk *os.File
	if f.path != "-" {
		if disk, err = os.Open(f.path); err != nil {
			return nil, err
		}
		raw.r = disk
		s.close = append(s.close, func() { disk.Close() })
	}
	if raw.r == nil {
		return nil, fmt.Errorf("no standard input to read")
	}
	b := bufio.NewReaderSize(raw, 1<<18)
	s.Reader = b
	head, err := b.Peek(6)
	if err != nil && err != io.EOF {
		s.Close()
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, magicZstd), len(head) > 3 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], magicSkip):
		d, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			s.Close()
			return nil, err
		}
		s.Reader, s.packed = d, true
		s.close = append(s.close, d.Close)
	case bytes.HasPrefix(head, magicGzip):
		s.packed = true
		if d, err := gzip.NewReader(b); err != nil {
			s.Reader = failing{err} // a fault of this archive, not of the run
		} else {
			s.Reader = d
		}
	case bytes.HasPrefix(head, magicBzip2):
		s.Reader, s.packed = bzip2.NewReader(b), true
	}
	for _, a := range notRead {
		if bytes.HasPrefix(head, []byte(a.magic)) {
			s.Close()
			return nil, fmt.Errorf("%s archives are not read (unpack it first)", a.name)
		}
	}
	utf16, err := s.recode()
	if err != nil {
		s.Close()
		return nil, err
	}
	switch {
	case offset == 0:
	case disk != nil && !s.packed && !utf16:
		if _, err = disk.Seek(offset, io.SeekStart); err == nil {
			b.Reset(raw)
			s.Reader = b
			count(offset)
		}
	default:
		_, err = io.CopyN(io.Discard, s.Reader, offset)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// recode turns UTF-16 with a byte order mark into UTF-8.
func (s *stream) recode() (bool, error) {
	b := bufio.NewReaderSize(s.Reader, 1<<16)
	head, err := b.Peek(2)
	s.Reader = b
	if len(head) < 2 {
		if err == io.EOF {
			err = nil
		}
		if s.packed {
			err = nil // it will come again, and be the archive's
		}
		return false, err
	}
	if head[0] == 0xFF && head[1] == 0xFE || head[0] == 0xFE && head[1] == 0xFF {
		s.Reader = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(b)
		return true, nil
	}
	return false, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Close closes what open has opened.
func (s *stream) Close() {
	for i := len(s.close) - 1; i >= 0; i-- {
		s.close[i]()
	}
}
