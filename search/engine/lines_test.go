package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

// TestLines: lines come whole, whatever the pieces in which they are written, from pipes with
// deadlines and from readers without, and what was read of a line survives a deadline.
func TestLines(t *testing.T) {
	for name, pipe := range map[string]func() (io.Reader, io.WriteCloser){
		"deadlines": func() (io.Reader, io.WriteCloser) { r, w, _ := os.Pipe(); return r, w },
		"pump":      func() (io.Reader, io.WriteCloser) { return io.Pipe() },
	} {
		r, w := pipe()
		l := linesOf(sourceOf(r))
		if _, pumped := l.in.(*pump); pumped != (name == "pump") {
			t.Errorf("%s: %T", name, l.in)
		}
		fmt.Fprint(w, "half")
		l.in.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		for range 2 {
			if line, err := l.next(); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("%s: %q, %v before the end of the line", name, line, err)
			}
		}
		l.in.SetReadDeadline(time.Time{})
		long := strings.Repeat("x", 3*4096+1)
		go func() {
			for _, piece := range []string{" a line \r", "\n\nan", "other\n", long[:5000], long[5000:] + "\n", "last"} {
				io.WriteString(w, piece)
			}
			w.Close()
		}()
		for i, want := range []string{"half a line", "", "another", long, "last"} {
			if line, err := l.next(); err != nil || string(line) != want {
				t.Errorf("%s: line %d is %.40q, %v", name, i, line, err)
			}
		}
		if _, err := l.next(); err != io.EOF {
			t.Errorf("%s: at the end: %v", name, err)
		}
	}
	l := linesOf(newPump(iotest.OneByteReader(strings.NewReader("a\nb"))))
	for _, want := range []string{"a", "b"} {
		if line, err := l.next(); err != nil || string(line) != want {
			t.Errorf("%q, %v", line, err)
		}
	}
	l = linesOf(newPump(strings.NewReader(strings.Repeat("x", maxLine+10000))))
	if _, err := l.next(); err != errLine {
		t.Error(err)
	}
}

// TestPipe: what a pipe cannot hold is written when it is read, or until the deadline; a pipe that
// nobody reads any more is an error.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := pipeOf(w)
	text := bytes.Repeat([]byte("0123456789abcdef\n"), 1<<16)
	p.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	n, err := p.Write(text)
	if n == 0 || n >= len(text) || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%d bytes written, %v", n, err)
	}
	p.SetWriteDeadline(time.Time{})
	written := make(chan error)
	go func() {
		_, err := p.Write(text[n:])
		p.Close()
		written <- err
	}()
	if got, err := io.ReadAll(pipeOf(r)); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d of %d bytes read, %v", len(got), len(text), err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	if _, err := p.Write(text); err == nil {
		t.Error("no error of a closed pipe")
	}
	r, w, _ = os.Pipe()
	r.Close()
	if _, err := pipeOf(w).Write(text); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("without a reader: %v", err)
	}
}

// TestPumpWakes: a deadline that is set while a Read waits ends it.
func TestPumpWakes(t *testing.T) {
	r, _ := io.Pipe()
	p := newPump(r)
	time.AfterFunc(20*time.Millisecond, func() { p.SetReadDeadline(time.Unix(1, 0)) })
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}
