package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"kifu/kit/slow"
)

func TestTimeControl(t *testing.T) {
	for text, want := range map[string]TimeControl{
		"5+0.05":      {Base: 5 * time.Second, Increment: 50 * time.Millisecond},
		"40/60+0.6":   {Base: time.Minute, Increment: 600 * time.Millisecond, Moves: 40},
		"25/10:00":    {Base: 10 * time.Minute, Moves: 25},
		"0.25":        {Base: 250 * time.Millisecond},
		"0+0.1":       {Increment: 100 * time.Millisecond},
		"1:02.5+0.01": {Base: 62500 * time.Millisecond, Increment: 10 * time.Millisecond},
	} {
		c, err := ParseTimeControl(text)
		if err != nil || c != want {
			t.Errorf("%s: %+v, %v; want %+v", text, c, err, want)
		}
		if again, err := ParseTimeControl(c.String()); err != nil || again != c {
			t.Errorf("%s is written %s, which is read as %+v, %v", text, c, again, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "5+", "5+-1", "/5", "0/5", "x", "1:x", "5s", "NaN", "1e300", "Inf"} {
		if c, err := ParseTimeControl(text); err == nil {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}

// clockOf is a clock with 3 s and 2.5 s left.
func clockOf(increment time.Duration) Clock {
	return Clock{Left: [2]time.Duration{3 * time.Second, 2500 * time.Millisecond}, Increment: [2]time.Duration{increment, increment}, Second: true}
}

func TestGoTimed(t *testing.T) {
	clock := Limits{Clock: TimeControl{Base: time.Second}}
	toGo := clockOf(0)
	toGo.Moves = 7
	for _, c := range []struct {
		limits Limits
		clock  Clock
		want   string
	}{
		{clock, clockOf(0), "go wtime 3000 btime 2500"},
		{clock, clockOf(50 * time.Millisecond), "go wtime 3000 btime 2500 winc 50 binc 50"},
		{clock, toGo, "go wtime 3000 btime 2500 movestogo 7"},
		{Limits{Clock: clock.Clock, Depth: 9}, clockOf(0), "go wtime 3000 btime 2500 depth 9"},
		{Limits{MoveTime: 100 * time.Millisecond, Strict: true}, Clock{}, "go movetime 100"},
	} {
		if got := goTimed("w", "b", c.limits, c.clock); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestMoveTimed: the time of an answer is measured, and a program that hangs is given up after
// its time, half a second and the grace; the next question goes to a new one.
func TestMoveTimed(t *testing.T) {
	slow.Test(t, "waits for a program that hangs")
	c := fakeConfig(t, "hangs")
	c.Limits = Limits{Clock: TimeControl{Base: time.Second}}
	k := Keep(func(ctx context.Context) (Engine, error) { return StartUCI(ctx, c) })
	defer k.Close()
	ctx := context.Background()
	a, err := k.MoveTimed(ctx, "k7/8 w", nil, clockOf(0))
	if err != nil || a.Best != "a1a2" || a.Overdue || a.Elapsed <= 0 || a.Elapsed > 2*time.Second {
		t.Errorf("%+v, %v", a, err)
	}
	late := Clock{Left: [2]time.Duration{time.Second, 10 * time.Millisecond}, Second: true}
	a, err = k.MoveTimed(ctx, "hangs", nil, late)
	if err != nil || !a.Overdue || a.Elapsed < stopGrace {
		t.Errorf("a program that hangs: %+v, %v", a, err)
	}
	if a, err = k.MoveTimed(ctx, "k7/8 w", nil, clockOf(0)); err != nil || a.Overdue || k.Restarts() != 0 {
		t.Errorf("after one that hung: %+v, %v, %d restarts", a, err, k.Restarts())
	}
	if !errors.Is(silent{errors.New("x")}, errSilent) {
		t.Error("a silent program is not told from one that ended")
	}
}

// TestMoveTimedProtocols: what USI is told of a clock, which the fake answers as its move, and
// what GTP cannot say.
func TestMoveTimedProtocols(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		limits TimeControl
		bad    bool
	}{{TimeControl{Base: 300 * time.Second}, false}, {TimeControl{Base: time.Second, Increment: time.Second}, true}, {TimeControl{Base: 1500 * time.Millisecond}, true}} {
		config := fakeGTP(t, "regards")
		config.Limits.Clock = c.limits
		e, err := StartGTP(ctx, config, "")
		if err == nil {
			e.Close()
		}
		if !c.bad && err == nil || c.bad && (err == nil || ctx.Err() != nil) {
			t.Errorf("%v: %v (the fake has no time_settings)", c.limits, err)
		}
	}
	for want, l := range map[string]Limits{
		"time_settings 300 0 0":  {Clock: TimeControl{Base: 300 * time.Second}},
		"time_settings 0 600 25": {Clock: TimeControl{Base: 600 * time.Second, Moves: 25}},
		"time_settings 0 2 1":    {MoveTime: 2 * time.Second, Strict: true},
	} {
		if got := l.timeSettings(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
