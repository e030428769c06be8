package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// A pool is of workers that stay with a step to answer questions about it, one after the
// other and within milliseconds: games of a generation, sums over the rows of a fit that they
// keep in memory. They come to it by way of the queue, in which there are seats; the questions
// and answers go past it, and whoever is not heard of for a while has its questions asked of
// others. Answers that are too large for a message wait in the server's bucket.
//
// On kifu.head.KEY slots report their seats, and hear whether the coordinator is still there; on kifu.ask.ID one of them
// gets questions.

// seats is how many may be at one step. Each is held by a slot of a worker.
const seats = 64

// outstanding is how many questions one of them has at a time: the next is there when it has
// answered the last.
const outstanding = 2

// Pool is the coordinator's side of it.
type Pool struct {
	job     *job
	ctx     context.Context // while there are seats; its cause explains why they are over
	over    context.CancelCauseFunc
	doing   sync.WaitGroup // the job
	changed chan struct{}

	mu      sync.Mutex
	members members
	keepers
}

// members are the slots of workers with a seat.
type members map[string]member

type member struct {
	seen time.Time // when it said so last
	idle bool      // a question sent a while ago, or its answer, was lost
}

// Gather calls workers to a step.
func (c *Cluster) Gather(ctx context.Context, s Step) (*Pool, error) {
	s.Key, s.Seats = s.Key+strconv.FormatUint(rand.Uint64(), 36), true
	p := &Pool{changed: make(chan struct{}, 1), members: members{}}
	w := Work{Done: func(int) error { return nil }, giveUp: p.hopeless, seated: p.hear}
	for i := range seats {
		w.Tasks = append(w.Tasks, i)
	}
	j, err := c.open(ctx, s, w)
	if err != nil {
		return nil, err
	}
	p.job = j
	p.ctx, p.over = context.WithCancelCause(context.WithoutCancel(ctx))
	p.doing.Go(func() { p.over(cmp.Or(j.do(p.ctx), errVacated)) })
	return p, nil
}

// errVacated is returned when every worker has left the pool: a coordinator that sleeps seems to be gone.
var errVacated = errors.New("all workers left: was this process or its machine suspended?")

// Close sends everybody away.
func (p *Pool) Close() {
	p.over(nil)
	p.job.close()
	p.doing.Wait() // else it may queue seats again
	c, key := p.job.c, p.job.step.Key
	p.mu.Lock()
	for id := range p.members {
		_ = c.nc.Publish("kifu.ask."+id, nil) // else it finds no coordinator there
	}
	p.mu.Unlock()
	_ = c.purge(c.queue(key)) // else workers find no coordinator there
	_ = p.job.records.Delete(context.Background(), key)
}

// hopeless reports whether no seat is taken after so many errors of workers that tried.
func (p *Pool) hopeless(errors int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors >= 3*tries && len(p.members) == 0
}

// hear notes which slots have seats.
func (p *Pool) hear(n note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.members[n.Seat] = member{time.Now(), n.Idle}
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// ErrGone is returned by a pool in which no worker answers.
var ErrGone = errors.New("no worker answers")

// asking is one round of questions.
type asking struct {
	*Pool
	all      []asked
	next     int // answer to be taken
	question func(i int) []byte
	section  func(i int) int
	inbox    string
}

// asked is how far a question is.
type asked struct {
	of       string // member; empty: no worker has it
	since    time.Time
	answered bool
	answer   []byte
	faults   int
}

// Room implements hands.Hands: what the server takes in a message.
func (p *Pool) Room() int { return int(p.job.c.nc.MaxPayload()) - 1<<12 }

// Ask has questions answered, and take gets the answers in order; see hands.Hands. It waits while no seat is taken.
func (p *Pool) Ask(ctx context.Context, n int, section func(i int) int, question func(i int) []byte, take func(i int, answer []byte) error) error {
	c := p.job.c
	a := &asking{Pool: p, all: make([]asked, n), section: section, question: question, inbox: c.nc.NewInbox()}
	answers := make(chan *nats.Msg, 4096)
	sub, err := c.nc.ChanSubscribe(a.inbox+".*", answers)
	if err != nil {
		return err
	}
	defer sub.Unsubscribe()
	a.begin()
	tick := time.NewTicker(c.Times.Lease / 60)
	defer tick.Stop()
	for a.next < n {
		if err := a.handOut(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ctx.Done():
			return fmt.Errorf("%w: %w", ErrGone, context.Cause(p.ctx))
		case m := <-answers:
			if err := a.hear(ctx, m); err != nil {
				return err
			}
		case <-p.changed:
		case <-tick.C:
		}
		for ; a.next < n && a.all[a.next].answered; a.next++ {
			if err := take(a.next, a.all[a.next].answer); err != nil {
				return err
			}
			a.all[a.next].answer = nil
		}
	}
	return nil
}

// begin gives each process its share of what the questions are about.
func (a *asking) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.section != nil && len(a.all) > 0 {
		a.settle(a.section(len(a.all)-1)+1, a.members)
	}
}

