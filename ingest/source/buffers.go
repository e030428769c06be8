package source

import (
	"bufio"
	"io"
)

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
