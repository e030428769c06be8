// Package progress shows how far long work is: a bar on a terminal, lines in a log,
// nothing when nobody asked. The mode travels in the context, so that stages start
// bars without knowing where they go; a nil Bar takes every call and does nothing.
package progress

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"kifu/internal/human"
)

// Mode is how progress is shown.
type Mode int

const (
	None  Mode = iota // nothing
	Plain             // a line every few seconds
	Bars              // a bar on a terminal
	Notes             // what is told once alone
)

type key struct{}

type sink struct {
	mode Mode
	w    io.Writer
	tick time.Duration
	name string // in front of titles
}

// With returns a context whose bars are shown on w.
func With(ctx context.Context, mode Mode, w io.Writer) context.Context {
	return context.WithValue(ctx, key{}, sink{mode, w, 5 * time.Second, ""})
}

// Within returns a context for one of several pieces of work that may go on side by
// side: what it shows is under its name, as lines, since bars would overwrite each
// other; as a bar when it is alone.
func Within(ctx context.Context, name string, alone bool) context.Context {
	s, _ := ctx.Value(key{}).(sink)
	s.name += name + ": "
	if s.mode == Bars && !alone {
		s.mode = Plain
	}
	s.tick *= 3
	return context.WithValue(ctx, key{}, s)
}

// Shown reports whether progress is shown at all.
func Shown(ctx context.Context) bool {
	s, _ := ctx.Value(key{}).(sink)
	return s.mode != None
}

// Note shows a line of text, where progress is shown.
func Note(ctx context.Context, text string) {
	if s, _ := ctx.Value(key{}).(sink); s.mode != None {
		fmt.Fprintln(s.w, human.Printable(s.name+text))
	}
}

// Bar is one running piece of work.
type Bar struct {
	title, unit string
	total       int64
	begun       time.Time
	done        atomic.Int64
	skipped     atomic.Int64 // counts as done, not for the rate
	said        atomic.Pointer[string]
	bar         *progressbar.ProgressBar
	w           io.Writer
	stop        chan struct{}
	stopped     chan struct{}
}

// Start starts a bar over total units; a total of 0 or less is unknown.
func Start(ctx context.Context, title string, total int64, unit string) *Bar {
	s, _ := ctx.Value(key{}).(sink)
	if s.mode == None || s.mode == Notes {
		return nil
	}
	title = human.Printable(s.name + title)
	if total <= 0 {
		total = -1
	}
	b := &Bar{title: title, unit: unit, total: total, begun: time.Now(), w: s.w}
	if s.mode == Bars {
		b.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetDescription(title),
			progressbar.OptionSetWriter(s.w),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(unit),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish())
		return b
	}
	b.stop, b.stopped = make(chan struct{}), make(chan struct{})
	go b.lines(s.tick)
	return b
}

// Add counts n more units. It may be called from any goroutine.
func (b *Bar) Add(n int64) {
	if b == nil {
		return
	}
	b.done.Add(n)
	if b.bar != nil {
		_ = b.bar.Add64(n) // a terminal that went away must not stop the work
	}
}

// Skip counts n units that an earlier run has done.
func (b *Bar) Skip(n int64) {
	if b == nil {
		return
	}
	b.skipped.Add(n)
	b.Add(n)
}

// Say shows a text beside the bar from now on: what the work has found so far.
func (b *Bar) Say(text string) {
	if b == nil {
		return
	}
	text = human.Printable(text)
	b.said.Store(&text)
	if b.bar != nil {
		b.bar.Describe(b.title + ": " + text)
	}
}

// Done ends the bar.
func (b *Bar) Done() {
	switch {
	case b == nil:
	case b.bar != nil:
		_ = b.bar.Finish()
	default:
		close(b.stop)
		<-b.stopped
	}
}

func (b *Bar) lines(tick time.Duration) {
	defer close(b.stopped)
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-t.C:
			fmt.Fprintln(b.w, b.line(time.Since(b.begun)))
		}
	}
}

// line is one line of the plain mode: "label: 41 % (4100/10000 positions), 820 positions/s, 7 s left".
func (b *Bar) line(elapsed time.Duration) string {
	done := b.done.Load()
	rate := float64(done-b.skipped.Load()) / elapsed.Seconds()
	if b.total < 0 {
		return fmt.Sprintf("%s: %d %s, %.0f %s/s", b.title, done, b.unit, rate, b.unit)
	}
	line := fmt.Sprintf("%s: %d %% (%d/%d %s), %.0f %s/s", b.title, 100*done/b.total, done, b.total, b.unit, rate, b.unit)
	if rate > 0 {
		left := time.Duration(float64(b.total-done) / rate * float64(time.Second))
		line += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	if said := b.said.Load(); said != nil {
		line += "; " + *said
	}
	return line
}
