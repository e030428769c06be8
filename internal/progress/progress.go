// Package progress shows how far long work is: a bar on a terminal, lines in a log,
// nothing unless requested. The mode travels in the context, so that stages start
// bars without knowing where they go; a nil Bar takes every call and does nothing.
package progress

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
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
	Notes             // reported once only
	JSON              // an object on a line, every few seconds
)

type key struct{}

type sink struct {
	mode  Mode
	w     io.Writer
	tick  time.Duration
	name  string // in front of titles
	clock Clock
	*pulse
}

// Clock returns the time, and sends it periodically until stop is called.
type Clock interface {
	Now() time.Time
	Ticks(every time.Duration) (ticks <-chan time.Time, stop func())
}

// wall is the clock on the wall.
type wall struct{}

func (wall) Now() time.Time { return time.Now() }

func (wall) Ticks(every time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(every)
	return t.C, t.Stop
}

// pulse is shared by the bars of a command.
type pulse struct {
	running atomic.Int64           // bars
	last    atomic.Pointer[string] // title of the bar that was started last
	ended   atomic.Int64           // when the last bar ended, in nanoseconds
	shown   atomic.Int64           // when the last line was, where lines are shown

	mu   sync.Mutex
	idle *progressbar.ProgressBar // on a terminal, while no bar runs; else nil
}

// With returns a context whose bars are shown on w.
func With(ctx context.Context, mode Mode, w io.Writer) context.Context {
	return WithClock(ctx, mode, w, wall{})
}

// WithClock is With by another clock.
func WithClock(ctx context.Context, mode Mode, w io.Writer, c Clock) context.Context {
	p := new(pulse)
	p.shown.Store(c.Now().UnixNano())
	return context.WithValue(ctx, key{}, sink{mode, w, 5 * time.Second, "", c, p})
}

const (
	silence = 10 * time.Second // how long a log shows nothing at most
	stir    = 2 * time.Second  // the same on a terminal
	redraw  = time.Second      // of a bar, whose times go on
)

// Watch shows that work goes on while no bar runs, until stop is called, so that no work is silent: a line every ten seconds, and on a terminal
// a bar after two.
func Watch(ctx context.Context, command string) (stop func()) {
	s, _ := ctx.Value(key{}).(sink)
	switch s.mode {
	case Plain, JSON:
		return s.watch(command, silence)
	case Bars:
		return s.watch(command, stir)
	}
	return func() {}
}

// Clear takes the bar of Watch from the terminal, for text to be printed there.
func Clear(ctx context.Context) {
	if s, is := ctx.Value(key{}).(sink); is {
		s.clear()
	}
}

func (s sink) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.idle != nil {
		_ = s.idle.Finish()
		s.idle = nil
		s.ended.Store(s.clock.Now().UnixNano())
	}
}

// stir shows a bar until another one is started.
func (s sink) stir(title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running.Load() == 0 && s.idle == nil {
		s.idle = s.bar(title, -1, "")
	}
}

