// Package spill keeps what does not fit into memory in one scratch file with many
// buckets, each a list of chunks: one open file, however many buckets there are.
package spill

import (
	"os"
	"sync"

	"kifu/internal/lists"
)

// File is a scratch file. Put may be called from several goroutines, Read and ReadAt
// while nothing is written.
type File struct {
	file *os.File

	mu     sync.Mutex
	end    int64
	chunks [][]chunk // by bucket
}

type chunk struct {
	offset int64
	length int
}

// Create makes an empty file of so many buckets at path.
func Create(path string, buckets int) (*File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &File{file: f, chunks: make([][]chunk, buckets)}, nil
}

// Buckets is the number of buckets.
func (f *File) Buckets() int { return len(f.chunks) }

// Close frees the disk space. It may be called again.
func (f *File) Close() {
	f.file.Close()
	os.Remove(f.file.Name())
}

// Put adds a chunk to a bucket and returns its place in the file.
func (f *File) Put(bucket int, data []byte) (offset int64, err error) {
	f.mu.Lock()
	offset = f.end
	f.end += int64(len(data))
	f.chunks[bucket] = append(f.chunks[bucket], chunk{offset, len(data)})
	f.mu.Unlock()
	_, err = f.file.WriteAt(data, offset)
	return offset, err
}

// Read returns a bucket's chunks end to end, in buf if it is large enough.
func (f *File) Read(bucket int, buf []byte) ([]byte, error) {
	size := lists.Sum(f.chunks[bucket], func(c chunk) int { return c.length })
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	buf = buf[:0]
	for _, c := range f.chunks[bucket] {
		at := len(buf)
		buf = buf[:at+c.length]
		if _, err := f.file.ReadAt(buf[at:], c.offset); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// Each calls take with a bucket's chunks one after the other, in memory that the next one takes.
func (f *File) Each(bucket int, take func(data []byte)) error {
	var buf []byte
	for _, c := range f.chunks[bucket] {
		if cap(buf) < c.length {
			buf = make([]byte, c.length)
		}
		buf = buf[:c.length]
		if _, err := f.file.ReadAt(buf, c.offset); err != nil {
			return err
		}
		take(buf)
	}
	return nil
}

// ReadAt fills buf with what is at an offset that Put gave, or after it.
func (f *File) ReadAt(buf []byte, offset int64) error {
	_, err := f.file.ReadAt(buf, offset)
	return err
}

// Writer collects what goes into the buckets of a file in chunks. It must not be shared by goroutines.
type Writer struct {
	to     *File
	size   int
	chunks [][]byte // by bucket
}

// NewWriter returns a Writer of chunks of about size bytes.
func NewWriter(to *File, size int) *Writer {
	return &Writer{to: to, size: size, chunks: make([][]byte, to.Buckets())}
}

// Buckets is the number of buckets.
func (w *Writer) Buckets() int { return w.to.Buckets() }

// Pending returns the chunk of a bucket that is not in the file yet, for the caller to append to.
func (w *Writer) Pending(bucket int) []byte { return w.chunks[bucket] }

// Put takes the chunk of a bucket back, and writes one of size bytes.
func (w *Writer) Put(bucket int, chunk []byte) error {
	w.chunks[bucket] = chunk
	if len(chunk) < w.size {
		return nil
	}
	return w.flush(bucket)
}

func (w *Writer) flush(bucket int) error {
	if len(w.chunks[bucket]) == 0 {
		return nil
	}
	_, err := w.to.Put(bucket, w.chunks[bucket])
	w.chunks[bucket] = w.chunks[bucket][:0]
	return err
}

// Flush writes all pending chunks.
func (w *Writer) Flush() error {
	for bucket := range w.chunks {
		if err := w.flush(bucket); err != nil {
			return err
		}
	}
	return nil
}
