package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Worker does tasks, several at a time, as many as it has slots.
type Worker struct {
	Slots int
	// Do runs the line of a step for the tasks that the session hands out.
	Do func(ctx context.Context, s Step, session *Session) error
	// Idle ends the worker when there was nothing to do for so long, but not within two leases while
	// others have tasks, which may come back; 0: never.
	Idle time.Duration
	Log  func(format string, args ...any)

	c     *Cluster
	id    string // of this process
	mu    sync.Mutex
	held  map[*lease]bool
	cons  jetstream.Consumer
	busy  time.Time       // when there was something to do
	more  context.Context // until no more is to be taken
	leave context.CancelFunc
}

// lease is a task in the hands of a slot.
type lease struct {
	Lease
	msg jetstream.Msg
}

// OtherBuild is returned by a worker that may not do what there is to do.
type OtherBuild struct{ Mine, Theirs string }

func (e *OtherBuild) Error() string {
	return fmt.Sprintf("this kifu is build %s, and the work is for build %s: another build may round otherwise, so install the same file here", e.Mine, e.Theirs)
}

// Run takes tasks until ctx ends, a drain is called for, or nothing comes for long.
func (w *Worker) Run(ctx context.Context, c *Cluster) error {
	w.c, w.held, w.busy = c, map[*lease]bool{}, time.Now()
	w.more, w.leave = context.WithCancel(context.Background())
	defer w.leave()
	w.id = strconv.FormatUint(rand.Uint64(), 36)
	who, err := c.nc.Subscribe("kifu.who", w.present)
	if err != nil {
		return err
	}
	defer who.Unsubscribe()
	word, err := c.nc.Subscribe("kifu.word", func(m *nats.Msg) {
		if string(m.Data) == "drain" {
			w.leave()
		}
	})
	if err != nil {
		return err
	}
	defer word.Unsubscribe()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go w.keepAlive(ctx)
	var slots sync.WaitGroup
	for range w.Slots {
		slots.Go(func() { w.slot(ctx, cancel) })
	}
	slots.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// keepAlive says of every task in work that it is.
func (w *Worker) keepAlive(ctx context.Context) {
	for pause(ctx, w.c.Times.Lease/3) {
		w.mu.Lock()
		for l := range w.held {
			_ = l.msg.InProgress() // one that is lost is handed out again
		}
		w.mu.Unlock()
	}
}

// slot does one task after the other.
func (w *Worker) slot(ctx context.Context, stop func(error)) {
	s := &slot{w: w, acks: make(chan struct{}, 2)}
	defer s.wait()
	for failures := 0; ctx.Err() == nil; {
		if s.cur == nil {
			if s.cur = w.fetch(ctx, w.c.Times.Lease/30); s.cur == nil {
				if err := w.idle(ctx); err != nil || w.more.Err() != nil {
					stop(err)
					return
				}
				continue
			}
		}
		step, ok := w.step(ctx, s.cur.Key)
		if !ok {
			s.giveBack()
			continue
		}
		if step.Seats && !w.c.coordinated(step.Key) {
			s.done() // of a coordinator that is gone
			continue
		}
		first := s.cur
		s.dir = step.Dir
		err := w.Do(ctx, step, &Session{slot: s, key: step.Key})
		if err == nil && s.cur == first {
			err = errors.New("the command made nothing of it")
		}
		switch blamed := s.cur != nil && s.cur.Key == step.Key; {
		case ctx.Err() != nil:
		case err != nil && blamed:
			failures++
			w.Log("%s: part %d: %v", step.Name, s.cur.Task+1, err)
			s.fail(ctx, err)
			pause(ctx, min(time.Duration(failures)*w.c.Times.Lease/60, w.c.Times.Lease/6)) // others may do better
		default:
			failures = 0
		}
	}
	s.giveBack()
}

// idle is called when there is nothing to do.
func (w *Worker) idle(ctx context.Context) error {
	w.mu.Lock()
	since := time.Since(w.busy)
	if len(w.held) > 0 {
		w.busy, since = time.Now(), 0
	}
	w.mu.Unlock()
	if since < w.c.Times.Lease/60 {
		return nil
	}
	mine, theirs := w.open(ctx)
	switch {
	case w.Idle > 0 && since > w.Idle && (since > 2*w.c.Times.Lease || !mine):
		w.leave()
	case theirs != "" && !mine:
		return &OtherBuild{w.c.program(), theirs}
	}
	return nil
}

// open reports whether tasks of this build are not done, those in others' hands included, which come back if one dies,
// and names another build that has such.
func (w *Worker) open(ctx context.Context) (mine bool, theirs string) {
	_ = w.c.stream(ctx, queueStream, func(ctx context.Context, s jetstream.Stream) error { // without one there is no work yet
		consumers := s.ListConsumers(ctx)
		for info := range consumers.Info() {
			switch open := info.NumPending > 0 || info.NumAckPending > 0; {
			case open && info.Name == "build-"+w.c.Build:
				mine = true
			case open:
				theirs = info.Config.Metadata["program"]
			}
		}
		return consumers.Err()
	})
	return mine, theirs
}

// fetch leases a task, or returns nil if there is none for a while.
func (w *Worker) fetch(ctx context.Context, wait time.Duration) *lease {
	if w.more.Err() != nil || ctx.Err() != nil {
		return nil
	}
	cons, err := w.consumer(ctx)
	if err != nil {
		pause(ctx, w.c.Times.Lease/120)
		return nil
	}
	batch, err := cons.Fetch(1, jetstream.FetchMaxWait(wait))
	if err == nil {
		for m := range batch.Messages() {
			return w.take(m)
		}
		err = batch.Error()
	}
	if err != nil && !errors.Is(err, nats.ErrTimeout) {
		w.mu.Lock()
		w.cons = nil
		w.mu.Unlock()
		pause(ctx, w.c.Times.Lease/120)
	}
	return nil
}

// take makes a lease of a message.
func (w *Worker) take(m jetstream.Msg) *lease {
	task, err := strconv.Atoi(string(m.Data()))
	if err != nil {
		_ = m.Term() // nobody can read it
		return nil
	}
	key := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	l := &lease{Lease{key, task, time.Now()}, m}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[l], w.busy = true, l.Since
	return l
}

func (w *Worker) release(l *lease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, l)
	w.busy = time.Now()
}

