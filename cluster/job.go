package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Step is work that is divided into numbered tasks.
type Step struct {
	Key  string   `json:"key"`  // tells it from all others; letters and digits
	Name string   `json:"name"` // for people
	Base string   `json:"base"` // directory from which the paths of Line count
	Line []string `json:"line"` // command line of which the tasks are shares
	Host string   `json:"host"` // of the coordinator
	// Seats says that the tasks are seats of a Pool, and Dir where large answers go.
	Seats bool   `json:"seats,omitempty"`
	Dir   string `json:"dir,omitempty"`
}

// Work is what a coordinator wants done.
type Work struct {
	Tasks []int
	// Look returns which tasks are done, as the store has it; nil: those that workers tell of.
	Look func() (done func(task int) bool, err error)
	// Done is told of each task once; an error ends the work.
	Done func(task int) error
	// GiveUp ends the work after so many errors; nil: when nothing is left to be tried.
	GiveUp func(errors int) bool
}

// event is what a worker tells of a task.
type event struct {
	Task  int           `json:"task"`
	Host  string        `json:"host"`
	Took  time.Duration `json:"took"`
	Error string        `json:"error,omitempty"`
}

// tries is how many errors make a task one that cannot be done.
const tries = 3

// Failure is a task that cannot be done.
type Failure struct {
	Task  int
	Error string // the last one
	Host  string
	Times int
}

// failures are what failed, by task.
type failures map[int]Failure

// add adds what a worker tells.
func (f failures) add(e event) Failure {
	f[e.Task] = Failure{e.Task, e.Error, e.Host, f[e.Task].Times + 1}
	return f[e.Task]
}

// sorted returns them by task.
func (f failures) sorted() (all []Failure) {
	for _, t := range slices.Sorted(maps.Keys(f)) {
		all = append(all, f[t])
	}
	return all
}

// Failed is returned when all tasks are done but some that cannot be.
type Failed struct {
	Step     string
	Failures []Failure
}

// Error names the tasks, as parts from 1, with their errors.
func (f *Failed) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d parts cannot be made; the others are done", f.Step, len(f.Failures))
	for i, p := range f.Failures {
		if i == 10 {
			fmt.Fprintf(&b, "\n  … and %d more (kifu cluster failed)", len(f.Failures)-i)
			break
		}
		fmt.Fprintf(&b, "\n  part %d, %d times, last on %s: %s", p.Task+1, p.Times, p.Host, p.Error)
	}
	b.WriteString("\nMend what is wrong, then: kifu cluster retry, and the same command again.")
	return b.String()
}

// Job is the coordinator's side of a step.
type Job struct {
	c    *Cluster
	step Step

	events  chan jetstream.Msg
	words   chan *nats.Msg // what somebody tells to all
	closed  chan struct{}
	reading jetstream.ConsumeContext
	log     time.Time // since when there is the log that is read
	word    *nats.Subscription
	called  *nats.Subscription // by whoever asks whether the coordinator is there

	failed failures
	left   map[int]bool // tasks that are not done
	purged bool
	scarce int // looks in a row in which fewer tasks were queued than are left
}

// Open begins the coordination of a step. The streams are made if there are none.
func (c *Cluster) Open(ctx context.Context, s Step) (*Job, error) {
	s.Host = hostName()
	j := &Job{c: c, step: s, events: make(chan jetstream.Msg, 1024), words: make(chan *nats.Msg, 8), closed: make(chan struct{})}
	err := c.patiently(ctx, c.setUp)
	if err != nil {
		return nil, err
	}
	if j.word, err = c.nc.ChanSubscribe("kifu.word", j.words); err != nil {
		return nil, err
	}
	if j.called, err = c.nc.Subscribe("kifu.head."+s.Key, func(m *nats.Msg) { _ = m.Respond(nil) }); err != nil {
		return nil, err
	}
	if err = c.patiently(ctx, j.read); err != nil {
		j.Close()
	}
	return j, err
}

// Close ends the coordination. Tasks that are queued stay so.
func (j *Job) Close() {
	close(j.closed)
	j.word.Unsubscribe()
	j.called.Unsubscribe()
	if j.reading != nil {
		j.reading.Stop()
	}
}

