package main

import (
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"kifu/internal/human"
)

// outlet is the standard output or error: the only way by which text comes to a terminal. Of
// what is written no sign steers what shows it (human.Printable). It remembers its first
// failure: text that a full disk has swallowed makes the command fail, whatever the printer of
// that text made of it.
type outlet struct {
	to     io.Writer
	before func() // clears the line that text is printed on; may be nil
	mu     sync.Mutex
	rest   []byte // the beginning of a letter, whose end is still to be written
	err    error
}

// asOutlet returns w as an outlet, itself if it is one.
func asOutlet(w io.Writer) *outlet {
	if o, is := w.(*outlet); is {
		return o
	}
	return &outlet{to: w}
}

func (o *outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text := append(o.rest, p...)
	whole := len(text) - begun(text)
	o.rest = append([]byte(nil), text[whole:]...)
	return len(p), o.write([]byte(human.Printable(string(text[:whole]))))
}

// write writes bytes unchanged; o is locked.
func (o *outlet) write(p []byte) error {
	if o.before != nil {
		o.before()
	}
	_, err := o.to.Write(p)
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

// lost returns what Write has failed with first.
func (o *outlet) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.rest) > 0 {
		_ = o.write([]byte(human.Printable(string(o.rest))))
		o.rest = nil
	}
	return o.err
}

// exact writes to an outlet what programs read.
type exact struct{ *outlet }

func (e exact) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(p), e.write(p)
}

// data returns where a command writes data for programs, as CSV and records are: byte for byte,
// unless it is a terminal.
func (con *console) data() io.Writer {
	o := asOutlet(con.stdout)
	if isTerminal(o) {
		return o
	}
	return exact{o}
}

// isTerminal reports whether w, or where it leads, is a terminal.
func isTerminal(w io.Writer) bool {
	f, isFile := asOutlet(w).to.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}
