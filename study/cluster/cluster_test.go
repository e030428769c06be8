//go:build unix

package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kifu/internal/step"
	"kifu/kit/slow"
)

// The tests' tasks make files: task i of the line [N, SLEEP, POISON] makes file i, whose
// text is a function of i, by a link that the first one wins.

// short are times for tests. On a machine under load a worker at work must still say so within its lease.
var short = Times{Lease: 5 * time.Second, Look: 200 * time.Millisecond, Deliveries: 3}

// TestMain is a worker if it is started as one.
func TestMain(m *testing.M) {
	if url := os.Getenv("KIFU_TEST_WORKER"); url != "" {
		times := short
		lease, err := time.ParseDuration(os.Getenv("KIFU_TEST_LEASE"))
		if err != nil {
			panic(err)
		}
		times.Lease = lease
		c, err := Dial(url, Options{TokenFile: os.Getenv("KIFU_TEST_TOKEN"), Times: times, Build: "b1"})
		if err == nil {
			err = newWorker(1).Run(context.Background(), c)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil { // they wait, mostly
		panic(err)
	}
	os.Exit(m.Run())
}

func newWorker(slots int) *Worker {
	return &Worker{Slots: slots, Do: makeFiles, Log: func(string, ...any) {}}
}

// text is what part i has.
func text(i int) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(strconv.Itoa(i)))) }

