package csa

import (
	"bytes"
	"strconv"

	"kifu/ingest/record"
)

// limit is how much time a record gives each side, in milliseconds.
type limit struct {
	known                    bool
	base, byoyomi, increment int64
}

var plus = []byte("+")

// old reads HH:MM+SS: hours and minutes, and the byoyomi in seconds. It reports whether
// the value is that.
func (l *limit) old(value []byte) bool {
	base, byoyomi, _ := bytes.Cut(value, plus)
	hours, minutes, _ := bytes.Cut(base, colon)
	h, ok1 := seconds(hours)
	m, ok2 := seconds(minutes)
	if !ok1 || !ok2 {
		return false
	}
	s, _ := seconds(byoyomi)
	*l = limit{known: true, base: 3600*h + 60*m, byoyomi: s}
	return true
}

// new reads init+byoyomi+increment, in seconds, of V3.0.
func (l *limit) new(value []byte) bool {
	base, rest, _ := bytes.Cut(value, plus)
	byoyomi, increment, _ := bytes.Cut(rest, plus)
	b, ok := seconds(base)
	if !ok {
		return false
	}
	y, _ := seconds(byoyomi)
	i, _ := seconds(increment)
	*l = limit{known: true, base: b, byoyomi: y, increment: i}
	return true
}

// floodgate reads the name of a game of a server: wdoor+floodgate-300-10F+black+white+…
// is 300 seconds, and 10 more a move; without the F they are a byoyomi.
func (l *limit) floodgate(event []byte) {
	_, rest, found := bytes.Cut(event, plus)
	league, _, more := bytes.Cut(rest, plus)
	if !found || !more {
		return
	}
	i := bytes.LastIndexByte(league, '-')
	if i < 0 {
		return
	}
	added, j := league[i+1:], bytes.LastIndexByte(league[:i], '-')
	fischer := bytes.HasSuffix(added, []byte("F"))
	a, ok1 := seconds(bytes.TrimSuffix(added, []byte("F")))
	b, ok2 := seconds(league[j+1 : i])
	switch {
	case !ok1 || !ok2:
	case fischer:
		*l = limit{known: true, base: b, increment: a}
	default:
		*l = limit{known: true, base: b, byoyomi: a}
	}
}

// appendControl appends the tag TimeControl.
func (l *limit) appendControl(dst []byte) []byte {
	dst = appendSeconds(dst, l.base)
	if l.increment > 0 {
		dst = appendSeconds(append(dst, '+'), l.increment)
	}
	return dst
}

// appendSeconds appends milliseconds in seconds.
func appendSeconds(dst []byte, ms int64) []byte {
	dst = strconv.AppendInt(dst, ms/1000, 10)
	if ms %= 1000; ms != 0 {
		dst = append(dst, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
	}
	return dst
}

// seconds reads a decimal number of seconds of at most nine digits before the point, in
// milliseconds; further than three after it are cut off.
func seconds(text []byte) (ms int64, ok bool) {
	return record.Decimal(bytes.TrimSpace(text), 3)
}

// clocks derive the time left from the time given and the seconds that moves took.
type clocks struct {
	running bool
	left    [2]int64 // milliseconds
	limit   limit
}

// spend takes the time of a move off a side's clock. Who is in byoyomi has no clock.
func (c *clocks) spend(side int, used int64) (left int32, ok bool) {
	if !c.running {
		return 0, false
	}
	if c.left[side] = max(c.left[side]-used, -1); c.left[side] < 0 {
		return 0, false
	}
	c.left[side] += c.limit.increment
	return int32(min(c.left[side], 1<<31-1)), true
}

// time reads the seconds that the last move took.
func (r *BlockReader) time(g *record.Game, text []byte) {
	if len(g.Moves) == 0 || r.ended {
		return
	}
	used, ok := seconds(text)
	if !ok {
		r.clocks.running = false
		return
	}
	side := 0
	if r.black {
		side = 1
	}
	m := &g.Moves[len(g.Moves)-1]
	m.Clock, m.HasClock = r.clocks.spend(side, used)
}
