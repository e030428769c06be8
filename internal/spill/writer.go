package spill

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