// makeFiles does the tasks of a session; a file "poison-I" makes task I fail, "killer-I"
// kills its worker, "sleeper-I" stops the first one.
func makeFiles(ctx context.Context, s Step, session *Session) error {
	if s.Seats {
		return session.Serve(ctx, answer)
	}
	n, _ := strconv.Atoi(s.Work.Inputs[0])
	sleep, err := time.ParseDuration(s.Work.Inputs[1])
	if err != nil {
		return err
	}
	at := func(name string, i int) string { return filepath.Join(s.Base, fmt.Sprintf("%s-%d", name, i)) }
	for i := range n {
		if !session.Next(i) {
			continue
		}
		if _, err := os.Stat(at("part", i)); err == nil {
			session.Made(i)
			continue
		}
		time.Sleep(sleep)
		if os.Remove(at("sleeper", i)) == nil {
			syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			time.Sleep(100 * time.Millisecond) // within which it takes effect
		}
		if _, err := os.Stat(at("poison", i)); err == nil {
			return fmt.Errorf("part %d is poison", i)
		}
		if _, err := os.Stat(at("killer", i)); err == nil {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		tmp := at(fmt.Sprintf("tmp-%d-%p", os.Getpid(), session), i)
		if err := os.WriteFile(tmp, []byte(text(i)), 0o666); err != nil {
			return err
		}
		if err := os.Link(tmp, at("part", i)); errors.Is(err, fs.ErrExist) {
			os.Link(tmp, at(fmt.Sprintf("twice-%d", os.Getpid()), i))
		}
		os.Remove(tmp)
		session.Made(i)
	}
	return nil
}

// site is a cluster with a server in this process, and a store.
type site struct {
	t            *testing.T
	url, address string
	token, queue string
	store        string
	times        Times
	failing      atomic.Int32 // first failures of steps
	stop         func()
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, address: "127.0.0.1:0", token: filepath.Join(t.TempDir(), "token"), queue: t.TempDir(), store: t.TempDir(), times: short}
	if err := os.WriteFile(s.token, []byte("a token for tests\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.address = strings.TrimPrefix(s.url, "nats://")
	t.Cleanup(func() { s.stop() })
	return s
}

// start starts the server, or starts it again.
func (s *site) start() {
	s.t.Helper()
	c, url, stop, err := Here(s.address, s.queue, "a token for tests", Options{TokenFile: s.token, Times: short, Build: "b1"})
	if err != nil {
		s.t.Fatal(err)
	}
	c.Close()
	s.url, s.stop = url, stop
}

func (s *site) dial(build string) *Cluster {
	s.t.Helper()
	c, err := Dial(s.url, Options{TokenFile: s.token, Times: s.times, Build: build})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

// work runs a worker within this process.
func (s *site) work(ctx context.Context, w *Worker) {
	c := s.dial("b1")
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	go func() { defer close(done); w.Run(ctx, c) }()
	s.t.Cleanup(func() { cancel(); <-done })
}

// spawn starts a worker as a process.
func (s *site) spawn() *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "KIFU_TEST_WORKER="+s.url, "KIFU_TEST_TOKEN="+s.token, "KIFU_TEST_LEASE="+s.times.Lease.String())
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

func (s *site) step(n int, sleep string) Step {
	return Step{Key: "k" + strconv.Itoa(n), Name: "files", Base: s.store, Work: step.Step{Inputs: []string{strconv.Itoa(n), sleep}}}
}

func (s *site) made(i int) bool {
	_, err := os.Stat(filepath.Join(s.store, fmt.Sprintf("part-%d", i)))
	return err == nil
}

// coordinate has n tasks done, and returns how many the coordinator was told of.
func (s *site) coordinate(ctx context.Context, n int, sleep string, done func(told int)) error {
	c, err := Dial(s.url, Options{TokenFile: s.token, Times: short, Build: "b1"})
	if err != nil {
		return err
	}
	defer c.Close()
	w, told := Work{Look: func() (func(int) bool, error) { return s.made, nil }}, 0
	w.Failing = func(Report) { s.failing.Add(1) }
	w.Done = func(int) error {
		told++
		done(told)
		return nil
	}
	for i := range n {
		if !s.made(i) {
			w.Tasks = append(w.Tasks, i)
		}
	}
	step := s.step(n, sleep)
	step.Done = n - len(w.Tasks)
	return c.Do(ctx, step, w)
}

// check compares the store with what is to be there, and returns how many tasks were done
// more than once.
func (s *site) check(n int, but ...int) (twice int) {
	s.t.Helper()
	missing := map[int]bool{}
	for _, i := range but {
		missing[i] = true
	}
	for i := range n {
		got, err := os.ReadFile(filepath.Join(s.store, fmt.Sprintf("part-%d", i)))
		if missing[i] != (err != nil) || err == nil && string(got) != text(i) {
			s.t.Errorf("part %d: %q, %v", i, got, err)
		}
	}
	all, err := filepath.Glob(filepath.Join(s.store, "twice-*"))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(all)
}

func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestParts: several workers make every part once, and the coordinator is told of each.
func TestParts(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.work(ctx, newWorker(2))
	s.work(ctx, newWorker(1))
	told := 0
	if err := s.coordinate(ctx, 300, "0s", func(n int) { told = n }); err != nil {
		t.Fatal(err)
	}
	if twice := s.check(300); twice > 0 || told != 300 {
		t.Errorf("%d parts made twice; told of %d", twice, told)
	}
}

// TestTotals: while tasks are in work the coordinator can see how many and where, and workers count what they have done.
func TestTotals(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	first, second, c := newWorker(2), newWorker(1), s.dial("b1")
	s.work(ctx, first)
	s.work(ctx, second)
	began, most, where := time.Now(), 0, 0
	if err := s.coordinate(ctx, 30, "300ms", func(told int) {
		if told > 3 {
			return
		}
		if tasks, _, _ := c.InWork(ctx, "k31"); tasks != 0 {
			t.Errorf("%d tasks in work of a step that is not there", tasks)
		}
		if tasks, workers, oldest := c.InWork(ctx, "k30"); tasks > most {
			most, where = tasks, workers
			if oldest.Before(began) || oldest.After(time.Now()) {
				t.Errorf("the oldest of %d tasks is of %v", tasks, oldest)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if most < 2 || most > 3 || where != 2 {
		t.Errorf("at most %d tasks in work at %d workers, of three slots of two", most, where)
	}
	a, failed := first.Totals()
	b, more := second.Totals()
	if a+b != 30 || a == 0 || b == 0 || failed+more != 0 {
		t.Errorf("%d and %d tasks done, %d failed, want 30", a, b, failed+more)
	}
}

// answer is text, so many times as the question says after the number; "sour" is an error.
func answer(q []byte) ([]byte, error) {
	words := strings.Fields(string(q))
	if words[1] == "who" {
		return strconv.AppendInt(nil, int64(os.Getpid()), 10), nil
	}
	i, _ := strconv.Atoi(words[0])
	times, err := strconv.Atoi(words[1])
	if err != nil {
		return nil, errors.New("a sour question")
	}
	time.Sleep(time.Millisecond)
	return []byte(strings.Repeat(text(i), times)), nil
}

// TestPool: questions are answered in order, in rounds, though the workers are killed and one
// has not come yet; large answers, too; what is asked ahead of an end is dropped.
func TestPool(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	workers := []*exec.Cmd{s.spawn(), s.spawn()}
	c := s.dial("b1")
	p, err := c.Gather(ctx, s.step(1, "0s"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const large = 1 << 16 // times 64: four megabytes
	for round := range 4 {
		taken := 0
		err := p.Ask(ctx, 200, nil, func(i int) []byte {
			times := 1
			if i == 150 {
				times = large
			}
			return fmt.Appendf(nil, "%d %d", i+round, times)
		}, func(i int, got []byte) error {
			want := text(i + round)
			if i == 150 {
				want = strings.Repeat(want, large)
			}
			if i != taken || string(got) != want {
				t.Errorf("round %d: answer %d in place %d has %d bytes, %.10q", round, i, taken, len(got), got)
			}
			if taken++; taken == 50 && round > 0 {
				workers[round%2].Process.Kill()
				workers[round%2].Wait()
				workers[round%2] = s.spawn()
			}
			return nil
		})
		if err != nil || taken != 200 {
			t.Fatalf("round %d: %d taken, %v", round, taken, err)
		}
	}
	enough, taken := errors.New("enough"), 0
	err = p.Ask(ctx, 1000, nil, func(i int) []byte { return fmt.Appendf(nil, "%d 1", i) }, func(int, []byte) error {
		if taken++; taken == 30 {
			return enough
		}
		return nil
	})
	if err != enough || taken != 30 {
		t.Errorf("%d taken, %v", taken, err)
	}
	err = p.Ask(ctx, 2, nil, func(i int) []byte { return []byte("1 x") }, func(int, []byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "3 times: a sour question") {
		t.Errorf("the pool says %v", err)
	}
	bucket, err := c.js.ObjectStore(ctx, answers)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := bucket.List(ctx); err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) || len(left) > 3 { // one a kill at most
		t.Errorf("left in the bucket: %v, %v", left, err)
	}
}

// TestPoolLost: questions that are lost on their way, or whose answers are, as those of a server that dies, are asked again.
func TestPoolLost(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	c := s.dial("b1")
	p, err := c.Gather(ctx, s.step(1, "0s"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var lost atomic.Int32
	if _, err := c.nc.Subscribe("kifu.ask.deaf-1", func(*nats.Msg) { lost.Add(1) }); err != nil {
		t.Fatal(err)
	}
	go func() {
		for pause(ctx, 20*time.Millisecond) && c.notify(p.job.step.Key, note{Seat: "deaf-1", Idle: true}, time.Second) {
		}
	}()
	for lost.Load() < outstanding {
		hurry, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		if err := p.Ask(hurry, 4, nil, func(int) []byte { return nil }, func(int, []byte) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
	}
	s.work(ctx, newWorker(1))
	asked, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := p.Ask(asked, 20, nil, func(i int) []byte { return fmt.Appendf(nil, "%d 1", i) }, func(int, []byte) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestPoolKeeps: questions about one thing go to one process, round after round, of which each has a half; what one has kept
// that is killed goes to the other.
func TestPoolKeeps(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.times.Lease = 30 * time.Second // a process that says nothing for a twelfth of it has its questions asked of others
	workers := []*exec.Cmd{s.spawn(), s.spawn()}
	p, err := s.dial("b1").Gather(ctx, s.step(1, "0s"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for both := 0; both < 2; pause(ctx, 20*time.Millisecond) {
		p.mu.Lock()
		both = len(p.members)
		p.mu.Unlock()
	}
	ask := func() (by [8]string) { // as many questions as are asked ahead of an answer, so that all numbers are to be had
		t.Helper()
		if err := p.Ask(ctx, 24, func(i int) int { return i / 3 }, func(int) []byte { return []byte("0 who") }, func(i int, answer []byte) error {
			if by[i/3] != "" && by[i/3] != string(answer) {
				t.Errorf("question %d is answered by %s, one before it by %s", i, answer, by[i/3])
			}
			by[i/3] = string(answer)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return by
	}
	by := ask()
	mine := 0
	for _, pid := range by {
		if pid == strconv.Itoa(workers[0].Process.Pid) {
			mine++
		}
	}
	if mine != 4 {
		t.Errorf("of 8 one keeps %d: %v", mine, by)
	}
	for range 3 {
		if now := ask(); now != by {
			t.Errorf("kept by %v, then by %v", by, now)
		}
	}
	workers[0].Process.Kill()
	workers[0].Wait()
	for i, pid := range ask() {
		if pid != strconv.Itoa(workers[1].Process.Pid) {
			t.Errorf("%d is kept by %s, who is gone", i, pid)
		}
	}
}

// TestPoolLeaves: workers whose coordinator ends, in order or not, do other work, and a seat
// that cannot be taken ends the pool.
func TestPoolLeaves(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.work(ctx, newWorker(2))
	for _, tidy := range []bool{true, false} {
		c := s.dial("b1")
		p, err := c.Gather(ctx, s.step(1, "0s"))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Ask(ctx, 10, nil, func(i int) []byte { return fmt.Appendf(nil, "%d 1", i) }, func(int, []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if tidy {
			p.Close()
		} else {
			c.Close()
		}
		if err := s.coordinate(ctx, 20, "0s", func(int) {}); err != nil {
			t.Fatal(err)
		}
		s.check(20)
		for i := range 20 {
			os.Remove(filepath.Join(s.store, fmt.Sprintf("part-%d", i)))
		}
	}
	w := newWorker(1)
	w.Do = func(context.Context, Step, *Session) error { return errors.New("no chair") }
	broken, stop := context.WithCancel(ctx)
	defer stop()
	other := newSite(t)
	other.work(broken, w)
	p, err := other.dial("b1").Gather(ctx, other.step(1, "0s"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	err = p.Ask(ctx, 1, nil, func(int) []byte { return nil }, func(int, []byte) error { return nil })
	var failed *Failed
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "no chair") {
		t.Errorf("the pool says %v", err)
	}
}

// TestPoolVacated: a pool whose seats have all been given back, as those of a coordinator that slept, says so.
func TestPoolVacated(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	p, err := s.dial("b1").Gather(ctx, s.step(1, "0s"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i := range seats {
		if !p.job.c.notify(p.job.step.Key, note{Word: "done", Report: Report{Task: i}}, time.Second) {
			t.Fatal("the coordinator does not answer")
		}
	}
	for range 2 {
		err = p.Ask(ctx, 1, nil, func(int) []byte { return nil }, func(int, []byte) error { return nil })
		if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), "no worker answers: all workers left") {
			t.Errorf("the pool says %v", err)
		}
	}
}

// TestKills: workers that are killed at random lose nothing; no more is done twice than
// was killed.
func TestKills(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	workers := []*exec.Cmd{s.spawn(), s.spawn()}
	kills := 0
	err := s.coordinate(ctx, 120, "10ms", func(told int) {
		if told%20 == 10 {
			w := kills % 2
			workers[w].Process.Kill()
			workers[w].Wait()
			workers[w] = s.spawn()
			kills++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if twice := s.check(120); twice > kills || kills < 5 {
		t.Errorf("%d kills, %d parts made twice", kills, twice)
	}
}

// TestServerKilled: the server goes away with all that it had, and comes back empty.
func TestServerKilled(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.work(ctx, newWorker(2))
	var gone atomic.Bool
	var back sync.WaitGroup
	err := s.coordinate(ctx, 100, "10ms", func(told int) {
		if told == 30 {
			gone.Store(true)
			back.Go(func() {
				s.stop()
				os.RemoveAll(s.queue)
				time.Sleep(500 * time.Millisecond)
				s.start()
			})
		}
	})
	back.Wait()
	if err != nil || !gone.Load() {
		t.Fatal(err)
	}
	s.check(100)
}

// TestServerGone: a coordinator whose server is gone when it looks, and does not come back, ends when the store has all, and
// so does a pool.
func TestServerGone(t *testing.T) {
	s := newSite(t)
	c, pooled := s.dial("b1"), s.dial("b1")
	j, err := c.open(t.Context(), s.step(1, "0s"), Work{Tasks: []int{0}, Look: func() (func(int) bool, error) { return func(int) bool { return true }, nil }, Done: func(int) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	p, err := pooled.Gather(t.Context(), Step{Key: "seats", Name: "seats", Base: s.store})
	if err != nil {
		t.Fatal(err)
	}
	c.Close() // a request fails at once then
	pooled.Close()
	if err := j.do(t.Context()); err != nil {
		t.Error(err)
	}
	time.Sleep(2 * short.Look) // it looks, too
	p.Close()
}

// TestPurged: messages that are lost are queued again by the coordinator that runs.
func TestPurged(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.work(ctx, newWorker(1))
	c := s.dial("b1")
	if err := s.coordinate(ctx, 60, "5ms", func(told int) {
		if told == 5 {
			if err := c.purge("kifu.part.>"); err != nil {
				t.Error(err)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	s.check(60)
}

// TestStopped: a worker that is asleep past its time loses its part to another, and does no
// harm when it wakes.
func TestStopped(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	if err := os.WriteFile(filepath.Join(s.store, "sleeper-3"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	asleep := s.spawn()
	err := s.coordinate(ctx, 20, "10ms", func(told int) {
		if told == 3 {
			s.work(ctx, newWorker(1))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if twice := s.check(20); twice != 0 {
		t.Errorf("%d parts made twice before it wakes", twice)
	}
	if err := asleep.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); s.check(20) != 1; time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("the worker that woke never finished its part")
		}
	}
}

// TestOtherBuild: a worker of another build does none of the work, says so once, and ends as an idle one.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	said, ended := make(chan string, 100), make(chan error, 1)
	w, other := newWorker(2), s.dial("b2")
	w.Idle, w.Log = 3*s.times.Lease, func(format string, args ...any) { said <- fmt.Sprintf(format, args...) }
	cancelled, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.coordinate(cancelled, 5, "0s", func(int) {})
	go func() { ended <- w.Run(ctx, other) }()
	if err := <-ended; err != nil {
		t.Errorf("the worker ends with %v", err)
	}
	if text := <-said; !strings.Contains(text, "work of build b1 is left") || !strings.Contains(text, "this is build b2") || len(said) > 0 {
		t.Errorf("the worker says %q, and %d lines more", text, len(said))
	}
	s.check(5, 0, 1, 2, 3, 4)
}

// TestPoison: a part that cannot be made is named with its error, the others are done; when
// what is wrong is mended, and not before, it is made.
func TestPoison(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	s.work(ctx, newWorker(2))
	poison := filepath.Join(s.store, "poison-7")
	if err := os.WriteFile(poison, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var failed *Failed
	for range 2 { // a second coordinator tries again
		err := s.coordinate(ctx, 20, "0s", func(int) {})
		if !errors.As(err, &failed) || len(failed.Failures) != 1 || failed.Failures[0].Times != tries ||
			failed.Failures[0].Task != 7 || failed.Failures[0].Host == "" || !strings.Contains(err.Error(), "part 7 is poison") {
			t.Fatalf("the coordinator says %v", err)
		}
	}
	if n := s.failing.Load(); n != 2 {
		t.Errorf("two coordinators say %d times that a part fails", n)
	}
	s.check(20, 7)
	c := s.dial("b1")
	status, err := c.Status(ctx)
	if err != nil || len(status.Steps) != 1 || len(status.Steps[0].Failures) != 1 || status.Steps[0].Done != 19 || len(status.Workers) != 1 {
		t.Errorf("status: %+v, %v", status, err)
	}
	os.Remove(poison)
	if err := c.Retry(); err != nil {
		t.Fatal(err)
	}
	if err := s.coordinate(ctx, 20, "0s", func(int) {}); err != nil {
		t.Fatal(err)
	}
	s.check(20)
}

// TestManyFail: the record of a step in which everything fails at length fits into a message.
func TestManyFail(t *testing.T) {
	j := &job{step: Step{Name: "files", Done: 5}, left: map[int]bool{}, failed: map[int]Report{}}
	for i := range 5000 {
		j.Tasks, j.left[i] = append(j.Tasks, i), i != 4
		j.failed[i] = Report{Task: i, Error: strings.Repeat("<", 1000), Times: 3}
	}
	delete(j.left, 4)
	s := j.status()
	if s.Failed != 4999 || len(s.Failures) != 100 || s.Failures[4].Task != 5 || s.Done != 6 || len(encode(s)) > 1<<20 {
		t.Errorf("%d failed, %d are named, done %d, %d bytes", s.Failed, len(s.Failures), s.Done, len(encode(s)))
	}
}

// TestRetry: a coordinator at work that is told to forget errors has what failed made after all.
func TestRetry(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	poison, repaired := filepath.Join(s.store, "poison-7"), make(chan struct{})
	if err := os.WriteFile(poison, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	busy := newWorker(1) // with a part in hand until then, so that there is a coordinator
	busy.Do = func(ctx context.Context, step Step, session *Session) error {
		<-repaired
		return makeFiles(ctx, step, session)
	}
	s.work(ctx, busy)
	ended := make(chan error, 1)
	go func() { ended <- s.coordinate(ctx, 20, "0s", func(int) {}) }()
	c := s.dial("b1")
	status := func() (now StepStatus) {
		if all, err := c.Status(ctx); err == nil && len(all.Steps) == 1 {
			now = *all.Steps[0]
		}
		return now
	}
	for status().InWork == 0 && pause(ctx, 20*time.Millisecond) {
	}
	s.work(ctx, newWorker(1))
	for now := status(); now.Failed == 0 || now.Failures[0].Times < tries; now = status() {
		if !pause(ctx, 20*time.Millisecond) {
			t.Fatal("the part does not fail")
		}
	}
	os.Remove(poison)
	if err := c.Retry(); err != nil {
		t.Fatal(err)
	}
	for !s.made(7) && pause(ctx, 10*time.Millisecond) {
	}
	close(repaired)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s.check(20)
}

// TestKiller: a part that kills its workers is named, too.
func TestKiller(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	if err := os.WriteFile(filepath.Join(s.store, "killer-3"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var keeper sync.WaitGroup
	keeper.Go(func() {
		for ctx.Err() == nil { // as Slurm and Kubernetes do
			w := s.spawn()
			context.AfterFunc(ctx, func() { w.Process.Kill() })
			w.Wait()
		}
	})
	err := s.coordinate(ctx, 6, "0s", func(int) {})
	var failed *Failed
	if !errors.As(err, &failed) || len(failed.Failures) != 1 || failed.Failures[0].Task != 3 || !strings.Contains(err.Error(), "it may crash them") {
		t.Errorf("the coordinator says %v", err)
	}
	cancel()
	keeper.Wait()
	s.check(6, 3)
}

// TestCoordinatorAway: work goes on without a coordinator, and one that comes back waits
// for it and queues nothing again.
func TestCoordinatorAway(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	away, leave := context.WithCancel(ctx)
	c := s.dial("b1")
	go func() {
		for n := 0; n < 60 && pause(ctx, 20*time.Millisecond); {
			all, _ := c.queued("kifu.part.>")
			n = int(all[c.queue(s.step(60, "").Key)])
		}
		leave()
	}()
	status := func() StepStatus {
		now, err := c.Status(ctx)
		if err != nil || len(now.Steps) != 1 || time.Since(now.Steps[0].News).Abs() > 5*time.Minute {
			t.Fatalf("status %+v, %v", now, err)
		}
		return *now.Steps[0]
	}
	if err := s.coordinate(away, 60, "10ms", func(int) {}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	begun := status()
	if !begun.Headless || begun.Ended() {
		t.Errorf("of a step whose coordinator is gone: %+v", begun)
	}
	s.work(ctx, newWorker(1))
	for !s.made(20) && pause(ctx, 10*time.Millisecond) {
	}
	if err := s.coordinate(ctx, 60, "10ms", func(told int) {
		if told > 1 {
			return
		}
		if now := status(); now.Headless || !now.News.After(begun.News) {
			t.Errorf("of a step whose coordinator is there: %+v", now)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if now := status(); !now.Ended() {
		t.Errorf("of a step that is over: %+v", now)
	}
	if twice := s.check(60); twice > 0 {
		t.Errorf("%d parts made twice", twice)
	}
}

// TestIdle: a worker that has nothing to do stays while a task is in the hands of another, who is dead.
func TestIdle(t *testing.T) {
	slow.Test(t, "waits for leases")
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	ended := make(chan error, 1)
	go func() { ended <- s.coordinate(ctx, 1, "3s", func(int) {}) }()
	dead, c := s.spawn(), s.dial("b1")
	for inWork := 0; inWork == 0 && pause(ctx, 20*time.Millisecond); {
		if now, err := c.Status(ctx); err == nil && len(now.Steps) == 1 {
			inWork = now.Steps[0].InWork
		}
	}
	dead.Process.Kill()
	w := newWorker(1)
	w.Idle = time.Millisecond
	s.work(ctx, w)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s.check(1)
}

// TestNoJetStream: a server that has no queue is named as one, whatever is asked.
func TestNoJetStream(t *testing.T) {
	t.Parallel()
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go plain.Start()
	defer plain.Shutdown()
	if !plain.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	c, err := Dial(plain.ClientURL(), Options{Times: short, Build: "b1"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, asked := c.Status(t.Context())
	for _, err := range []error{asked, c.Drain(), c.Do(t.Context(), Step{Key: "k"}, Work{Tasks: []int{0}})} {
		if err == nil || !strings.Contains(err.Error(), "the server has no JetStream") {
			t.Error(err)
		}
	}
}

// TestDrained: what workers still have after a drain is work that is not over.
func TestDrained(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	c, ended := s.dial("b1"), make(chan error, 1)
	go func() { ended <- s.coordinate(ctx, 2, "2s", func(int) {}) }()
	s.work(ctx, newWorker(1))
	for drained := false; pause(ctx, 20*time.Millisecond); {
		now, err := c.Status(ctx)
		if err != nil || len(now.Steps) != 1 || now.Steps[0].InWork == 0 {
			continue
		}
		if !drained {
			if err := c.Drain(); err != nil {
				t.Fatal(err)
			}
			drained = <-ended != nil
			continue
		}
		if step := now.Steps[0]; step.Queued != 1 || step.InWork != 1 || step.Ended() {
			t.Errorf("of a drained step: %+v", step)
		}
		return
	}
}

// TestDrain: workers and coordinators end, and the same work goes on later.
func TestDrain(t *testing.T) {
	t.Parallel()
	s, ctx := newSite(t), limit(t)
	c, worker := s.dial("b1"), s.dial("b1")
	if err := c.Drain(); err != nil {
		t.Errorf("before there is work: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- newWorker(1).Run(ctx, worker) }()
	err := s.coordinate(ctx, 50, "10ms", func(told int) {
		if told == 5 {
			if err := c.Drain(); err != nil {
				t.Error(err)
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), "drain") {
		t.Errorf("the coordinator says %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the worker says %v", err)
	}
	s.work(ctx, newWorker(1))
	if err := s.coordinate(ctx, 50, "0s", func(int) {}); err != nil {
		t.Fatal(err)
	}
	s.check(50)
}

// A coordinator that comes before its servers have a leader waits, but not for ever, and
// not after an error that waiting does not mend.
func TestPatiently(t *testing.T) {
	broken := errors.New("broken")
	for _, k := range []struct {
		name  string
		err   error
		times int // until it is mended
		want  error
	}{
		{"silence", context.DeadlineExceeded, 3, nil},
		{"no leader", fmt.Errorf("stream: %w", &jetstream.APIError{ErrorCode: 10008}), 3, nil},
		{"silence for good", context.DeadlineExceeded, 1 << 30, context.DeadlineExceeded},
		{"another error", broken, 1, broken},
	} {
		c, asked := &Cluster{Options: Options{Times: short}}, 0
		if k.times > 3 {
			c.Times.Lease = 300 * time.Millisecond
		}
		err := c.patiently(t.Context(), func() error {
			if asked++; asked <= k.times {
				return k.err
			}
			return nil
		})
		if !errors.Is(err, k.want) || k.err == broken && asked != 1 {
			t.Errorf("%s: %v after %d questions, want %v", k.name, err, asked, k.want)
		}
	}
}