func (s sink) watch(command string, every time.Duration) (stop func()) {
	s.ended.Store(s.clock.Now().UnixNano())
	done, left := make(chan struct{}), make(chan struct{})
	ticks, end := s.clock.Ticks(every / 10)
	go func() {
		defer close(left)
		defer end()
		for {
			select {
			case <-done:
				return
			case now := <-ticks:
				since := time.Unix(0, s.ended.Load())
				if s.running.Load() > 0 {
					continue
				}
				what := command
				if last := s.last.Load(); last != nil {
					what = "after " + *last
				}
				if s.mode != Bars {
					if s.silent(now) >= every {
						s.line(report{Phase: what, Elapsed: now.Sub(since).Seconds()}, now)
					}
				} else if now.Sub(since) >= every {
					s.stir(what)
				}
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		<-left
		s.clear()
	})
}

// report is one line of progress.
type report struct {
	Phase   string   `json:"phase"`
	Done    int64    `json:"done"`
	Total   *int64   `json:"total,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Rate    float64  `json:"rate,omitempty"`    // units a second
	Elapsed float64  `json:"elapsed"`           // seconds
	Left    *float64 `json:"left,omitempty"`    // seconds
	Message string   `json:"message,omitempty"` // what was found so far
}

// line shows a line.
func (s sink) line(r report, now time.Time) {
	s.shown.Store(now.UnixNano())
	fmt.Fprintln(s.w, s.format(r))
}

// silent returns the time since the last line.
func (s sink) silent(now time.Time) time.Duration { return now.Sub(time.Unix(0, s.shown.Load())) }

func (s sink) format(r report) string {
	if s.mode != JSON {
		return r.String()
	}
	r.Rate, r.Elapsed = rounded(r.Rate), math.Round(r.Elapsed)
	if r.Left != nil {
		left := math.Round(*r.Left)
		r.Left = &left
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a rate that is no number
	}
	return string(text)
}

// String is a line of the plain mode: "label: 41 % (4100/10000 positions), 820 positions/s, 7 s left".
func (r report) String() string {
	line, rate := "", strconv.FormatFloat(rounded(r.Rate), 'f', -1, 64)
	switch {
	case r.Unit == "" && r.Total == nil:
		line = fmt.Sprintf("%s: %s", r.Phase, span(r.Elapsed))
	case r.Unit == "":
		line = fmt.Sprintf("%s: %d %%", r.Phase, 100*r.Done / *r.Total)
	case r.Total == nil:
		line = fmt.Sprintf("%s: %d %s, %s %s/s", r.Phase, r.Done, r.Unit, rate, r.Unit)
	default:
		line = fmt.Sprintf("%s: %d %% (%d/%d %s), %s %s/s", r.Phase, 100*r.Done / *r.Total, r.Done, *r.Total, r.Unit, rate, r.Unit)
	}
	if r.Left != nil {
		line += fmt.Sprintf(", %s left", span(*r.Left))
	}
	if r.Message != "" {
		line += "; " + r.Message
	}
	return line
}

// rounded keeps two digits of what is below ten: parts may take minutes.
func rounded(rate float64) float64 {
	if rate >= 10 {
		return math.Round(rate)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(rate, 'g', 2, 64), 64)
	return short
}

func span(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
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
	s.tick = min(3*s.tick, silence)
	return context.WithValue(ctx, key{}, s)
}

// Shown reports whether progress is shown at all.
func Shown(ctx context.Context) bool {
	s, _ := ctx.Value(key{}).(sink)
	return s.mode != None
}

// Note shows a line of text, where progress is shown.
func Note(ctx context.Context, text string) {
	Clear(ctx)
	switch s, _ := ctx.Value(key{}).(sink); s.mode {
	case None:
	case JSON:
		fmt.Fprintln(s.w, Message(human.Printable(s.name+text)))
	default:
		fmt.Fprintln(s.w, human.Printable(s.name+text))
	}
}

// Message returns the object that a line of text is in the mode JSON.
func Message(text string) string {
	object, err := json.Marshal(map[string]string{"message": text})
	if err != nil {
		panic(err) // of a text
	}
	return string(object)
}

// Bar is one running piece of work.
type Bar struct {
	title, unit string
	total       int64
	begun       time.Time
	done        atomic.Int64
	skipped     atomic.Int64 // counts as done, not for the rate
	note        atomic.Pointer[string]
	bar         *progressbar.ProgressBar
	sink        sink
	stop        chan struct{}
	stopped     chan struct{}
}

// Phase starts a bar for work that cannot be counted: it shows how long it goes on.
func Phase(ctx context.Context, title string) *Bar { return Start(ctx, title, 0, "") }

// Start starts a bar over total units; a total of 0 or less is unknown. Without a name of the unit the share alone is shown.
func Start(ctx context.Context, title string, total int64, unit string) *Bar {
	s, _ := ctx.Value(key{}).(sink)
	if s.mode == None || s.mode == Notes {
		return nil
	}
	title = human.Printable(s.name + title)
	if total <= 0 {
		total = -1
	}
	b := &Bar{title: title, unit: unit, total: total, begun: s.clock.Now(), sink: s}
	s.running.Add(1)
	s.last.Store(&title)
	s.clear()
	if s.mode == Bars {
		b.bar = s.bar(title, total, unit)
	}
	b.stop, b.stopped = make(chan struct{}), make(chan struct{})
	ticks, end := s.clock.Ticks(min(s.tick, redraw))
	go b.show(ticks, end)
	return b
}

// bar draws a bar on a terminal.
func (s sink) bar(title string, total int64, unit string) *progressbar.ProgressBar {
	options := []progressbar.Option{
		progressbar.OptionSetDescription(title),
		progressbar.OptionSetWriter(s.w),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
	}
	if unit != "" {
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit))
	}
	return progressbar.NewOptions64(total, options...)
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

// Note shows a text next to the bar from now on, such as a result so far.
func (b *Bar) Note(text string) {
	if b == nil {
		return
	}
	text = human.Printable(text)
	b.note.Store(&text)
	if b.bar != nil {
		b.bar.Describe(b.title + ": " + text)
	}
}

// Done ends the bar. In the mode JSON it prints a last object, however short the work was.
func (b *Bar) Done() {
	if b == nil {
		return
	}
	close(b.stop)
	<-b.stopped
	if b.bar != nil {
		_ = b.bar.Finish()
	}
	if b.sink.mode == JSON {
		now := b.sink.clock.Now()
		b.sink.line(b.report(max(now.Sub(b.begun), time.Millisecond)), now) // a rate is finite
	}
	b.sink.over()
}

// over reports that a bar has ended.
func (s sink) over() {
	s.ended.Store(s.clock.Now().UnixNano())
	s.running.Add(-1)
}

// show draws the bar again with every tick, or prints lines: one whenever it is due, or nothing was shown for long, also by others.
func (b *Bar) show(ticks <-chan time.Time, end func()) {
	defer close(b.stopped)
	defer end()
	last := b.begun
	for {
		select {
		case <-b.stop:
			return
		case now := <-ticks:
			if b.bar != nil {
				_ = b.bar.RenderBlank()
				continue
			}
			if now.Sub(last) > b.sink.tick-redraw/2 || b.sink.silent(now) >= silence {
				b.sink.line(b.report(now.Sub(b.begun)), now)
				last = now
			}
		}
	}
}

// report is how far the bar is.
func (b *Bar) report(elapsed time.Duration) report {
	r := report{Phase: b.title, Done: b.done.Load(), Unit: b.unit, Elapsed: elapsed.Seconds()}
	r.Rate = float64(r.Done-b.skipped.Load()) / r.Elapsed
	if note := b.note.Load(); note != nil {
		r.Message = *note
	}
	if b.total >= 0 {
		r.Total = &b.total
		if r.Rate > 0 {
			left := float64(b.total-r.Done) / r.Rate
			r.Left = &left
		}
	}
	return r
}
