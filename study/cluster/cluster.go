// Package cluster distributes the tasks of a step to workers on other machines over NATS JetStream, with a
// work queue, leases that are kept alive, and redelivery.
//
// In: a step (a command line of kifu) and the numbers of its tasks. Out: nothing but answers. Most
// tasks make a part of a dataset. The worker commits it in the store, where the first commit wins.
// The other tasks are questions with an answer. The queue is never the truth. The coordinator finds
// finished parts in the store (Work.Look) or by the answer, and queues again what is missing and no
// longer queued. So the queue's disk may be wiped, a message lost, a task done twice.
//
//	Dial, Here    a connection to a server outside, or within this process
//	Do, Gather    the coordinator's part: queue, wait, queue again; ask
//	Worker        the workers' part: lease, do, report
//	Status …      what kifu cluster prints and does
//
// The server has a stream, the queue, with the subject kifu.part.BUILD.KEY for the tasks of a step. One bucket has
// steps and failures, another one answers too large for a message. Notes (see note) go past all these: on
// kifu.head.KEY to a step's coordinator, on kifu.all to all coordinators and workers. Only workers of the
// coordinator's own build get its tasks, since another may round otherwise.
//
// The package depends on no command, dataset or game, and is the only one that imports NATS.
package cluster

import (
	"context"
	"crypto/tls"
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

const (
	queueStream = "KIFU_PARTS" // tasks that are not done
	records     = "kifu"       // bucket: what steps are, and how far
	answers     = "kifu"       // bucket of objects: those too large for a message
)

// Times are how long what takes. They are the same for all in a cluster.
type Times struct {
	// Lease is how long a task stays with a worker that no longer reports work on it.
	Lease time.Duration
	// Look is the time between two looks into the store.
	Look time.Duration
	// Deliveries is how often a task is handed out without any answer, until it is taken for
	// one that kills its workers.
	Deliveries int
}

// Usual are the times for use; tests have shorter ones.
var Usual = Times{Lease: time.Minute, Look: 20 * time.Second, Deliveries: 10}

// Options set how the cluster is reached.
type Options struct {
	// TokenFile has a token, or the credentials of a NATS user, or a client's certificate
	// with its key. Empty: none is needed.
	TokenFile string
	CAFile    string // certificates by which the server is known, or its fingerprint; empty: the system's
	Replicas  int    // of what the server keeps: 1 or 3
	Times     Times
	Build     string // of the program: workers of another get no work
}

// Cluster is a connection. A question to the server, which may be lost, waits five seconds for its answer.
type Cluster struct {
	Options
	// Fingerprint belongs to the certificate of a server within this process; empty: it has none.
	Fingerprint string
	nc          *nats.Conn
	js          jetstream.JetStream
}

// Dial connects to a server, "nats://host:port" or "tls://host:port"; several of a cluster
// are separated by commas.
func Dial(url string, o Options) (*Cluster, error) {
	secret, err := o.secret()
	if err != nil {
		return nil, err
	}
	c, err := connect(url, o, secret...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w%s", url, err, remedy(err))
	}
	return c, nil
}

// remedy returns what helps against an error of a connection.
func remedy(err error) string {
	_, unknown := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case unknown:
		return ": add --ca, as the coordinator printed it"
	case errors.Is(err, nats.ErrAuthorization):
		return ": the server needs its token (--token-file)"
	case errors.Is(err, nats.ErrSecureConnWanted):
		return ": the server has no TLS, so write nats://"
	}
	return ""
}

// MayCome reports whether err of Dial means that a server is not there yet.
func MayCome(err error) bool {
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout)
}

// secret reads the files by which client and server know each other.
func (o Options) secret() ([]nats.Option, error) {
	var all []nats.Option
	switch {
	case strings.HasPrefix(o.CAFile, fingerprinted):
		all = append(all, knownBy(o.CAFile))
	case o.CAFile != "":
		all = append(all, nats.RootCAs(o.CAFile))
	}
	if o.TokenFile == "" {
		return all, nil
	}
	text, err := os.ReadFile(o.TokenFile)
	switch word := string(text); {
	case strings.Contains(word, "BEGIN NATS USER JWT"):
		all = append(all, nats.UserCredentials(o.TokenFile))
	case strings.Contains(word, "BEGIN CERTIFICATE"):
		all = append(all, nats.ClientCert(o.TokenFile, o.TokenFile))
	default:
		all = append(all, nats.Token(strings.TrimSpace(word)))
	}
	return all, err
}

