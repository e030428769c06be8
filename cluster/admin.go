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
		p.Leases = append(p.Leases, Lease{l.key, l.task, l.since})
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
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return all
		}
		var p Present
		if json.Unmarshal(m.Data, &p) == nil && p.Host != "" {
			all = append(all, p)
		}
	}
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
func (c *Cluster) Status(ctx context.Context) (Status, error) {
	s := Status{Workers: c.who(ctx, time.Second)}
	steps, err := c.steps(ctx)
	if err != nil {
		return s, err
	}
	queue, err := c.js.Stream(ctx, queueStream)
	if err != nil {
		return s, err
	}
	info, err := queue.Info(ctx, jetstream.WithSubjectFilter("kifu.part.>"))
	if err != nil {
		return s, err
	}
	for subject, n := range info.State.Subjects {
		words := strings.Split(subject, ".")
		if i := slices.IndexFunc(steps, func(o StepStatus) bool { return o.Key == words[3] }); i >= 0 {
			steps[i].Build, steps[i].Queued = words[2], int(n)
		}
	}
	for _, w := range s.Workers {
		for _, l := range w.Leases {
			i := slices.IndexFunc(steps, func(o StepStatus) bool { return o.Key == l.Key })
			if i < 0 {
				continue
			}
			if steps[i].InWork++; steps[i].Oldest.IsZero() || l.Since.Before(steps[i].Oldest) {
				steps[i].Oldest = l.Since
			}
		}
	}
	for i := range steps {
		steps[i].Headless = !c.coordinated(steps[i].Key)
	}
	s.Steps = steps
	return s, nil
}

// steps reads what the log has of all steps.
func (c *Cluster) steps(ctx context.Context) ([]StepStatus, error) {
	log, err := c.js.Stream(ctx, logStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, errors.New("there was no work in this cluster yet")
	}
	if err != nil {
		return nil, err
	}
	info, err := log.Info(ctx, jetstream.WithSubjectFilter("kifu.>"))
	if err != nil {
		return nil, err
	}
	var all []StepStatus
	for subject := range info.State.Subjects {
		key, found := strings.CutPrefix(subject, "kifu.step.")
		if !found {
			continue
		}
		m, err := log.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			continue
		}
		s := StepStatus{Done: int(info.State.Subjects["kifu.done."+key]), News: m.Time}
		if json.Unmarshal(m.Data, &s.Step) != nil {
			continue
		}
		if last, err := log.GetLastMsgForSubject(ctx, "kifu.*."+key); err == nil {
			s.News = last.Time
		}
		if info.State.Subjects["kifu.fail."+key] > 0 {
			if s.Failures, err = c.failures(ctx, key, int(info.State.Subjects["kifu.fail."+key])); err != nil {
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
	var all []Failure
	for m := range batch.Messages() {
		var e event
		if json.Unmarshal(m.Data(), &e) != nil {
			continue
		}
		i := slices.IndexFunc(all, func(f Failure) bool { return f.Task == e.Task })
		if i < 0 {
			i, all = len(all), append(all, Failure{})
		}
		all[i] = Failure{e.Task, e.Error, e.Host, all[i].Times + 1}
	}
	slices.SortFunc(all, func(a, b Failure) int { return a.Task - b.Task })
	return all, batch.Error()
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
