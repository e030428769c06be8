package engine

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// source is the output of a program, whose Read ends with os.ErrDeadlineExceeded at a deadline.
type source interface {
	io.Reader
	SetReadDeadline(t time.Time) error
}

// file has the methods of an os.File that a pipe needs.
type file interface {
	source
	io.WriteCloser
	SetWriteDeadline(t time.Time) error
}

// sourceOf returns r if the system has deadlines for it, else a pump. A pipe that is waited for
// itself costs a program's answer half as much as a goroutine that hands it on.
func sourceOf(r io.Reader) source {
	if f, ok := r.(*os.File); ok && f.SetReadDeadline(time.Time{}) == nil {
		return pipeOf(f)
	}
	return newPump(r)
}

// errLine is the error of a line that is too long.
var errLine = fmt.Errorf("a line of more than %d megabyte", maxLine>>20)

// lines reads the lines of a program. What has been read of a line stays when a deadline passes.
type lines struct {
	in   source
	read *bufio.Reader // of in
	line []byte
	end  bool // line is whole
}

func linesOf(in source) lines { return lines{in: in, read: bufio.NewReader(in)} }

// next returns the next line without blanks at its ends; it is valid until the next call. A last
// line needs no end.
func (l *lines) next() (line []byte, err error) {
	if l.end {
		l.line, l.end = l.line[:0], false
	}
	for !l.end {
		part, err := l.read.ReadSlice('\n')
		l.line = append(l.line, part...)
		switch l.end = err == nil || err == io.EOF && len(l.line) > 0; {
		case len(l.line) > maxLine:
			return nil, errLine
		case !l.end && err != bufio.ErrBufferFull:
			return nil, err
		}
	}
	return bytes.TrimSpace(l.line), nil
}

// pump is the source of a reader that has no deadlines, as pipes on Windows.
type pump struct {
	chunks chan []byte // closed at the end
	err    error       // of the end
	rest   []byte

	mu       sync.Mutex
	deadline time.Time
	changed  chan struct{} // closed when the deadline changes
}

func newPump(r io.Reader) *pump {
	p := &pump{chunks: make(chan []byte, 16), changed: make(chan struct{})}
	go func() {
		defer close(p.chunks)
		for {
			b := make([]byte, 4096)
			n, err := r.Read(b)
			if n > 0 {
				p.chunks <- b[:n]
			}
			if err != nil {
				p.err = err
				return
			}
		}
	}()
	return p
}

// Read implements source.
func (p *pump) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		p.mu.Lock()
		deadline, changed := p.deadline, p.changed
		p.mu.Unlock()
		var late <-chan time.Time
		if !deadline.IsZero() {
			timer := time.NewTimer(time.Until(deadline))
			defer timer.Stop()
			late = timer.C
		}
		select {
		case chunk, open := <-p.chunks:
			if p.rest = chunk; !open {
				return 0, p.err
			}
		case <-late:
			return 0, os.ErrDeadlineExceeded
		case <-changed:
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// SetReadDeadline implements source.
func (p *pump) SetReadDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deadline = t
	close(p.changed)
	p.changed = make(chan struct{})
	return nil
}