// read says what the step is, and reads the log from its beginning, so that what was told
// while nobody listened counts, too. It does so again if the log is another one.
func (j *Job) read(ctx context.Context) error {
	ctx, cancel := brief(ctx)
	defer cancel()
	s, err := j.c.js.Stream(ctx, logStream)
	if err != nil {
		return err
	}
	created := s.CachedInfo().Created
	if created.Equal(j.log) {
		return nil
	}
	if j.reading != nil {
		j.reading.Stop()
	}
	j.failed = failures{}
	if err := j.c.purge(ctx, logStream, "kifu.step."+j.step.Key); err != nil {
		return err
	}
	if err := j.c.tell(ctx, "kifu.step."+j.step.Key, j.step); err != nil {
		return err
	}
	cons, err := j.c.js.OrderedConsumer(ctx, logStream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{"kifu.done." + j.step.Key, "kifu.fail." + j.step.Key, advisories + "build-" + j.c.Build},
	})
	if err != nil {
		return err
	}
	j.reading, err = cons.Consume(func(m jetstream.Msg) {
		select {
		case j.events <- m:
		case <-j.closed:
		}
	}, jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {}))
	if err == nil {
		j.log = created // else the next look reads it
	}
	return err
}

// Do has the tasks done. It returns when they are, a *Failed if some cannot be, or the
// error of ctx; tasks that are queued then stay so, and whoever calls Do again waits for
// them.
func (j *Job) Do(ctx context.Context, w Work) error {
	j.left = map[int]bool{}
	for _, t := range w.Tasks {
		j.left[t] = true
	}
	if err := j.begin(ctx, w); err != nil {
		return err
	}
	tick := time.NewTicker(j.c.Times.Look)
	defer tick.Stop()
	look := false
	for {
		if look || j.over(w) {
			if err := j.look(ctx, w); err != nil {
				return err
			}
			if look = false; j.over(w) {
				return j.end()
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-j.events:
			if err := j.hear(ctx, w, m); err != nil {
				return err
			}
		case m := <-j.words:
			if err := j.obey(ctx, w, string(m.Data)); err != nil {
				return err
			}
		case <-tick.C:
			look = true
		}
	}
}

// begin queues the tasks, unless an earlier coordinator has.
func (j *Job) begin(ctx context.Context, w Work) error {
	if w.Look != nil {
		n := 0
		err := j.c.patiently(ctx, func(ctx context.Context) (err error) {
			n, err = j.c.queued(ctx, j.step.Key)
			return err
		})
		if err != nil {
			return err
		}
		if n > 0 && n >= len(j.left) {
			return nil
		}
	}
	if !j.purged {
		return j.requeue(ctx, w)
	}
	return j.publish(w.Tasks)
}

// over reports whether nothing is left but what cannot be done.
func (j *Job) over(w Work) bool {
	hopeless, errors := 0, 0
	for t, f := range j.failed {
		if errors += f.Times; f.Times >= tries && j.left[t] {
			hopeless++
		}
	}
	return hopeless == len(j.left) || w.GiveUp != nil && w.GiveUp(errors)
}

func (j *Job) end() error {
	if len(j.left) == 0 {
		return nil
	}
	f := &Failed{Step: j.step.Name}
	for _, p := range j.failed.sorted() {
		if j.left[p.Task] {
			f.Failures = append(f.Failures, p)
		}
	}
	return f
}

// hear takes what a worker tells, or the server.
func (j *Job) hear(ctx context.Context, w Work, m jetstream.Msg) error {
	if strings.HasPrefix(m.Subject(), "$JS.") {
		j.undelivered(ctx, m)
		return nil
	}
	var e event
	if json.Unmarshal(m.Data(), &e) != nil {
		return nil
	}
	if strings.HasPrefix(m.Subject(), "kifu.done.") {
		if !j.left[e.Task] {
			return nil // done twice, or by others
		}
		delete(j.left, e.Task)
		return w.Done(e.Task)
	}
	if f := j.failed.add(e); j.left[e.Task] && f.Times < tries {
		return j.publish([]int{e.Task})
	}
	return nil
}

// undelivered takes it for an error of its own if a task was handed out over and over, and
// no worker ever answered.
func (j *Job) undelivered(ctx context.Context, m jetstream.Msg) {
	var advisory struct {
		Sequence   uint64 `json:"stream_seq"`
		Deliveries int    `json:"deliveries"`
	}
	if json.Unmarshal(m.Data(), &advisory) != nil {
		return
	}
	_ = j.c.stream(ctx, queueStream, func(ctx context.Context, s jetstream.Stream) error { // else the next look finds it missing
		raw, err := s.GetMsg(ctx, advisory.Sequence)
		if err != nil || raw.Subject != j.c.queue(j.step.Key) {
			return err
		}
		task, err := strconv.Atoi(string(raw.Data))
		if err != nil {
			return err
		}
		times := advisory.Deliveries
		if j.step.Seats { // kills of whoever sits are no fault of the seat
			times = j.failed[task].Times + 1
		}
		j.failed[task] = Failure{task, fmt.Sprintf("handed out %d times, and no worker came back with it: does it kill them?", advisory.Deliveries), "several", times}
		return s.DeleteMsg(ctx, advisory.Sequence)
	})
}

// obey does what a person tells to all.
func (j *Job) obey(ctx context.Context, w Work, word string) error {
	switch word {
	case "drain":
		return errors.New("kifu cluster drain ended the work; the same command goes on with it")
	case "retry":
		var again []int
		for t := range j.failed {
			if j.left[t] {
				again = append(again, t)
			}
		}
		clear(j.failed)
		slices.Sort(again)
		return j.publish(again)
	}
	return nil
}

// look compares what is left with the store and with the queue. A server that does not
// answer is waited for.
func (j *Job) look(ctx context.Context, w Work) error {
	n, err := j.c.queued(ctx, j.step.Key) // before the store: what is done in between is in both
	if w.Look != nil {
		done, fault := w.Look()
		if fault != nil {
			return fault
		}
		for _, t := range w.Tasks {
			switch {
			case !done(t):
				j.left[t] = true
			case j.left[t]:
				delete(j.left, t)
				if err := w.Done(t); err != nil {
					return err
				}
			}
		}
	}
	if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) { // a server with another disk
		err = j.c.setUp(ctx)
	}
	if err == nil {
		err = j.read(ctx)
	}
	if err != nil {
		return ctx.Err()
	}
	open := 0
	for t := range j.left {
		if j.failed[t].Times < tries {
			open++
		}
	}
	if n >= open {
		j.scarce = 0
		return nil
	}
	if j.scarce++; j.scarce < 2 {
		return nil // an answer may be on its way
	}
	j.scarce = 0
	return j.requeue(ctx, w)
}

