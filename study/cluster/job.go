package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kifu/internal/step"
)

// Step is work that is divided into numbered tasks.
type Step struct {
	Key  string    `json:"key"`  // distinguishes it from all others; letters and digits
	Name string    `json:"name"` // for people
	Base string    `json:"base"` // directory from which the paths of Work count
	Work step.Step `json:"work"` // of which the tasks are shares
	Host string    `json:"host"` // of the coordinator
	Done int       `json:"done"` // other tasks, done before; in its record, all that are known to be done
	// Seats means that the tasks are seats of a Pool.
	Seats bool `json:"seats,omitempty"`
}

// Work describes the tasks of a coordinator.
type Work struct {
	Tasks []int
	// Look returns which tasks are done, according to the store; nil: those that workers report.
	Look func() (done func(task int) bool, err error)
	// Done is called with each task once; an error ends the work.
	Done func(task int) error
	// Failing is called with the first failure; nil: with none.
	Failing func(Report)

	giveUp func(errors int) bool // ends the work after so many errors; nil: when nothing is left to be tried
	seated func(n note)          // called repeatedly with each slot that has a seat
}

// Report states that a task was done, or could not be.
type Report struct {
	Task  int
	Host  string
	Error string
	Times int // that it failed
}

// tries is how many errors make a task one that cannot be done.
const tries = 3

// Failed is returned when all tasks are done but some that cannot be.
type Failed struct {
	Step     string
	Failures []Report // by task
}

// Error names the first of them.
func (f *Failed) Error() string {
	return fmt.Sprintf("%s: %d tasks failed, the others are done; the first: %s", f.Step, len(f.Failures), f.Failures[0].Error)
}

// job is the coordinator's side of a step.
type job struct {
	Work
	c       *Cluster
	step    Step
	told    chan note
	closed  chan struct{}
	subs    []*nats.Subscription
	records jetstream.KeyValue
	left    map[int]bool // tasks that are not done
	failed  map[int]Report
	scarce  int // looks in a row in which fewer tasks were queued than are left
}

// Do has the tasks of a step done. It returns when they are, a *Failed if some cannot be, or the error of
// ctx. Queued tasks then stay queued, and the next call of Do waits for them. What the server lacks is made.
func (c *Cluster) Do(ctx context.Context, s Step, w Work) error {
	j, err := c.open(ctx, s, w)
	if err != nil {
		return err
	}
	defer j.close()
	return j.do(ctx)
}

// open begins the coordination of a step.
func (c *Cluster) open(ctx context.Context, s Step, w Work) (*job, error) {
	s.Host = hostName()
	j := &job{Work: w, c: c, step: s, told: make(chan note, 1024), closed: make(chan struct{}), left: map[int]bool{}, failed: map[int]Report{}, scarce: 1}
	for _, t := range w.Tasks {
		j.left[t] = true
	}
	err := c.patiently(ctx, func() error {
		_, err := j.begin()
		return err
	})
	for _, subject := range []string{"kifu.head." + s.Key, "kifu.all"} {
		if err == nil {
			var sub *nats.Subscription
			sub, err = c.nc.Subscribe(subject, j.hear)
			j.subs = append(j.subs, sub)
		}
	}
	if err != nil {
		j.close()
	}
	return j, err
}

// close ends the coordination. Tasks that are queued stay so.
func (j *job) close() {
	close(j.closed)
	for _, sub := range j.subs {
		sub.Unsubscribe()
	}
}

// begin announces the step, and returns the number of its queued tasks. The server may have another disk than before.
func (j *job) begin() (queued int, err error) {
	kv, err := j.c.setUp()
	if err != nil {
		return 0, err // and the bucket is the one of before
	}
	j.records = kv
	if err := j.record(); err != nil {
		return 0, err
	}
	subject := j.c.queue(j.step.Key)
	n, err := j.c.queued(subject)
	return int(n[subject]), err
}

// record writes down what the step is, and how far, for the workers and for kifu cluster.
func (j *job) record() error {
	_, err := j.records.Put(context.Background(), j.step.Key, encode(j.status()))
	return err
}

// status returns what is written down, with no more errors than a message holds.
func (j *job) status() StepStatus {
	failed := j.failures()
	s := StepStatus{Step: j.step, Failed: len(failed), Failures: failed[:min(100, len(failed))]}
	s.Done += len(j.Tasks) - len(j.left)
	return s
}

