// Package cluster has the tasks of a step done by workers on other machines, by way of
// NATS JetStream: a work queue, leases that are kept alive, redelivery.
//
// In: a step (a command line of kifu) and the numbers of its tasks. Out: nothing but
// answers. Most tasks make a part of a dataset, which the worker commits in the store,
// where the first one wins; the rest are questions with an answer. The queue is never the
// truth. What is made, the coordinator sees in the store (Work.Look) or by the answer,
// and what is missing and not queued any more it queues again: so the queue's disk may be
// wiped, a message lost, a task done twice.
//
//	Dial, Here    a connection to a server outside, or within this process
//	Open, Do      the coordinator's part: queue, wait, queue again
//	Worker        the workers' part: lease, do, tell
//	Status …      what kifu cluster says and does
//
// Subjects: kifu.part.BUILD.KEY is the queue of a step; kifu.step.KEY says what the step is;
// kifu.done.KEY and kifu.fail.KEY are what workers tell; kifu.head.KEY is answered by its
// coordinator; kifu.who and kifu.word are asked and told to whoever listens. Only workers of the coordinator's own build get its tasks, since
// another may round otherwise.
//
// The package knows no command, dataset or game, and is the only one that imports NATS.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The streams.
const (
	queueStream = "KIFU_PARTS" // tasks that nobody has done
	logStream   = "KIFU_LOG"   // steps, what workers tell, and the server of tasks that it delivers no more
	advisories  = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + queueStream + "."
)

// Times are how long what takes. They are the same for all in a cluster.
type Times struct {
	// Lease is how long a task stays with a worker that no longer says that it is at it.
	Lease time.Duration
	// Look is the time between two looks into the store.
	Look time.Duration
	// Deliveries is how often a task is handed out without any answer, until it is taken for
	// one that kills its workers.
	Deliveries int
}

// Usual are the times for use; tests have shorter ones.
var Usual = Times{Lease: time.Minute, Look: 20 * time.Second, Deliveries: 10}

// Options say how the cluster is reached.
type Options struct {
	// TokenFile has a token, or the credentials of a NATS user, or a client's certificate
	// with its key. Empty: none is needed.
	TokenFile string
	CAFile    string // certificates by which the server is known; empty: the system's
	Replicas  int    // of the streams: 1 or 3
	Times     Times
	Build     string // of the program: workers of another get no work
}

// Cluster is a connection.
type Cluster struct {
	Options
	nc *nats.Conn
	js jetstream.JetStream
}

// Dial connects to a server, "nats://host:port" or "tls://host:port"; several of a cluster
// are separated by commas.
func Dial(url string, o Options) (*Cluster, error) {
	secret, err := o.secret()
	if err != nil {
		return nil, err
	}
	c, err := connect(o, append(secret, nats.Name("kifu"))...)(url)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return c, nil
}

// MayCome reports whether err of Dial is that of a server that is not there yet.
func MayCome(err error) bool {
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout)
}

// secret reads the files by which client and server know each other.
func (o Options) secret() ([]nats.Option, error) {
	var all []nats.Option
	if o.CAFile != "" {
		all = append(all, nats.RootCAs(o.CAFile))
	}
	if o.TokenFile == "" {
		return all, nil
	}
	text, err := os.ReadFile(o.TokenFile)
	if err != nil {
		return nil, err
	}
	switch word := string(text); {
	case strings.Contains(word, "BEGIN NATS USER JWT"):
		all = append(all, nats.UserCredentials(o.TokenFile))
	case strings.Contains(word, "BEGIN CERTIFICATE"):
		all = append(all, nats.ClientCert(o.TokenFile, o.TokenFile))
	default:
		all = append(all, nats.Token(strings.TrimSpace(word)))
	}
	return all, nil
}

func connect(o Options, more ...nats.Option) func(url string) (*Cluster, error) {
	return func(url string) (*Cluster, error) {
		nc, err := nats.Connect(url, append([]nats.Option{
			nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
			nats.PingInterval(10 * time.Second), nats.Timeout(5 * time.Second), nats.IgnoreDiscoveredServers(),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // each request has its own answer
		}, more...)...)
		if err != nil {
			return nil, err
		}
		js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(32), jetstream.WithPublishAsyncTimeout(30*time.Second))
		if err != nil {
			nc.Close()
			return nil, err
		}
		return &Cluster{o, nc, js}, nil
	}
}

// Close ends the connection.
func (c *Cluster) Close() { c.nc.Close() }

