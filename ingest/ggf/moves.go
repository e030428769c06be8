package ggf

import (
	"bytes"

	"kifu/ingest/record"
)

// move reads the value of a move: square/evaluation/seconds, the last two of which may
// be missing. The evaluation is the mover's, in discs.
func (r *BlockReader) move(black bool, value []byte) (m record.Move, ok bool) {
	text, rest, _ := bytes.Cut(value, slash)
	m.Text = bytes.TrimSpace(text)
	if len(m.Text) == 0 {
		return m, false
	}
	evaluation, seconds, _ := bytes.Cut(rest, slash)
	if v, ok := hundredths(evaluation); ok {
		v = min(max(v, -maxValue), maxValue)
		if !black {
			v = -v
		}
		m.Value, m.HasValue = int32(v), true
	}
	side := 0
	if !black {
		side = 1
	}
	m.Clock, m.HasClock = r.clocks.spend(side, seconds)
	return m, true
}

// maxValue keeps evaluations below the values of mates.
const maxValue = record.MateValue - 1000

var slash = []byte("/")

// clocks derive the time left from the time control and the seconds of the moves; a move without seconds
// took none.
type clocks struct {
	running   bool
	left      [2]int64 // milliseconds
	increment int64
}

// control reads "main/increment/grace": 15:00//02:00 is fifteen minutes, no increment, and
// two minutes more for who oversteps them.
func (c *clocks) control(value []byte) {
	main, rest, _ := bytes.Cut(value, slash)
	added, _, _ := bytes.Cut(rest, slash)
	left, ok := milliseconds(main)
	if !ok || left == 0 {
		return
	}
	increment, ok := milliseconds(added)
	if !ok && len(added) > 0 {
		return
	}
	*c = clocks{running: true, left: [2]int64{left, left}, increment: increment}
}

// spend takes the time of a move off a side's clock. Who is in the time of grace has no
// clock.
func (c *clocks) spend(side int, seconds []byte) (left int32, ok bool) {
	if !c.running {
		return 0, false
	}
	used, ok := milliseconds(seconds)
	if !ok && len(seconds) > 0 {
		c.running = false
		return 0, false
	}
	if c.left[side] -= used; c.left[side] < 0 {
		return 0, false
	}
	c.left[side] += c.increment
	return int32(min(c.left[side], 1<<31-1)), true
}

// milliseconds reads [[h:]m:]s with or without a fraction.
func milliseconds(text []byte) (ms int64, ok bool) {
	for {
		part, rest, more := bytes.Cut(text, []byte(":"))
		if !more {
			v, ok := decimal(part, 3)
			return 60*ms + v, ok && v >= 0 && len(part) > 0 && part[0] != '+'
		}
		v, ok := decimal(part, 3)
		if !ok || v < 0 || ms > maxTime {
			return 0, false
		}
		ms = 60*ms + v
		text = rest
	}
}

// maxTime keeps the sum of hours far from an overflow.
const maxTime = 1 << 40

// hundredths reads a decimal number in hundredths.
func hundredths(text []byte) (v int, ok bool) {
	n, ok := decimal(bytes.TrimSpace(text), 2)
	return int(n), ok
}

// decimal reads a decimal number of at most nine digits before the point in units of
// 10^-places; further digits are cut off.
func decimal(text []byte, places int) (v int64, ok bool) {
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	v, ok = record.Decimal(text, places)
	if negative {
		v = -v
	}
	return v, ok
}
