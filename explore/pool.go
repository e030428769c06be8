package explore

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"kifu/explore/views"
)

// pool lends the processes that make pages (Work), the last one first, since it has what pages like
// those before need in memory. One that had to be killed is started again when it is needed.
type pool struct {
	begin beginning
	start func() *exec.Cmd
	turns chan bool // as many as pages may be made at a time

	mu   sync.Mutex
	idle []*process
}

// together is how many pages are made at a time.
const together = 3

// grace is how long a process may take to end a page that is no longer wanted.
const grace = time.Second

func newPool(ctx context.Context, begin beginning, start func() *exec.Cmd) (*pool, error) {
	p := &pool{begin: begin, start: start, turns: make(chan bool, together)}
	first, err := p.launch(ctx)
	if err != nil {
		return nil, err
	}
	p.idle = append(p.idle, first)
	return p, nil
}

// answer has a page made and returns all of it, to be closed: the process is free again before the
// answer is sent. At the end of the context the process may return an error itself, before it is
// killed.
func (p *pool) answer(ctx context.Context, a ask) (*spool, error) {
	select {
	case p.turns <- true:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	var w *process
	if n := len(p.idle); n > 0 {
		w, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if w == nil {
		var err error
		if w, err = p.launch(ctx); err != nil {
			return nil, err
		}
	}
	out, err := w.answer(ctx, a)
	if !w.dead {
		p.mu.Lock()
		p.idle = append(p.idle, w)
		p.mu.Unlock()
	}
	return out, err
}

// close ends the processes that are at nothing. The others end with their pages.
func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		w.kill()
	}
	p.idle = nil
	return nil
}

// process is one that makes pages.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	dead bool
}

// launch starts a process and waits until it has its datasets.
func (p *pool) launch(ctx context.Context) (*process, error) {
	w := &process{cmd: p.start()}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	w.cmd.Stderr = &firstOf{to: cmp.Or[io.Writer](w.cmd.Stderr, io.Discard), left: 1000}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a page process: %w", err)
	}
	ready, err := w.answer(ctx, p.begin)
	if err == nil && ready.status != http.StatusOK {
		text, _ := io.ReadAll(ready.body())
		err = errors.New(string(text))
	}
	ready.Close()
	if err != nil {
		w.kill()
		return nil, err
	}
	return w, nil
}

// answer sends a line and reads the answer. At the end of the context it stops the process, and kills
// it if it does not end within the grace.
func (w *process) answer(ctx context.Context, line any) (*spool, error) {
	type end struct {
		out *spool
		err error
	}
	if err := json.NewEncoder(w.in).Encode(line); err != nil {
		w.kill()
		return nil, views.ErrBroken
	}
	done := make(chan end, 1)
	go func() {
		out, err := spoolOf(w.out)
		done <- end{out, err}
	}()
	var e end
	select {
	case e = <-done:
		if e.err != nil {
			w.kill()
		}
		return e.out, e.err
	case <-ctx.Done():
	}
	_ = json.NewEncoder(w.in).Encode(ask{Stop: true})
	select {
	case e = <-done:
	case <-time.After(grace):
		w.kill()
		e = <-done
	}
	if e.err != nil {
		w.kill()
	}
	e.out.Close()
	return nil, context.Cause(ctx)
}

// kill ends the process at once.
func (w *process) kill() {
	if !w.dead {
		w.dead = true
		w.cmd.Process.Kill()
		w.cmd.Wait()
	}
}

// firstOf passes on the beginning of a process's standard error.
type firstOf struct {
	to   io.Writer
	left int
}

func (f *firstOf) Write(data []byte) (int, error) {
	n := min(f.left, len(data))
	f.left -= n
	_, _ = f.to.Write(data[:n])
	return len(data), nil
}
