package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/hands"
	"kifu/internal/lists"
	"kifu/study/cluster"
)

// Ask runs a step that has questions for workers, if the flags or the study name a cluster. In a worker it
// runs, too, and answers questions instead.
func (f *Queue) Ask(ctx context.Context, e *command.Env, out string, s datasets.Step, unit string) error {
	if e.Session != nil {
		s.Inputs = e.Paths(s.Inputs)
		return serve(ctx, e, s)
	}
	leave, err := f.Join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	if e.Cluster != nil && e.Plan == nil {
		s.Run = Asking(e, out, s)
	}
	return e.Build(ctx, out, s, unit)
}

// serve answers questions about a step, if it is the one at work: a line may have several.
func serve(ctx context.Context, e *command.Env, s datasets.Step) error {
	key, err := datasets.KeyOf(ctx, s)
	if err != nil || !strings.HasPrefix(e.Session.Key(), shortKey(key)) {
		return err
	}
	in, err := lists.Try(s.Inputs, func(path string) (*datasets.Dir, error) { return datasets.OpenAt(ctx, path) })
	if err != nil {
		return err
	}
	return s.Run(hands.Serving(ctx, e.Desk), in, nil)
}

// Asking is the run of a step with workers to ask.
func Asking(e *command.Env, out string, s datasets.Step) func(context.Context, []*datasets.Dir, *datasets.Builder) error {
	return func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
		step, err := workOf(e, b.Key(), s.Stage+" "+out)
		if err != nil {
			return err
		}
		pool, err := e.Cluster.Gather(ctx, step)
		if err != nil {
			return err
		}
		defer pool.Close()
		return s.Run(hands.With(ctx, &told{pool, e.Stderr, false}), in, b)
	}
}

// told reports once that no worker answers: a fit then goes on alone.
type told struct {
	*cluster.Pool
	to   io.Writer
	said bool
}

// Ask implements hands.Hands.
func (t *told) Ask(ctx context.Context, n int, section func(int) int, question func(int) []byte, take func(int, []byte) error) error {
	if t.said {
		return errUnanswered
	}
	err := t.Pool.Ask(ctx, n, section, question, take)
	if t.said = errors.Is(err, cluster.ErrGone); t.said {
		fmt.Fprintf(t.to, "kifu: %v\n", err)
	}
	return err
}

var errUnanswered = errors.New("no worker answers")

// common has what the slots of a worker hold together: the rows of a fit are read once.
type common struct {
	mu  sync.Mutex
	all map[string]*holding // by step
}

// holding is the preparation of one slot, which all answer from.
type holding struct {
	ready  chan struct{} // closed when answer is there, or the slot has failed
	answer func([]byte) ([]byte, error)
	users  sync.WaitGroup
}

// errUnprepared is returned by a slot whose preparing slot failed.
var errUnprepared = errors.New("the inputs of the work could not be prepared")

// share runs the line of a step with seats in one of the slots, which prepares, and has
// the others answer from what it has prepared.
func (c *common) share(ctx context.Context, s cluster.Step, session *cluster.Session, run func(hands.Desk) error) error {
	c.mu.Lock()
	h, there := c.all[s.Key]
	if !there {
		h = &holding{ready: make(chan struct{})}
		c.all[s.Key] = h
	}
	h.users.Add(1)
	c.mu.Unlock()
	if there {
		defer h.users.Done()
		select {
		case <-h.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if h.answer == nil {
			return errUnprepared
		}
		return session.Serve(ctx, h.answer)
	}
	first := &firstDesk{holding: h, session: session}
	err := run(first)
	first.open.Do(func() { close(h.ready) })
	c.mu.Lock()
	delete(c.all, s.Key)
	c.mu.Unlock()
	return err
}

// firstDesk is the desk of the slot that prepares.
type firstDesk struct {
	*holding
	session *cluster.Session
	open    sync.Once
}

// Serve implements hands.Desk. What was prepared stays until all have left.
func (d *firstDesk) Serve(ctx context.Context, answer func([]byte) ([]byte, error)) error {
	d.answer = answer
	d.open.Do(func() { close(d.ready) })
	err := d.session.Serve(ctx, answer)
	d.users.Done()
	d.users.Wait()
	return err
}
