package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// Worker does tasks, several at a time, as many as it has slots.
type Worker struct {
	Slots int
	// Do runs the line of a step for the tasks that the session hands out.
	Do func(ctx context.Context, s Step, session *Session) error
	// Idle ends the worker after so long without a task; 0: never. While others have tasks, which may come
	// back, it waits at least two leases.
	Idle time.Duration
	Log  func(format string, args ...any)

	c     *Cluster
	id    string          // of this process
	more  context.Context // until no more is to be taken
	leave context.CancelFunc

	mu           sync.Mutex
	made, failed int // tasks
	held         map[*lease]bool
	busy         time.Time // when there was something to do
	other        sync.Once // work of another build is reported
}

// lease is a task in the hands of a slot.
type lease struct {
	Lease
	msg       jetstream.Msg
	delivered uint64 // how often
}

// Run takes tasks until ctx ends, a drain is called for, or nothing comes for long.
func (w *Worker) Run(ctx context.Context, c *Cluster) error {
	w.c, w.held, w.busy = c, map[*lease]bool{}, time.Now()
	w.id = strconv.FormatUint(rand.Uint64(), 36)
	slots, ctx := errgroup.WithContext(ctx)
	w.more, w.leave = context.WithCancel(ctx)
	defer w.leave()
	all, err := c.nc.Subscribe("kifu.all", w.hear)
	if err != nil {
		return err
	}
	defer all.Unsubscribe()
	go w.keepAlive(ctx)
	for range w.Slots {
		slots.Go(func() error { return (&Session{w: w}).work(ctx) })
	}
	defer c.nc.FlushTimeout(5 * time.Second) // of the last reports
	return slots.Wait()
}

// Totals returns how many tasks the worker has done, and how often one could not be done.
func (w *Worker) Totals() (made, failed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.made, w.failed
}

func (w *Worker) count(made, failed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made, w.failed = w.made+made, w.failed+failed
}

// hear does what is published to all.
func (w *Worker) hear(m *nats.Msg) {
	var n note
	_ = json.Unmarshal(m.Data, &n)
	switch n.Word {
	case "drain":
		w.leave()
	case "who":
		p := Present{Host: hostName(), Program: w.c.program(), Slots: w.Slots}
		for _, l := range w.leases() {
			p.Leases = append(p.Leases, l.Lease)
		}
		_ = m.Respond(encode(p)) // whoever asked may be gone
	}
}

// keepAlive reports every task in work.
func (w *Worker) keepAlive(ctx context.Context) {
	for pause(ctx, w.c.Times.Lease/3) {
		for _, l := range w.leases() {
			_ = l.msg.InProgress() // one that is lost is handed out again
		}
	}
}

// leases returns what the slots have in hand.
func (w *Worker) leases() []*lease {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.held))
}

// idle is called when there is nothing to do.
func (w *Worker) idle() {
	w.mu.Lock()
	if len(w.held) > 0 {
		w.busy = time.Now()
	}
	since := time.Since(w.busy)
	w.mu.Unlock()
	if since < w.c.Times.Lease/60 {
		return
	}
	mine, theirs := w.open()
	switch {
	case w.Idle > 0 && since > w.Idle && (since > 2*w.c.Times.Lease || !mine):
		w.leave()
	case theirs != "" && !mine:
		w.other.Do(func() {
			w.Log("work of build %s is left to workers of that build; this is build %s (builds may round differently)", theirs, w.c.program())
		})
	}
}

// open reports whether tasks of this build are not done, those in others' hands included, which come back if one dies,
// and names another build that has such.
func (w *Worker) open() (mine bool, theirs string) {
	s, err := w.c.js.Stream(context.Background(), queueStream)
	if err != nil {
		return false, "" // without one there is no work yet
	}
	for info := range s.ListConsumers(context.Background()).Info() {
		switch open := info.NumPending > 0 || info.NumAckPending > 0; {
		case open && info.Name == "build-"+w.c.Build:
			mine = true
		case open:
			theirs = strings.TrimPrefix(info.Name, "build-")
		}
	}
	return mine, theirs
}

func (w *Worker) hold(l *lease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[l], w.busy = true, l.Since
}

func (w *Worker) release(l *lease) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, l)
	w.busy = time.Now()
}

// Session is a slot of a worker. It does one task at a time, and hands the tasks of a step to a run of its
// line.
type Session struct {
	w    *Worker
	cons jetstream.Consumer
	cur  *lease // in hand
	key  string // of the step whose line runs
	over bool   // the next task is of another
}

