package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
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

// TestPumpWakes: a deadline that is set while a Read waits ends it.
func TestPumpWakes(t *testing.T) {
	r, _ := io.Pipe()
	p := newPump(r)
	time.AfterFunc(20*time.Millisecond, func() { p.SetReadDeadline(time.Unix(1, 0)) })
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}