// handOut asks whoever has time, and drops whoever was not heard of.
func (a *asking) handOut() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	while := a.job.c.Times.Lease / 12
	for id, m := range a.members {
		if time.Since(m.seen) > while {
			a.drop(id)
		}
	}
	window := a.all[a.next:min(len(a.all), a.next+4*len(a.members)+16)] // what waits for its turn is bounded
	busy := map[string]int{}
	for i := range window {
		q := &window[i]
		if a.members[q.of].idle && time.Since(q.since) > while {
			q.of = ""
		}
		busy[q.of]++
	}
	for load := range outstanding {
		for id := range a.members {
			if busy[id] > load {
				continue
			}
			i := a.choose(id, len(window))
			if i < 0 {
				continue
			}
			a.all[i].of, a.all[i].since = id, time.Now()
			if err := a.job.c.nc.PublishRequest("kifu.ask."+id, a.inbox+"."+strconv.Itoa(i), a.question(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// choose returns the question that a member is to get next, of so many from the next answer on; -1: none. As long as its process has
// room, a question about a section without keeper, so that its slots begin with different sections, and else about a section it keeps.
func (a *asking) choose(id string, window int) int {
	name, own := process(id), -1
	for i := a.next; i < a.next+window; i++ {
		if q := &a.all[i]; q.of != "" || q.answered {
			continue
		}
		if a.section == nil {
			return i
		}
		switch keeper := a.keeper(a.section(i), i); {
		case *keeper == "" && a.room(a.members)[name] > 0:
			*keeper = name
			return i
		case *keeper == name && own < 0:
			own = i
		}
	}
	return own
}

// drop has the questions of a member that is gone asked of others.
func (a *asking) drop(id string) {
	delete(a.members, id)
	for i := range a.all {
		if a.all[i].of == id {
			a.all[i].of = ""
		}
	}
	if a.section != nil {
		a.settle(a.sections, a.members)
	}
}

// hear takes in an answer, an error, or the report that no worker is there.
func (a *asking) hear(ctx context.Context, m *nats.Msg) error {
	i, err := strconv.Atoi(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:])
	if err != nil || i < 0 || i >= len(a.all) {
		return nil // no worker that it asked
	}
	from, why, answer := m.Header.Get("From"), m.Header.Get("Error"), m.Data
	if name := m.Header.Get("Large"); name != "" {
		answer, err = a.job.c.large(ctx, name)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch q := &a.all[i]; {
	case q.answered:
	case from == "": // reported by the server
		a.drop(q.of)
	case why != "":
		if q.faults++; q.faults == tries {
			return fmt.Errorf("%w: %s: request %d failed %d times: %s", ErrGone, a.job.step.Name, i+1, tries, why)
		}
		q.of = ""
		if a.section != nil {
			*a.keeper(a.section(i), i) = ""
		}
	case err != nil:
		q.of = ""
	default:
		*q = asked{answered: true, answer: answer}
	}
	return nil
}

// large fetches an answer that was too large for a message.
func (c *Cluster) large(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Times.Lease)
	defer cancel()
	bucket, err := c.js.ObjectStore(ctx, answers)
	if err != nil {
		return nil, err
	}
	defer bucket.Delete(ctx, name)
	return bucket.GetBytes(ctx, name)
}

// Serve answers the questions of the step's coordinator, until it sends this worker away or
// is gone. It has the session's task, a seat, all that time.
func (s *Session) Serve(ctx context.Context, answer func(question []byte) ([]byte, error)) error {
	w := s.w
	if s.cur == nil || s.cur.Key != s.key {
		return errors.New("no worker slot is free")
	}
	id := w.id + "-" + strconv.FormatUint(rand.Uint64(), 36)
	questions := make(chan *nats.Msg, 4*outstanding)
	sub, err := w.c.nc.ChanSubscribe("kifu.ask."+id, questions)
	if err != nil {
		return err
	}
	defer sub.Unsubscribe()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alone := make(chan struct{})
	var last atomic.Int64 // when an answer was given; 0: one is worked out
	last.Store(time.Now().UnixNano())
	go func() {
		defer close(alone)
		for heard := time.Now(); time.Since(heard) < w.c.Times.Lease/6; {
			at := last.Load()
			idle := at > 0 && time.Since(time.Unix(0, at)) > w.c.Times.Lease/12
			if w.c.notify(s.key, note{Seat: id, Idle: idle}, w.c.Times.Lease/30) {
				heard = time.Now()
			}
			if !pause(ctx, w.c.Times.Lease/60) {
				return
			}
		}
	}()
	for {
		select {
		case <-alone:
			s.giveBack() // who asks may come back
			return ctx.Err()
		case <-w.more.Done():
			s.giveBack()
			return ctx.Err()
		case q := <-questions:
			if q.Reply == "" {
				s.Made(0)
				return nil
			}
			last.Store(0)
			if err := s.reply(ctx, q, id, answer); err != nil {
				return err
			}
			last.Store(time.Now().UnixNano())
		}
	}
}

// reply answers one question.
func (s *Session) reply(ctx context.Context, q *nats.Msg, id string, answer func(question []byte) ([]byte, error)) error {
	c, m := s.w.c, nats.NewMsg(q.Reply)
	m.Header.Set("From", id)
	data, err := answer(q.Data)
	if err == nil && len(data) > int(c.nc.MaxPayload())/2 {
		name := id + q.Reply
		m.Header.Set("Large", name)
		bucket, fault := c.js.ObjectStore(ctx, answers)
		if err = fault; err == nil {
			_, err = bucket.PutBytes(ctx, name, data)
		}
		data = nil
	}
	if err != nil {
		m.Header.Set("Error", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	m.Data = data
	return c.nc.PublishMsg(m)
}
