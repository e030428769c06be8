package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kifu/datasets/part"
	"kifu/internal/progress"
	samples "kifu/kit/sample"
	"kifu/kit/slow"
)

// testClock is a clock that goes on only when it is told to.
type testClock struct {
	mu    sync.Mutex
	now   time.Time
	ticks map[chan time.Time]*ticking
}

// ticking is one who asked for ticks.
type ticking struct {
	every time.Duration
	next  time.Time
	ended chan struct{}
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) Ticks(every time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to, t := make(chan time.Time), &ticking{every, c.now.Add(every), make(chan struct{})}
	c.ticks[to] = t
	return to, func() {
		close(t.ended)
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.ticks, to)
	}
}

// pass has time pass, a second after the other. A tick is over when the next one can be sent.
func (c *testClock) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		c.mu.Lock()
		c.now = c.now.Add(time.Second)
		now, due := c.now, map[chan time.Time]*ticking{}
		for to, t := range c.ticks {
			if !t.next.After(now) {
				t.next = now.Add(t.every)
				due[to] = t
			}
		}
		c.mu.Unlock()
		for to, t := range due {
			select {
			case to <- now:
			case <-t.ended:
			}
		}
	}
}

// silence measures how long nothing was written at most, by a clock.
type silence struct {
	clock   *testClock
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	before  string // what was written before that
	text    string
}

func (s *silence) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if d := now.Sub(s.last); d > s.longest {
		s.longest, s.before = d, s.text
	}
	s.last, s.text = now, string(p)
	return len(p), nil
}

// TestNeverSilent runs commands on a disk that takes a minute for each row group, by a clock of the test: a line comes every ten seconds. A
// second more is for a tick that is still being shown.
func TestNeverSilent(t *testing.T) {
	slow.Test(t, "a dozen commands")
	dir := t.TempDir()
	games, positions, labels := samples.Games(dir).Path, samples.Positions(dir).Path, samples.Labels(dir).Path
	for _, line := range []string{
		"transform --out OUT " + games,
		"label --out OUT " + positions,
		"choices --out OUT --alternatives 2 " + positions,
		"fit --out OUT --free material " + labels,
		"report split --out OUT --min-count 50 --draws half --holdout 0.51 --seed 30 " + labels,
		"report all --out OUT " + labels,
		"clean --out OUT " + games,
		"duplicates --out OUT " + games,
		"conjunctions --out OUT --max-size 2 --min-support 2500 " + labels,
		"learn --out OUT --max-depth 1 --max-decisions 50 --fit likelihood --player Morphy,~P " + games,
	} {
		c := &testClock{now: time.Now(), ticks: map[chan time.Time]*ticking{}}
		seen := &silence{clock: c, last: c.Now()}
		ctx := progress.WithClock(t.Context(), progress.Plain, seen, c)
		stop := progress.Watch(ctx, "kifu")
		var reading sync.Mutex
		part.Slow = func() {
			reading.Lock()
			defer reading.Unlock()
			c.pass(time.Minute)
		}
		var printed bytes.Buffer
		e := newEnv(strings.NewReader(""), io.Discard, &printed)
		e.Within = true
		args := strings.Fields(strings.Replace(line, "OUT", filepath.Join(dir, "out"), 1))
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "~", " ")
		}
		begun := c.Now()
		code := e.Run(ctx, append(args, "--force", "--workers", "2"))
		stop()
		part.Slow = func() {}
		_, _ = seen.Write(nil)
		if took := c.Now().Sub(begun); code != 0 || took < time.Minute {
			t.Errorf("kifu %s: exit code %d after %v: %s", line, code, took, &printed)
		}
		if seen.longest > 11*time.Second {
			t.Errorf("kifu %s: nothing for %v after %q", line, seen.longest, seen.before)
		}
	}
}
