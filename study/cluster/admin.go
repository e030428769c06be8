package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Present is a worker that answers.
type Present struct {
	Host    string
	Program string
	Slots   int
	Leases  []Lease
}

// Lease is a task in a worker's hands.
type Lease struct {
	Key   string
	Task  int
	Since time.Time
}

// who asks which workers there are, and takes the answers that come within a time.
func (c *Cluster) who(ctx context.Context, wait time.Duration) (all []Present) {
	inbox := c.nc.NewInbox()
	sub, err := c.nc.SubscribeSync(inbox)
	if err != nil {
		return nil
	}
	defer sub.Unsubscribe()
	if c.nc.PublishRequest("kifu.all", inbox, encode(note{Word: "who"})) != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return all
		}
		var p Present
		if json.Unmarshal(m.Data, &p) == nil { // else it is a coordinator
			all = append(all, p)
		}
	}
}

// Connected reports whether there is a connection to the server.
func (c *Cluster) Connected() bool { return c.nc.IsConnected() }

// InWork asks the workers, and returns how many tasks of a step are in work, in how many of them, and since when the oldest.
func (c *Cluster) InWork(ctx context.Context, key string) (tasks, workers int, oldest time.Time) {
	for _, w := range c.who(ctx, time.Second) {
		before := tasks
		for _, l := range w.Leases {
			if l.Key != key {
				continue
			}
			if tasks++; oldest.IsZero() || l.Since.Before(oldest) {
				oldest = l.Since
			}
		}
		if tasks > before {
			workers++
		}
	}
	return tasks, workers, oldest
}

// StepStatus is how far a step is.
type StepStatus struct {
	Step
	Failed   int       // tasks
	Failures []Report  // a hundred of them at most, by task
	News     time.Time // when its coordinator looked last, and wrote down what is above
	Queued   int       // tasks, those in work included
	InWork   int
	Oldest   time.Time // when the oldest of those was begun
	Headless bool      // no coordinator answers: it has ended, or was killed
}

// Ended reports whether the step has no coordinator and no work left.
func (s StepStatus) Ended() bool { return s.Headless && s.Queued == 0 }

// Status is the state of the cluster.
type Status struct {
	Steps   []*StepStatus // by name
	Workers []Present
}

// Status asks the server, the coordinators and the workers.
func (c *Cluster) Status(ctx context.Context) (s Status, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s.Workers = c.who(ctx, time.Second)
	kv, err := c.js.KeyValue(ctx, records)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return s, errors.New("no work on this cluster yet")
	}
	if err != nil {
		return s, jetless(err)
	}
	keys, err := kv.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		return s, err
	}
	of := map[string]*StepStatus{}
	for _, key := range keys {
		if step, err := c.record(key); err == nil { // else it was forgotten meanwhile
			step.Headless = !c.coordinated(key)
			s.Steps, of[key] = append(s.Steps, &step), &step
		}
	}
	queued, err := c.queued("kifu.part.>")
	if err != nil {
		return s, err
	}
	for subject, n := range queued {
		if step := of[strings.Split(subject, ".")[3]]; step != nil {
			step.Queued = int(n)
		}
	}
	for _, w := range s.Workers {
		for _, l := range w.Leases {
			step := of[l.Key]
			if step == nil {
				continue
			}
			step.InWork++
			step.Queued = max(step.Queued, step.InWork) // a drain empties the queue
			if step.Oldest.IsZero() || l.Since.Before(step.Oldest) {
				step.Oldest = l.Since
			}
		}
	}
	slices.SortFunc(s.Steps, func(a, b *StepStatus) int { return strings.Compare(a.Name+a.Key, b.Name+b.Key) })
	return s, nil
}

// Retry has coordinators forget the errors, so that what failed is tried again.
func (c *Cluster) Retry() error { return c.broadcast("retry") }

// Drain hands out no more tasks: workers end after those that they have in hand, and so
// do coordinators.
func (c *Cluster) Drain() error {
	if err := c.broadcast("drain"); err != nil {
		return err
	}
	if err := c.purge("kifu.part.>"); !errors.Is(err, jetstream.ErrStreamNotFound) {
		return jetless(err)
	}
	return nil // there has been no work yet
}

// broadcast publishes a word to all listeners.
func (c *Cluster) broadcast(word string) error {
	if err := c.nc.Publish("kifu.all", encode(note{Word: word})); err != nil {
		return err
	}
	return c.nc.FlushTimeout(5 * time.Second)
}
