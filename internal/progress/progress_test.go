package progress

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestLine(t *testing.T) {
	b := &Bar{title: "label", unit: "positions", total: 10000}
	b.Add(3000)
	b.Skip(1000) // counts as done, not for the rate
	if got, want := b.report(3*time.Second).String(), "label: 40 % (4000/10000 positions), 1000 positions/s, 6s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Note("+3 =2 -1")
	if got, want := b.report(3*time.Second).String(), "label: 40 % (4000/10000 positions), 1000 positions/s, 6s left; +3 =2 -1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	slow := &Bar{title: "label", unit: "parts", total: 9}
	slow.Add(1)
	if got, want := slow.report(24*time.Second).String(), "label: 11 % (1/9 parts), 0.042 parts/s, 3m12s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	open := &Bar{title: "ingest", unit: "games", total: -1}
	open.Add(50)
	if got, want := open.report(2*time.Second).String(), "ingest: 50 games, 25 games/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// log tells when it was first written to.
type log struct {
	bytes.Buffer
	once    sync.Once
	written chan struct{}
}

func (l *log) Write(p []byte) (int, error) {
	defer l.once.Do(func() { close(l.written) })
	return l.Buffer.Write(p)
}

// shown returns the text that a bar of 10 units in this mode leaves on the terminal or in the log.
func shown(t *testing.T, mode Mode, within func(context.Context) context.Context) string {
	t.Helper()
	out := &log{written: make(chan struct{})}
	ctx := context.WithValue(context.Background(), key{}, sink{mode: mode, w: out, tick: time.Millisecond, clock: wall{}, pulse: new(pulse)})
	b := Start(within(ctx), "label", 10, "positions")
	b.Add(4)
	if b != nil && b.bar == nil { // lines come with the clock, a bar at the latest when it is done
		select {
		case <-out.written:
		case <-time.After(time.Minute):
			t.Fatalf("mode %d: nothing in a minute", mode)
		}
	}
	b.Done()
	return out.String()
}

// TestWithin: what goes on side by side is told apart, by lines even on a terminal.
func TestWithin(t *testing.T) {
	beside := func(ctx context.Context) context.Context { return Within(ctx, "deep n=2", false) }
	alone := func(ctx context.Context) context.Context { return Within(ctx, "deep n=2", true) }
	for _, mode := range []Mode{Plain, Bars} {
		if got := shown(t, mode, beside); !strings.HasPrefix(got, "deep n=2: label: ") || !strings.Contains(got, "/10 positions)") || strings.Contains(got, "\r") {
			t.Errorf("mode %d: %q", mode, got)
		}
	}
	if got := shown(t, Bars, alone); !strings.Contains(got, "deep n=2: label") || !strings.Contains(got, "\r") {
		t.Errorf("a bar: %q", got)
	}
	if got := shown(t, None, beside); got != "" {
		t.Errorf("without progress: %q", got)
	}
}

// TestJSON: an object on a line has the phase, how far it is, and what is left in seconds.
func TestJSON(t *testing.T) {
	s := sink{mode: JSON}
	b := &Bar{title: "label", unit: "positions", total: 10000}
	b.Add(4000)
	b.Note("+3 =2 -1")
	if got, want := s.format(b.report(3*time.Second)), `{"phase":"label","done":4000,"total":10000,"unit":"positions","rate":1333,"elapsed":3,"left":5,"message":"+3 =2 -1"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	open := &Bar{title: "fit: errors", total: -1}
	if got, want := s.format(open.report(2*time.Second)), `{"phase":"fit: errors","done":0,"elapsed":2}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := open.report(2*time.Second).String(), "fit: errors: 2s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		short := Start(With(t.Context(), JSON, &out), "label", 10, "positions")
		short.Add(10)
		short.Done()
		if got, want := out.String(), `{"phase":"label","done":10,"total":10,"unit":"positions","rate":10000,"elapsed":0,"left":0}`+"\n"; got != want {
			t.Errorf("at the end: %s, want %s", got, want)
		}
	})
}