// failures returns the errors of tasks that are not done.
func (j *job) failures() (all []Report) {
	for _, t := range slices.Sorted(maps.Keys(j.failed)) {
		if j.left[t] {
			all = append(all, j.failed[t])
		}
	}
	return all
}

// hear answers a note, and hands it on.
func (j *job) hear(m *nats.Msg) {
	_ = m.Respond(nil)
	var n note
	switch err := json.Unmarshal(m.Data, &n); {
	case err != nil:
	case n.Seat != "" && j.seated != nil:
		j.seated(n)
	case n.Word != "":
		select {
		case j.told <- n:
		case <-j.closed:
		}
	}
}

// do waits until the tasks are done.
func (j *job) do(ctx context.Context) error {
	tick := time.NewTicker(j.c.Times.Look)
	defer tick.Stop()
	for look := true; ; {
		if look || j.over() {
			if err := j.look(ctx); err != nil {
				return err
			}
			look = false
			if j.over() {
				return j.end()
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case n := <-j.told:
			if err := j.note(ctx, n); err != nil {
				return err
			}
		case <-tick.C:
			look = true
		}
	}
}

// over reports whether nothing is left but what cannot be done.
func (j *job) over() bool {
	hopeless, errors := 0, 0
	for t, r := range j.failed {
		if errors += r.Times; r.Times >= tries && j.left[t] {
			hopeless++
		}
	}
	return hopeless == len(j.left) || j.giveUp != nil && j.giveUp(errors)
}

// end announces the end of the step.
func (j *job) end() error {
	_ = j.record() // else it is the one of the last look
	if len(j.left) == 0 {
		return nil
	}
	return &Failed{j.step.Name, j.failures()}
}

// note takes a note.
func (j *job) note(ctx context.Context, n note) error {
	switch n.Word {
	case "drain":
		return errors.New("kifu cluster drain ended the work; run the same command to continue")
	case "retry":
		clear(j.failed)
		j.scarce = 1 // what is missing is queued at once
		return j.look(ctx)
	case "done":
		return j.done(n.Task)
	case "failed":
		if len(j.failed) == 0 && j.Failing != nil {
			j.Failing(n.Report)
		}
		n.Times += j.failed[n.Task].Times
		j.failed[n.Task] = n.Report
		if j.left[n.Task] && n.Times < tries {
			j.publish([]int{n.Task})
		}
	}
	return nil
}

// done notes that a task is done, which it may be twice, or by others.
func (j *job) done(task int) error {
	if !j.left[task] {
		return nil
	}
	delete(j.left, task)
	return j.Done(task)
}

// look compares what is left with the store and with the queue. A server that does not
// answer is waited for.
func (j *job) look(ctx context.Context) error {
	n, err := j.begin() // before the store: what is done in between is in both
	if j.Look != nil {
		done, fault := j.Look()
		if fault != nil {
			return fault
		}
		for _, t := range j.Tasks {
			if !done(t) {
				j.left[t] = true
			} else if err := j.done(t); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return nil
	}
	var open []int
	for t := range j.left {
		if j.failed[t].Times < tries {
			open = append(open, t)
		}
	}
	if j.scarce++; n >= len(open) {
		j.scarce = 0
	}
	if j.scarce == 2 { // before that, a report may be on its way
		j.scarce = 0
		j.requeue(ctx, open)
	}
	return nil
}

// requeue queues the open tasks that no worker has, and nothing else of the step.
func (j *job) requeue(ctx context.Context, open []int) {
	if j.c.purge(j.c.queue(j.step.Key)) != nil {
		return // the next look finds what is missing
	}
	held := map[int]bool{}
	for _, worker := range j.c.who(ctx, 500*time.Millisecond) {
		for _, l := range worker.Leases {
			held[l.Task] = held[l.Task] || l.Key == j.step.Key
		}
	}
	open = slices.DeleteFunc(open, func(t int) bool { return held[t] })
	slices.Sort(open)
	j.publish(open)
}

// window is how many messages go to the server for one that it confirms, below the 10,000 that it takes in at a time.
const window = 1024

// publish queues tasks. Most are not confirmed: the next look finds a lost one missing, and so are
// all of a server that is away.
func (j *job) publish(tasks []int) {
	subject := j.c.queue(j.step.Key)
	for i, t := range tasks {
		data := strconv.AppendInt(nil, int64(t), 10)
		err := error(nil)
		if i%window == window-1 || i == len(tasks)-1 {
			_, err = j.c.js.Publish(context.Background(), subject, data)
		} else {
			err = j.c.nc.Publish(subject, data)
		}
		if err != nil {
			return
		}
	}
}