func (w *Worker) consumer(ctx context.Context) (jetstream.Consumer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cons != nil {
		return w.cons, nil
	}
	ctx, cancel := brief(ctx)
	defer cancel()
	c, err := w.c.js.Consumer(ctx, queueStream, "build-"+w.c.Build)
	if err == nil {
		w.cons = c
	}
	return c, err
}

// step returns what the step of a key is.
func (w *Worker) step(ctx context.Context, key string) (s Step, ok bool) {
	m, err := w.c.last(ctx, "kifu.step."+key)
	return s, err == nil && json.Unmarshal(m.Data, &s) == nil
}

// slot is one of a worker's hands.
type slot struct {
	w    *Worker
	cur  *lease
	dir  string        // for large answers
	acks chan struct{} // tasks that are done, and not acknowledged yet
}

// done tells that the task in hand is done, and goes on meanwhile.
func (s *slot) done() {
	l, w := s.cur, s.w
	s.cur = nil
	s.acks <- struct{}{}
	go func() {
		defer func() { <-s.acks; w.release(l) }()
		w.tellTwice("kifu.done."+l.Key, event{Task: l.Task, Host: hostName(), Took: time.Since(l.Since)}, l)
	}()
}

// fail tells that the task in hand could not be done.
func (s *slot) fail(ctx context.Context, err error) {
	l := s.cur
	s.cur = nil
	defer s.w.release(l)
	text := err.Error()
	if len(text) > 4000 {
		text = text[:4000] + "…"
	}
	s.w.tellTwice("kifu.fail."+l.Key, event{Task: l.Task, Host: hostName(), Error: text}, l)
}

// tellTwice tells, and takes the task out of the queue. A server that came back from the
// dead may never answer about a task that it has forgotten, so that there are two attempts
// and no more: a part is in the store, and what has no answer is asked again.
func (w *Worker) tellTwice(subject string, e event, l *lease) {
	told := false
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		if !told {
			told = w.c.tell(ctx, subject, e) == nil
		}
		acked := told && l.msg.DoubleAck(ctx) == nil
		cancel()
		if acked {
			return
		}
	}
}

// giveBack hands the task in hand to others.
func (s *slot) giveBack() {
	if s.cur != nil {
		_ = s.cur.msg.NakWithDelay(s.w.c.Times.Lease / 60)
		s.w.release(s.cur)
		s.cur = nil
	}
}

// wait waits until all that is done is acknowledged.
func (s *slot) wait() {
	for range cap(s.acks) {
		s.acks <- struct{}{}
	}
}

// Session hands out the tasks of one step to one run of its line.
type Session struct {
	slot *slot
	key  string
	over bool
}

// Key is that of the step.
func (s *Session) Key() string { return s.key }

// lease has a task of the step in hand, if there is one.
func (s *Session) lease() bool {
	if s.slot.cur == nil && !s.over {
		s.slot.cur = s.slot.w.fetch(context.Background(), s.slot.w.c.Times.Lease/30)
	}
	s.over = s.over || s.slot.cur == nil || s.slot.cur.Key != s.key
	return !s.over
}

// Next reports whether task i is to be done, of which the line asks in ascending order.
func (s *Session) Next(i int) bool { return s.lease() && s.slot.cur.Task == i }

// Made tells that the task in hand is done.
func (s *Session) Made(int) { s.slot.done() }
