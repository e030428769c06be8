package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A pool is of workers that stay with a step to answer questions about it, one after the
// other and within milliseconds: games of a generation, sums over the rows of a fit that they
// keep in memory. They come to it by way of the queue, in which there are seats; the questions
// and answers go past it, and whoever is not heard of for a while has its questions asked of
// others. Answers that are too large for a message are files in a directory that all see.
//
// Subjects: kifu.pool.KEY, where those who sit say so, and hear whether the coordinator is still
// there; kifu.ask.ID, where one of them gets questions.

// seats is how many may be at one step. Each is held by a slot of a worker.
const seats = 64

// outstanding is how many questions one of them has at a time: the next is there when it has
// answered the last.
const outstanding = 2

// Pool is the coordinator's side of it.
type Pool struct {
	job     *Job
	called  *nats.Subscription
	seated  context.Context // of the seats; its cause says why they are over
	leave   context.CancelFunc
	changed chan struct{}

	mu      sync.Mutex
	members map[string]*member
	keepers keepers
}

// member is a slot of a worker that sits.
type member struct {
	seen  time.Time
	asked map[int]bool
}

// Gather calls workers to a step. Its directory for large answers must be there, or is empty.
func (c *Cluster) Gather(ctx context.Context, s Step) (*Pool, error) {
	s.Key, s.Seats = s.Key+strconv.FormatUint(rand.Uint64(), 36), true
	j, err := c.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	p := &Pool{job: j, changed: make(chan struct{}, 1), members: map[string]*member{}}
	if p.called, err = c.nc.Subscribe("kifu.pool."+s.Key, p.hear); err != nil {
		j.Close()
		return nil, err
	}
	ctx, p.leave = context.WithCancel(ctx)
	seated, over := context.WithCancelCause(context.Background())
	p.seated = seated
	w := Work{Tasks: make([]int, seats), GiveUp: p.hopeless, Done: func(int) error { return nil }}
	for i := range w.Tasks {
		w.Tasks[i] = i
	}
	go func() { over(cmp.Or(j.Do(ctx, w), errVacated)) }()
	return p, nil
}

// errVacated is that of a pool of which all have left: a coordinator that sleeps seems to be gone.
var errVacated = errors.New("all workers have left: did this process, or its machine, stand still?")

// Close sends everybody away.
func (p *Pool) Close() {
	p.called.Unsubscribe()
	p.leave()
	c := p.job.c
	p.mu.Lock()
	for id := range p.members {
		_ = c.nc.Publish("kifu.ask."+id, nil) // else it finds nobody there
	}
	p.mu.Unlock()
	p.job.Close()
	for stream, subject := range map[string]string{queueStream: c.queue(p.job.step.Key), logStream: "kifu.*." + p.job.step.Key} {
		_ = c.purge(context.Background(), stream, subject) // else workers find nobody there
	}
}

// hopeless reports whether nobody sits after so many errors of those who tried.
func (p *Pool) hopeless(errors int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors >= 3*tries && len(p.members) == 0
}

// hear notes who sits, and says that the coordinator is there.
func (p *Pool) hear(m *nats.Msg) {
	_ = m.Respond(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	id := string(m.Data)
	if p.members[id] == nil {
		p.members[id] = &member{asked: map[int]bool{}}
	}
	p.members[id].seen = time.Now()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Gone is returned when nobody answers.
type Gone struct{ Err error }

func (g *Gone) Error() string { return "no worker answers: " + g.Err.Error() }
func (g *Gone) Unwrap() error { return g.Err }

// asking is one round of questions.
type asking struct {
	*Pool
	n, next  int // all; the next answer to be taken
	question func(i int) []byte
	shelf    func(i int) int
	open     []int // questions that are in nobody's hands, ascending
	got      map[int][]byte
	faults   map[int]int
	inbox    string
}

// Ask has questions answered, and take gets the answers in order; see hands.Hands. It waits while nobody sits.
func (p *Pool) Ask(ctx context.Context, n int, shelf func(i int) int, question func(i int) []byte, take func(i int, answer []byte) error) error {
	c := p.job.c
	a := &asking{Pool: p, n: n, shelf: shelf, question: question, got: map[int][]byte{}, faults: map[int]int{}, inbox: c.nc.NewInbox()}
	for i := range n {
		a.open = append(a.open, i)
	}
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
		case <-p.seated.Done():
			return &Gone{context.Cause(p.seated)}
		case m := <-answers:
			if err := a.take(m, take); err != nil {
				return err
			}
		case <-p.changed:
		case <-tick.C:
		}
	}
	return nil
}

// begin drops the questions of an earlier round.
func (a *asking) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, m := range a.members {
		clear(m.asked)
	}
	if a.shelf != nil && a.n > 0 {
		a.settle(a.shelf(a.n-1) + 1)
	}
}

