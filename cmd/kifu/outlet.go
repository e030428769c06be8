package main

import (
	"io"
	"sync"
)

// outlet is the standard output. It remembers its first failure: text that a full disk has
// swallowed makes the command fail, whatever the printer of that text made of it.
type outlet struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// lost returns what Write has failed with first.
func (o *outlet) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
