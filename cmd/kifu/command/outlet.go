package command

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"kifu/internal/human"
)

// Outlet is the standard output or error: the only way by which text comes to a terminal. Of
// what is written no sign steers what shows it (human.Printable). It remembers its first
// failure: text that a full disk has swallowed makes the command fail, whatever the printer of
// that text made of it.
type Outlet struct {
	To     io.Writer
	Before func() // clears the line that text is printed on; may be nil
	// Line returns what is written in place of a line; nil: the line.
	Line func(text string) string
	mu   sync.Mutex
	rest []byte // the beginning of a letter or, with Line, of a line, whose end is still to be written
	err  error
}

// AsOutlet returns w as an outlet, itself if it is one.
func AsOutlet(w io.Writer) *Outlet {
	if o, is := w.(*Outlet); is {
		return o
	}
	return &Outlet{To: w}
}

func (o *Outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := append(o.rest, p...)
	whole := len(text) - begun(text)
	if o.Line != nil {
		whole = bytes.LastIndexByte(text, '\n') + 1
	}
	o.rest = append([]byte(nil), text[whole:]...)
	return len(p), o.print(text[:whole])
}

// print writes text in which no sign is cut off.
func (o *Outlet) print(text []byte) error {
	clean := human.Printable(string(text))
	if o.Line == nil {
		return o.write([]byte(clean))
	}
	var all []byte
	for line := range strings.Lines(clean) {
		all = append(append(all, o.Line(strings.TrimSuffix(line, "\n"))...), '\n')
	}
	return o.write(all)
}

// write writes bytes unchanged; o is locked.
func (o *Outlet) write(p []byte) error {
	if o.Before != nil {
		o.Before()
	}
	_, err := o.To.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return err
}

// begun returns the length of the letter that text ends in the middle of, 0 for none.
func begun(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Lost returns what Write has failed with first.
func (o *Outlet) Lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.rest) > 0 {
		_ = o.print(o.rest)
		o.rest = nil
	}
	return o.err
}

// exact writes to an outlet what programs read.
type exact struct{ *Outlet }

func (e exact) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(p), e.write(p)
}

// Data returns where a command writes data for programs, as CSV and records are: byte for byte,
// unless it is a terminal.
func (con *Console) Data() io.Writer {
	o := AsOutlet(con.Stdout)
	if IsTerminal(o) {
		return o
	}
	return exact{o}
}

// IsTerminal reports whether w, or where it leads, is a terminal.
func IsTerminal(w io.Writer) bool {
	f, isFile := AsOutlet(w).To.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}
