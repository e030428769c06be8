package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Present is a worker that answers.
type Present struct {
	Host    string  `json:"host"`
	Program string  `json:"program"`
	Slots   int     `json:"slots"`
	Leases  []Lease `json:"leases"`
}

// Lease is a task in a worker's hands.
type Lease struct {
	Key   string    `json:"key"`
	Task  int       `json:"task"`
	Since time.Time `json:"since"`
}

// present answers who is there.
func (w *Worker) present(m *nats.Msg) {
	w.mu.Lock()
	p := Present{Host: hostName(), Program: w.c.program(), Slots: w.Slots}
	for l := range w.held {
		p.Leases = append(p.Leases, l.Lease)
	}
	w.mu.Unlock()
	if data, err := json.Marshal(p); err == nil {
		_ = m.Respond(data) // whoever asked may be gone
	}
}

// who asks which workers there are, and takes the answers that come within a time.
func (c *Cluster) who(ctx context.Context, wait time.Duration) []Present {
	inbox := c.nc.NewInbox()
	sub, err := c.nc.SubscribeSync(inbox)
	if err != nil {
		return nil
	}
	defer sub.Unsubscribe()
	if c.nc.PublishRequest("kifu.who", inbox, nil) != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var all []Present
	for m, err := sub.NextMsgWithContext(ctx); err == nil; m, err = sub.NextMsgWithContext(ctx) {
		var p Present
		if json.Unmarshal(m.Data, &p) == nil && p.Host != "" {
			all = append(all, p)
		}
	}
	return all
}

// Ended reports whether nobody coordinates the step and nothing of it is left to be done.
func (s StepStatus) Ended() bool { return s.Headless && s.Queued == 0 }

// StepStatus is how far a step is.
type StepStatus struct {
	Step
	Build    string
	Queued   int // tasks, those in work included
	InWork   int
	Oldest   time.Time // when the oldest of those was begun
	Done     int       // of which the log tells
	News     time.Time // when something was told of it last
	Headless bool      // no coordinator answers: it has ended, or was killed
	Failures []Failure
}

// Status is the state of the cluster.
type Status struct {
	Steps   []StepStatus
	Workers []Present
}

// Status asks the server and the workers.
func (c *Cluster) Status(ctx context.Context) (s Status, err error) {
	s.Workers = c.who(ctx, time.Second)
	if s.Steps, err = c.steps(ctx); err != nil {
		return s, err
	}
	queued, err := c.count(ctx, queueStream, "kifu.part.>")
	if err != nil {
		return s, err
	}
	of := map[string]*StepStatus{}
	for i := range s.Steps {
		step := &s.Steps[i]
		of[step.Key], step.Headless = step, !c.coordinated(step.Key)
	}
	for subject, n := range queued {
		words := strings.Split(subject, ".")
		if step := of[words[3]]; step != nil {
			step.Build, step.Queued = words[2], int(n)
		}
	}
	for _, w := range s.Workers {
		for _, l := range w.Leases {
			step := of[l.Key]
			if step == nil {
				continue
			}
			if step.InWork++; step.Oldest.IsZero() || l.Since.Before(step.Oldest) {
				step.Oldest = l.Since
			}
		}
	}
	return s, nil
}

// steps reads what the log has of all steps.
func (c *Cluster) steps(ctx context.Context) ([]StepStatus, error) {
	told, err := c.count(ctx, logStream, "kifu.>")
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, errors.New("there was no work in this cluster yet")
	}
	if err != nil {
		return nil, err
	}
	var all []StepStatus
	for subject := range told {
		key, found := strings.CutPrefix(subject, "kifu.step.")
		if !found {
			continue
		}
		m, err := c.last(ctx, subject)
		if err != nil {
			continue
		}
		s := StepStatus{Done: int(told["kifu.done."+key]), News: m.Time}
		if json.Unmarshal(m.Data, &s.Step) != nil {
			continue
		}
		if m, err := c.last(ctx, "kifu.*."+key); err == nil {
			s.News = m.Time
		}
		if n := told["kifu.fail."+key]; n > 0 {
			if s.Failures, err = c.failures(ctx, key, int(n)); err != nil {
				return nil, err
			}
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b StepStatus) int { return strings.Compare(a.Name+a.Key, b.Name+b.Key) })
	return all, nil
}

// failures reads the n errors of a step, the last of each task.
func (c *Cluster) failures(ctx context.Context, key string, n int) ([]Failure, error) {
	cons, err := c.js.OrderedConsumer(ctx, logStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{"kifu.fail." + key}})
	if err != nil {
		return nil, err
	}
	batch, err := cons.Fetch(n, jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		return nil, err
	}
	all := failures{}
	for m := range batch.Messages() {
		var e event
		if json.Unmarshal(m.Data(), &e) == nil {
			all.add(e)
		}
	}
	return all.sorted(), batch.Error()
}

// Retry forgets the errors, so that what failed is tried again.
func (c *Cluster) Retry(ctx context.Context) error {
	if err := c.purge(ctx, logStream, "kifu.fail.*"); err != nil {
		return err
	}
	if err := c.purge(ctx, logStream, advisories+"*"); err != nil {
		return err
	}
	return c.say("retry")
}

// Drain hands out no more tasks: workers end after those that they have in hand, and so
// do coordinators.
func (c *Cluster) Drain(ctx context.Context) error {
	if err := c.say("drain"); err != nil {
		return err
	}
	return c.purge(ctx, queueStream, "kifu.part.>")
}

// say tells a word to all who listen.
func (c *Cluster) say(word string) error {
	if err := c.nc.Publish("kifu.word", []byte(word)); err != nil {
		return err
	}
	return c.nc.FlushTimeout(5 * time.Second)
}