// work does tasks until no more is to be taken, or something is wrong.
func (s *Session) work(ctx context.Context) error {
	defer s.giveBack()
	for failures := 0; s.w.more.Err() == nil || s.cur != nil && ctx.Err() == nil; {
		if s.cur == nil && !s.fetch() {
			s.w.idle()
			continue
		}
		step, err := s.w.c.record(s.cur.Key)
		if err != nil {
			s.giveBack()
			continue
		}
		if err = s.do(ctx, step.Step); err == nil {
			failures = 0
		} else if ctx.Err() == nil {
			failures++
			pause(ctx, min(time.Duration(failures)*s.w.c.Times.Lease/60, s.w.c.Times.Lease/6)) // others may do better
		}
	}
	return nil
}

// do runs the line of a step for the task in hand, and those that follow it. An error is of the task that is then in hand.
func (s *Session) do(ctx context.Context, step Step) error {
	first, limit := s.cur, s.w.c.Times.Deliveries
	if step.Seats && !s.w.c.coordinated(step.Key) {
		s.notify(note{Word: "done"}) // of a coordinator that is gone
		return nil
	}
	if first.delivered > uint64(limit) {
		s.failed(tries, fmt.Errorf("given to workers %d times and never returned: it may crash them", limit))
		return nil
	}
	s.key, s.over = step.Key, false
	err := s.w.Do(ctx, step, s)
	if err == nil && s.cur == first {
		err = errors.New("the command rejected it")
	}
	if err == nil || ctx.Err() != nil || s.cur == nil || s.cur.Key != step.Key {
		return nil
	}
	s.w.Log("%s: part %d: %v", step.Name, s.cur.Task+1, err)
	s.failed(1, err)
	return err
}

// fetch leases a task, unless none comes for a while.
func (s *Session) fetch() bool {
	w := s.w
	if w.more.Err() != nil {
		return false
	}
	var err error
	if s.cons == nil {
		s.cons, err = w.c.js.Consumer(context.Background(), queueStream, "build-"+w.c.Build)
	}
	var m jetstream.Msg
	if err == nil {
		m, err = s.cons.Next(jetstream.FetchMaxWait(w.c.Times.Lease / 30))
	}
	if err != nil {
		if !errors.Is(err, nats.ErrTimeout) {
			s.cons = nil
			pause(w.more, w.c.Times.Lease/120)
		}
		return false
	}
	task, err := strconv.Atoi(string(m.Data()))
	about, fault := m.Metadata()
	if err != nil || fault != nil {
		_ = m.Term() // it cannot be read
		return false
	}
	key := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	s.cur = &lease{Lease{key, task, time.Now()}, m, about.NumDelivered}
	w.hold(s.cur)
	return true
}

// notify reports the task in hand to the coordinator, and takes it out of the queue. It does not wait
// for an answer: a coordinator that misses the note finds in the store what is done, and what is
// missing; and tasks still in the queue are handed out again.
func (s *Session) notify(n note) {
	n.Task, n.Host = s.cur.Task, hostName()
	_ = s.w.c.nc.Publish("kifu.head."+s.cur.Key, encode(n))
	_ = s.cur.msg.Ack()
	s.w.release(s.cur)
	s.cur = nil
}

// failed reports that the task in hand could not be done, which counts for so many errors.
func (s *Session) failed(times int, err error) {
	s.w.count(0, 1)
	text := []rune(err.Error())
	s.notify(note{Word: "failed", Report: Report{Error: string(text[:min(1000, len(text))]), Times: times}})
}

// giveBack hands the task in hand to others.
func (s *Session) giveBack() {
	if s.cur != nil {
		_ = s.cur.msg.NakWithDelay(s.w.c.Times.Lease / 60)
		s.w.release(s.cur)
		s.cur = nil
	}
}

// Key is the step's.
func (s *Session) Key() string { return s.key }

// Next reports whether task i is to be done, of which the line asks in ascending order.
func (s *Session) Next(i int) bool {
	if s.cur == nil && !s.over {
		s.fetch()
	}
	s.over = s.over || s.cur == nil || s.cur.Key != s.key
	return !s.over && s.cur.Task == i
}

// Made reports that the task in hand is done.
func (s *Session) Made(int) {
	s.w.count(1, 0)
	s.notify(note{Word: "done"})
}