// requeue queues what is left and in nobody's hands, and nothing else of the step.
func (j *Job) requeue(ctx context.Context, w Work) error {
	j.purged = true
	if j.c.purge(ctx, queueStream, j.c.queue(j.step.Key)) != nil {
		return ctx.Err() // the next look finds what is missing
	}
	held := map[int]bool{}
	for _, worker := range j.c.who(ctx, 500*time.Millisecond) {
		for _, l := range worker.Leases {
			held[l.Task] = held[l.Task] || l.Key == j.step.Key
		}
	}
	var tasks []int
	for t := range j.left {
		if !held[t] && j.failed[t].Times < tries {
			tasks = append(tasks, t)
		}
	}
	slices.Sort(tasks)
	return j.publish(tasks)
}

// window is how many messages go to the server for one that it confirms. With those that wait for
// their confirmation (see connect) they stay below the 10,000 that a server takes in at a time.
const window = 128

// publish queues tasks. Most are not confirmed: one that is lost is what the next look finds missing.
func (j *Job) publish(tasks []int) error {
	for i, t := range tasks {
		data := strconv.AppendInt(nil, int64(t), 10)
		var err error
		if i%window == window-1 || i == len(tasks)-1 {
			_, err = j.c.js.PublishAsync(j.c.queue(j.step.Key), data, jetstream.WithStallWait(10*time.Second))
		} else {
			err = j.c.nc.Publish(j.c.queue(j.step.Key), data)
		}
		if err != nil {
			break // the server is away; the next look finds what is missing
		}
	}
	select {
	case <-j.c.js.PublishAsyncComplete():
	case <-time.After(time.Minute): // the next look finds what is missing
	}
	return nil
}