// handOut asks whoever has time, and drops whoever was not heard of.
func (a *asking) handOut() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, m := range a.members {
		if time.Since(m.seen) > a.job.c.Times.Lease/12 {
			a.drop(id)
		}
	}
	ahead := a.next + 4*len(a.members) + 16 // what waits for its turn is bounded
	for load := range outstanding {
		for id, m := range a.members {
			if len(a.open) == 0 || a.open[0] >= ahead {
				return nil
			}
			at := -1
			if len(m.asked) <= load {
				at = a.choose(id, ahead)
			}
			if at < 0 {
				continue
			}
			i := a.open[at]
			a.open, m.asked[i] = slices.Delete(a.open, at, at+1), true
			if err := a.job.c.nc.PublishRequest("kifu.ask."+id, a.inbox+"."+strconv.Itoa(i), a.question(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop has the questions of a member that is gone asked of others.
func (a *asking) drop(id string) {
	for i := range a.members[id].asked {
		a.reopen(i)
	}
	delete(a.members, id)
	if a.shelf != nil {
		a.settle(len(a.keepers))
	}
}

// reopen has a question asked once more.
func (a *asking) reopen(i int) {
	if at, there := slices.BinarySearch(a.open, i); !there {
		a.open = slices.Insert(a.open, at, i)
	}
}

// take notes an answer, and hands on those whose turn it is.
func (a *asking) take(m *nats.Msg, take func(i int, answer []byte) error) error {
	i, err := strconv.Atoi(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:])
	if err != nil {
		return nil // nobody whom it asked
	}
	if a.answered(i, m.Header.Get("From")) {
		return nil
	}
	if why := m.Header.Get("Error"); why != "" {
		if a.faults[i]++; a.faults[i] == tries {
			return &Gone{fmt.Errorf("%s: question %d, %d times: %s", a.job.step.Name, i+1, tries, why)}
		}
		if a.reopen(i); a.shelf != nil {
			a.mu.Lock()
			delete(a.keepers[a.shelf(i)], process(m.Header.Get("From")))
			a.mu.Unlock()
		}
		return nil
	}
	answer := m.Data
	if name := m.Header.Get("File"); name != "" {
		path := filepath.Join(a.job.step.Dir, filepath.Base(name))
		answer, err = os.ReadFile(path)
		os.Remove(path)
	}
	if _, twice := a.got[i]; twice || i < a.next || err != nil {
		if err != nil && i >= a.next {
			a.reopen(i)
		}
		return nil
	}
	for a.got[i] = answer; ; a.next++ {
		answer, there := a.got[a.next]
		if !there {
			return nil
		}
		delete(a.got, a.next)
		if err := take(a.next, answer); err != nil {
			return err
		}
	}
}

// answered notes that a member has answered question i, or, if it is the server that says
// that nobody is there (from is empty), drops the one that was asked, and reports that.
func (a *asking) answered(i int, from string) (gone bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if of := a.members[from]; of != nil {
		delete(of.asked, i)
	}
	for id, m := range a.members {
		if from == "" && m.asked[i] {
			a.drop(id)
		}
	}
	return from == ""
}

// coordinated reports whether a step's coordinator answers.
func (c *Cluster) coordinated(key string) bool {
	return c.answers("kifu.head."+key, nil, 2*time.Second)
}

// answers reports whether anybody answers within a time; where nobody listens the server says so at once.
func (c *Cluster) answers(subject string, data []byte, within time.Duration) bool {
	_, err := c.nc.Request(subject, data, within)
	return err == nil
}

// Serve answers the questions of the step's coordinator, until it sends this worker away or
// is gone. It has the session's task, a seat, all that time.
func (s *Session) Serve(ctx context.Context, answer func(question []byte) ([]byte, error)) error {
	slot, w, lost := s.slot, s.slot.w, make(chan struct{})
	if slot.cur == nil || slot.cur.Key != s.key {
		return errors.New("no seat is left")
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
	go func() {
		for alive := time.Now(); time.Since(alive) < w.c.Times.Lease/6; {
			if w.c.answers("kifu.pool."+s.key, []byte(id), w.c.Times.Lease/30) {
				alive = time.Now()
			}
			if !pause(ctx, w.c.Times.Lease/60) {
				return
			}
		}
		close(lost)
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-lost:
			slot.giveBack() // it may come back
			return nil
		case <-w.more.Done():
			slot.giveBack()
			return nil
		case q := <-questions:
			if q.Reply == "" {
				slot.done()
				return nil
			}
			if err := slot.reply(q, id, answer); err != nil {
				return err
			}
		}
	}
}

// reply answers one question.
func (s *slot) reply(q *nats.Msg, id string, answer func(question []byte) ([]byte, error)) error {
	m := nats.NewMsg(q.Reply)
	m.Header.Set("From", id)
	data, err := answer(q.Data)
	if err == nil && len(data) > int(s.w.c.nc.MaxPayload())/2 {
		data, err = s.aside(m, data, id)
	}
	if err != nil {
		m.Header.Set("Error", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	m.Data = data
	return s.w.c.nc.PublishMsg(m)
}

// aside writes an answer that is too large for a message where the coordinator finds it.
func (s *slot) aside(m *nats.Msg, data []byte, id string) ([]byte, error) {
	if s.dir == "" {
		return nil, fmt.Errorf("an answer of %d bytes is too large for a message, and no directory is common", len(data))
	}
	name := fmt.Sprintf("answer-%s-%s", id, m.Subject[strings.LastIndexByte(m.Subject, '.')+1:])
	m.Header.Set("File", name)
	return nil, os.WriteFile(filepath.Join(s.dir, name), data, 0o666)
}