func connect(url string, o Options, secret ...nats.Option) (*Cluster, error) {
	nc, err := nats.Connect(url, append(secret, nats.Name("kifu"),
		nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond), nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.PingInterval(10*time.Second), nats.Timeout(5*time.Second), nats.IgnoreDiscoveredServers(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // each request has its own answer
	)...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	return &Cluster{Options: o, nc: nc, js: js}, err
}

// Close ends the connection.
func (c *Cluster) Close() { c.nc.Close() }

// setUp makes what the server has for all steps, and the consumer of this build, unless they are there.
func (c *Cluster) setUp() (kv jetstream.KeyValue, err error) {
	ctx := context.Background()
	week, replicas := 7*24*time.Hour, max(1, c.Replicas)
	_, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: queueStream, Subjects: []string{"kifu.part.>"}, Retention: jetstream.WorkQueuePolicy, Replicas: replicas,
	})
	if err != nil {
		return nil, jetless(err)
	}
	if _, err = c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: answers, TTL: time.Hour, Replicas: replicas}); err != nil {
		return nil, err
	}
	if kv, err = c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: records, TTL: week, Replicas: replicas}); err != nil {
		return nil, err
	}
	_, err = c.js.CreateOrUpdateConsumer(ctx, queueStream, jetstream.ConsumerConfig{
		Durable: "build-" + c.Build, FilterSubject: c.queue(">"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.Times.Lease, MaxAckPending: -1, MaxWaiting: 1 << 15,
		InactiveThreshold: week,
	})
	return kv, err
}

// jetless names what the server lacks, if err comes of that.
func jetless(err error) error {
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
		return errors.New("the server has no JetStream: start it by nats-server --jetstream --store_dir DIR")
	}
	return err
}

// program describes this program, for people.
func (c *Cluster) program() string {
	return fmt.Sprintf("%s (%s/%s)", c.Build, runtime.GOOS, runtime.GOARCH)
}

// queue is the subject of a step's tasks.
func (c *Cluster) queue(key string) string { return "kifu.part." + c.Build + "." + key }

// queued counts the tasks that are not done, including those in work, by subject.
func (c *Cluster) queued(subjects string) (map[string]uint64, error) {
	s, err := c.js.Stream(context.Background(), queueStream)
	if err != nil {
		return nil, err
	}
	info, err := s.Info(context.Background(), jetstream.WithSubjectFilter(subjects))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// purge forgets what the queue has of a subject.
func (c *Cluster) purge(subject string) error {
	s, err := c.js.Stream(context.Background(), queueStream)
	if err == nil {
		err = s.Purge(context.Background(), jetstream.WithPurgeSubject(subject))
	}
	return err
}

// record returns what the coordinator of a step has written down.
func (c *Cluster) record(key string) (s StepStatus, err error) {
	kv, err := c.js.KeyValue(context.Background(), records)
	if err != nil {
		return s, err
	}
	e, err := kv.Get(context.Background(), key)
	if err != nil {
		return s, err
	}
	err = json.Unmarshal(e.Value(), &s)
	s.News = e.Created()
	return s, err
}

// note is a message between processes: to a step's coordinator that a task is done or failed, that a slot is at its
// pool, or nothing, to hear whether it is there; to all drain, retry, or who, which workers answer.
type note struct {
	Word string
	Seat string // of the slot
	Idle bool   // the slot has had no question for a while
	Report
}

// notify sends a coordinator a note, and reports whether it answers. Without a listener the server
// answers at once.
func (c *Cluster) notify(key string, n note, within time.Duration) bool {
	_, err := c.nc.Request("kifu.head."+key, encode(n), within)
	return err == nil
}

// coordinated reports whether a step's coordinator answers.
func (c *Cluster) coordinated(key string) bool { return c.notify(key, note{}, 2*time.Second) }

// encode returns what is sent of v.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // all that is sent has an encoding
	}
	return data
}

// patiently asks until the server answers, for a minute: servers that have just come back
// elect leaders first. Other errors are returned at once.
func (c *Cluster) patiently(ctx context.Context, ask func() error) error {
	for until := time.Now().Add(c.Times.Lease); ; {
		err := ask()
		if err == nil || ctx.Err() != nil || !electing(err) {
			return err
		}
		if time.Now().After(until) || !pause(ctx, c.Times.Lease/60) {
			return fmt.Errorf("the server does not answer (are most servers of its cluster running?): %w", err)
		}
	}
}

// electing reports whether err means that the servers have no leader yet.
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