// setUp makes the streams, and the consumer of this build, unless they are there.
func (c *Cluster) setUp(ctx context.Context) error {
	ctx, cancel := brief(ctx)
	defer cancel()
	day := 24 * time.Hour
	for _, s := range []jetstream.StreamConfig{
		{Name: queueStream, Subjects: []string{"kifu.part.>"}, Retention: jetstream.WorkQueuePolicy, Duplicates: 10 * time.Second},
		{Name: logStream, Subjects: []string{"kifu.step.*", "kifu.done.*", "kifu.fail.*", advisories + "*"}, MaxAge: 7 * day, MaxBytes: 4 << 30, Duplicates: 10 * time.Second},
	} {
		s.Replicas = max(1, c.Replicas)
		if _, err := c.js.CreateOrUpdateStream(ctx, s); err != nil {
			return fmt.Errorf("stream %s: %w (has the server JetStream? nats-server --jetstream --store_dir DIR)", s.Name, err)
		}
	}
	_, err := c.js.CreateOrUpdateConsumer(ctx, queueStream, jetstream.ConsumerConfig{
		Durable: "build-" + c.Build, FilterSubject: c.queue(">"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.Times.Lease, MaxDeliver: c.Times.Deliveries, MaxAckPending: -1, MaxWaiting: 1 << 15,
		InactiveThreshold: 7 * day, Metadata: map[string]string{"program": c.program()},
	})
	return err
}

// program says what runs here, for people.
func (c *Cluster) program() string {
	return fmt.Sprintf("%s (%s/%s)", c.Build, runtime.GOOS, runtime.GOARCH)
}

// queue is the subject of a step's tasks.
func (c *Cluster) queue(key string) string { return "kifu.part." + c.Build + "." + key }

// queued counts the tasks of a step that nobody has done, those in work included.
func (c *Cluster) queued(ctx context.Context, key string) (int, error) {
	n, err := c.count(ctx, queueStream, c.queue(key))
	return int(n[c.queue(key)]), err
}

// count counts the messages that a stream has, subject by subject.
func (c *Cluster) count(ctx context.Context, stream, subjects string) (n map[string]uint64, err error) {
	err = c.stream(ctx, stream, func(ctx context.Context, s jetstream.Stream) error {
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(subjects))
		if err == nil {
			n = info.State.Subjects
		}
		return err
	})
	return n, err
}

// purge forgets what a stream has of a subject.
func (c *Cluster) purge(ctx context.Context, stream, subject string) error {
	return c.stream(ctx, stream, func(ctx context.Context, s jetstream.Stream) error {
		return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	})
}

// last returns the last message that the log has of a subject.
func (c *Cluster) last(ctx context.Context, subject string) (m *jetstream.RawStreamMsg, err error) {
	err = c.stream(ctx, logStream, func(ctx context.Context, s jetstream.Stream) (err error) {
		m, err = s.GetLastMsgForSubject(ctx, subject)
		return err
	})
	return m, err
}

// stream asks for a stream, and it something, of which the answers may be lost.
func (c *Cluster) stream(ctx context.Context, name string, ask func(context.Context, jetstream.Stream) error) error {
	ctx, cancel := brief(ctx)
	defer cancel()
	s, err := c.js.Stream(ctx, name)
	if err != nil {
		return err
	}
	return ask(ctx, s)
}

// tell publishes v on a subject of the log, and waits until the server has it.
func (c *Cluster) tell(ctx context.Context, subject string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = c.js.Publish(ctx, subject, data)
	}
	return err
}

// brief is ctx for one question to the server, whose answer may be lost.
func brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 5*time.Second)
}

// patiently asks until the server answers, for a minute: servers that have just come back
// elect leaders first. Other errors are returned at once.
func (c *Cluster) patiently(ctx context.Context, ask func(context.Context) error) error {
	for until := time.Now().Add(c.Times.Lease); ; {
		err := ask(ctx)
		if err == nil || ctx.Err() != nil || !electing(err) {
			return err
		}
		if time.Now().After(until) || !pause(ctx, c.Times.Lease/60) {
			return fmt.Errorf("the server gives no answer (have most of its cluster's servers been started?): %w", err)
		}
	}
}

// electing reports whether err is that of servers that have no leader yet.
func electing(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &api) && (api.ErrorCode == 10005 || api.ErrorCode == 10008) // no peers, temporarily unavailable
}

// pause waits for d, more or less, and reports whether ctx lasted.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d/2 + rand.N(d)):
		return true
	}
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	return fmt.Sprintf("%s:%d", name, os.Getpid())
}
