package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	// maxLine is the longest line that a program may write, in bytes.
	maxLine = 1 << 20
	// maxAnswer is how much a program may write before the line that ends its answer, in bytes.
	maxAnswer = 16 << 20
	// quitGrace is the time that a program may take to quit.
	quitGrace = 2 * time.Second
)

// process is a running program with which lines are exchanged.
type process struct {
	name  string        // of the program, for errors
	limit time.Duration // for the program to read what is sent
	cmd   *exec.Cmd
	group *group // cmd with what it starts
	stdin io.WriteCloser
	text  []byte // that was sent to it last
	out   lines
	said  tail   // on standard error
	lost  bool   // its last answer did not come, so that it is given up
	wait  func() // until it has ended, in whatever way; for any goroutine
}

// launch starts a program. It is killed when ctx ends, and when this process does.
func launch(ctx context.Context, c Config) (*process, error) {
	p := &process{name: c.Command[0], limit: c.patience(), cmd: exec.CommandContext(ctx, c.Command[0], c.Command[1:]...)}
	p.cmd.Dir = c.Dir
	p.cmd.Stderr = &p.said
	p.group = newGroup(p.cmd)
	p.cmd.Cancel = func() error {
		p.group.kill()
		return nil
	}
	p.wait = sync.OnceFunc(func() {
		_ = p.cmd.Wait()
		p.group.kill() // the children that outlive it
	})
	p.cmd.WaitDelay = time.Second // a child of the program may hold its pipes open
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.group.start(); err != nil {
		return nil, fmt.Errorf("engine %s does not start: %w%s", p.name, err, startHint(err))
	}
	p.stdin, p.out = stdin, linesOf(sourceOf(stdout))
	if f, ok := stdin.(*os.File); ok && f.SetWriteDeadline(time.Time{}) == nil {
		p.stdin = pipeOf(f)
	}
	return p, nil
}

// introduced is an Engine that a handshake gets ready.
type introduced interface {
	Engine
	handshake(ctx context.Context) error
}

// begin starts a program, and opens the protocol that of makes for it.
func begin(ctx context.Context, c Config, of func(*process) introduced) (Engine, error) {
	p, err := launch(ctx, c)
	if err != nil {
		return nil, err
	}
	e := of(p)
	if err := e.handshake(ctx); err != nil {
		p.close()
		return nil, err
	}
	return e, nil
}

// startHint returns advice for a program that does not start.
func startHint(err error) string {
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return " (give its full path)"
	case errors.Is(err, os.ErrPermission):
		return " (it must be a program that you may run: chmod +x)"
	}
	return ""
}

// lastWords waits briefly until the program has ended and all its output has arrived.
func (p *process) lastWords() {
	gone := make(chan struct{})
	go func() {
		p.wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(p.cmd.WaitDelay):
	}
}

// send writes lines to the program. If it no longer reads, the next await reports that with
// more detail, and so it does if it reads nothing for as long as an answer may take.
func (p *process) send(lines ...string) {
	if f, ok := p.stdin.(file); ok {
		limit := p.limit
		if p.lost {
			limit = 0
		}
		_ = f.SetWriteDeadline(time.Now().Add(limit)) // a system without it writes without a limit
	}
	p.text = p.text[:0]
	for _, line := range lines {
		p.text = append(append(p.text, line...), '\n')
	}
	_, _ = p.stdin.Write(p.text)
}

// await reads lines until done returns true, for at most patience.
func (p *process) await(ctx context.Context, patience time.Duration, what string, done func(line string) bool) (err error) {
	defer func() { p.lost = p.lost || err != nil }()
	if err := p.out.in.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return p.ended(what, err)
	}
	// The end of ctx kills the program, but a child of it may hold the pipe open.
	stop := context.AfterFunc(ctx, func() { _ = p.out.in.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	for written := 0; ; {
		line, err := p.out.next()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, os.ErrDeadlineExceeded):
			return silent{fmt.Errorf("engine %s: no %s within %v", p.name, what, patience)}
		case err != nil:
			return p.ended(what, err)
		case done(string(line)):
			return nil
		}
		if written += len(line) + 1; written > maxAnswer {
			return fmt.Errorf("engine %s: no %s in %d megabytes of output", p.name, what, maxAnswer>>20)
		}
	}
}

// silent is the error of a program that did not answer in time: errSilent, with its words.
type silent struct{ error }

func (silent) Is(target error) bool { return target == errSilent }

// ended returns the error for a program whose output ended with err and without an answer.
func (p *process) ended(what string, err error) error {
	if err == io.EOF {
		p.lastWords()
		err = errors.New("it ended")
	}
	if said := p.said.String(); said != "" {
		return fmt.Errorf("engine %s: no %s: %w; it said %q", p.name, what, err, said)
	}
	return fmt.Errorf("engine %s: no %s: %w", p.name, what, err)
}

// close ends the program: one that still answers gets a moment to quit by itself, any other
// is killed.
func (p *process) close() {
	grace := quitGrace
	if p.lost {
		grace = 0
	}
	_ = p.stdin.Close() // at which most programs quit
	_ = p.out.in.SetReadDeadline(time.Time{})
	go func() { _, _ = io.Copy(io.Discard, p.out.in) }() // what it still writes must not keep it
	timer := time.AfterFunc(grace, func() { p.group.kill() })
	defer timer.Stop()
	p.wait() // this ends what it writes, too
}

// tail keeps the end of the text written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 500

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - tailBytes; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
