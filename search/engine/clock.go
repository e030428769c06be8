package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// TimeControl is the time that a side has for its moves, as tournament managers write it:
// "40/60+0.6" is a minute for 40 moves and 0.6 s for each.
type TimeControl struct {
	Base      time.Duration `json:"base_ns,omitempty"`
	Increment time.Duration `json:"increment_ns,omitempty"`
	Moves     int           `json:"moves,omitempty"` // for which Base is given, again and again; 0: for all
}

// ParseTimeControl reads "[MOVES/]TIME[+INCREMENT]" in seconds, TIME also as "minutes:seconds".
func ParseTimeControl(text string) (c TimeControl, err error) {
	bad := fmt.Errorf("time control %q: want [MOVES/]SECONDS[+INCREMENT], as 5+0.05 or 40/1:00", text)
	base, increment, more := strings.Cut(text, "+")
	if moves, rest, ok := strings.Cut(base, "/"); ok {
		if c.Moves, err = strconv.Atoi(moves); err != nil || c.Moves < 1 {
			return c, bad
		}
		base = rest
	}
	var ok bool
	if minutes, seconds, cut := strings.Cut(base, ":"); cut {
		var m, s time.Duration
		if m, ok = parseSeconds(minutes); ok {
			s, ok = parseSeconds(seconds)
		}
		c.Base = 60*m + s
	} else {
		c.Base, ok = parseSeconds(base)
	}
	if ok && more {
		c.Increment, ok = parseSeconds(increment)
	}
	if !ok || c.Base+c.Increment < time.Millisecond {
		return c, bad
	}
	return c, nil
}

// mostTime bounds times, in seconds, so that they fit into milliseconds of 32 bits.
const mostTime = 1e6

func parseSeconds(text string) (time.Duration, bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= mostTime) {
		return 0, false
	}
	return time.Duration(math.Round(x*1000)) * time.Millisecond, true
}

// String writes c in seconds, as ParseTimeControl reads it: the PGN tag TimeControl.
func (c TimeControl) String() string {
	text := ""
	if c.Moves > 0 {
		text = strconv.Itoa(c.Moves) + "/"
	}
	text += strconv.FormatFloat(c.Base.Seconds(), 'f', -1, 64)
	if c.Increment > 0 {
		text += "+" + strconv.FormatFloat(c.Increment.Seconds(), 'f', -1, 64)
	}
	return text
}

// timed reports whether a move has a time that must be kept: a clock, or a strict time for
// each.
func (l Limits) Timed() bool { return l.Clock != TimeControl{} || l.Strict }

// Clock is the state of the clocks before a move.
type Clock struct {
	Left      [2]time.Duration // of the first player and of the second, the increment for this move included
	Increment [2]time.Duration
	Moves     int // that the mover has to make in its time; 0: all
	Second    bool
}

// allowed returns the time that the mover has.
func (c Clock) allowed() time.Duration {
	if c.Second {
		return c.Left[1]
	}
	return c.Left[0]
}

// timed is a Mover that plays on a clock.
type timed interface {
	Mover
	// MoveTimed is Move on a clock. An answer that does not come within the time that is
	// left and the margin of the Config is requested (stop); if it still does not come,
	// Overdue is set and the program is of no more use.
	MoveTimed(ctx context.Context, start string, moves []string, c Clock) (Answer, error)
}

// errSilent is the error of a program that does not answer in time.
var errSilent = errors.New("no answer in time")

// stopGrace is the time for the answer to stop.
const stopGrace = 2 * time.Second

// MoveTimed calls timed.MoveTimed. A program that dies is started again while its clock runs.
func (k *Keeper) MoveTimed(ctx context.Context, start string, moves []string, c Clock) (a Answer, err error) {
	var lost time.Duration // by programs that died
	begun := time.Now()
	err = k.try(ctx, func(e Engine) (err error) {
		t, ok := e.(timed)
		if !ok {
			return fmt.Errorf("engine %s does not play on a clock", e.Name())
		}
		now := c
		for i := range now.Left {
			now.Left[i] = max(0, now.Left[i]-lost)
		}
		defer func() { lost = time.Since(begun) }()
		if a, err = t.MoveTimed(ctx, start, moves, now); err == nil {
			a.Elapsed += lost
		}
		return err
	})
	if err == nil && a.Overdue {
		k.drop()
	}
	return a, err
}

// goTimed returns the command to search on a clock in the words of UCI and USI.
func goTimed(first, second string, l Limits, c Clock) string {
	clocks := ""
	if l.Clock != (TimeControl{}) {
		ms := func(d time.Duration) int64 { return d.Milliseconds() }
		clocks = fmt.Sprintf(" %stime %d %stime %d", first, ms(c.Left[0]), second, ms(c.Left[1]))
		if c.Increment != [2]time.Duration{} {
			clocks += fmt.Sprintf(" %sinc %d %sinc %d", first, ms(c.Increment[0]), second, ms(c.Increment[1]))
		}
		if c.Moves > 0 {
			clocks += fmt.Sprintf(" movestogo %d", c.Moves)
		}
	}
	return goCommand(clocks, "movetime", l)
}