// TestWatch: where no bar runs a line tells that work goes on, and after what; where one runs, none does.
func TestWatch(t *testing.T) {
	out := &log{written: make(chan struct{})}
	s := sink{mode: Plain, w: out, tick: time.Hour, clock: wall{}, pulse: new(pulse)}
	ctx := context.WithValue(context.Background(), key{}, s)
	stop := s.watch("fit", 50*time.Millisecond)
	b := Start(ctx, "fit: read", 10, "positions")
	time.Sleep(200 * time.Millisecond)
	if out.Len() > 0 {
		t.Errorf("while a bar runs: %q", out.String())
	}
	b.Done()
	select {
	case <-out.written:
	case <-time.After(time.Minute):
		t.Fatal("nothing is shown where no bar runs")
	}
	stop()
	if got := out.String(); !strings.HasPrefix(got, "after fit: read: 0s\n") {
		t.Errorf("%q", got)
	}
}

// TestTerminal: on a terminal a bar is drawn as soon as it starts and again as time goes on, counted or not; two seconds after
// the last one another comes, which goes when there is text to print or the next one starts.
func TestTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &lastWrite{}
		ctx := Within(With(t.Context(), Bars, out), "study", true)
		quiet := func(when string, most time.Duration) {
			t.Helper()
			if time.Since(out.at) > most {
				t.Errorf("%s: nothing for %v", when, time.Since(out.at))
			}
		}
		stop := Watch(ctx, "fit")
		time.Sleep(3 * time.Second)
		quiet("before the first bar", time.Second)
		if !strings.Contains(out.text, "fit") || strings.Contains(out.text, "after") {
			t.Errorf("before the first bar: %q", out.text)
		}
		b := Start(ctx, "fit: read", 10, "positions")
		quiet("at the start", 0)
		time.Sleep(time.Minute + time.Second/2)
		quiet("a minute without a step", time.Second)
		if !strings.Contains(out.text, "fit: read") || strings.Contains(out.text, "after") {
			t.Errorf("a bar: %q", out.text)
		}
		b.Done()
		time.Sleep(4 * time.Second)
		quiet("between bars", time.Second)
		Clear(ctx)
		out.text = ""
		time.Sleep(time.Second)
		if out.text != "" {
			t.Errorf("after a text was printed: %q", out.text)
		}
		stop()
	})
}

// lastWrite remembers what was written last, and when.
type lastWrite struct {
	at   time.Time
	text string
}

func (w *lastWrite) Write(p []byte) (int, error) {
	if w.at = time.Now(); len(bytes.TrimSpace(p)) > 0 {
		w.text = string(p)
	}
	return len(p), nil
}

// TestWithinTicks: work within other work shows a line every ten seconds at least.
func TestWithinTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &lastWrite{}
		ctx := Within(Within(With(t.Context(), Plain, out), "study", true), "step", true)
		b := Start(ctx, "fit: read", 10, "positions")
		time.Sleep(silence + time.Second)
		if out.text == "" {
			t.Errorf("nothing in %v", silence)
		}
		b.Done()
	})
}

// TestBetweenBars: what is short and has no line of its own does not add up to a long silence.
func TestBetweenBars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &lastWrite{at: time.Now()}
		longest := time.Duration(0)
		ctx := With(t.Context(), Plain, writer(func(p []byte) {
			longest = max(longest, time.Since(out.at))
			out.at = time.Now()
		}))
		stop := Watch(ctx, "fit")
		for range 5 {
			b := Start(ctx, "fit: read", 10, "positions")
			time.Sleep(4 * time.Second)
			b.Done()
			time.Sleep(9 * time.Second)
		}
		stop()
		if longest == 0 || longest > silence+time.Second {
			t.Errorf("nothing for %v", longest)
		}
	})
}

// writer is a function of what is written.
type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
