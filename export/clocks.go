package export

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"kifu/games"
)

// Clocks turn the time left after each move into the time that the move took.
type Clocks struct {
	left      [2]int64 // milliseconds; negative in byoyomi or the time of grace
	Increment int64
	Beyond    int64 // that a move is given above what was left when no clock is known any more
}

// Begin sets both clocks to a time. It returns false if the text is none, or if no move has a clock: then no
// move reports how long it took.
func (c *Clocks) Begin(g *Game, text []byte) bool {
	left, ok := ClockTime(text)
	c.left = [2]int64{left, left}
	return ok && slices.ContainsFunc(g.Moves, func(m Move) bool { return m.HasClock })
}

// Used returns the time that the move took off the clock of side, if it is known.
func (c *Clocks) Used(side games.Side, m *Move) (ms int64, ok bool) {
	left := &c.left[side]
	switch {
	case m.HasClock:
		ms = max(*left+c.Increment-int64(m.Clock), 0)
		*left = int64(m.Clock)
		return ms, true
	case *left < 0:
		return 0, false
	}
	ms = *left + c.Beyond
	*left = -1
	return ms, true
}

// newGGFClocks reads the time control main/increment/grace, each [[h:]m:]s. In the time of grace, or at its
// beginning, a move is given ten milliseconds more than were left.
func newGGFClocks(g *Game) (c Clocks, ok bool) {
	parts := bytes.Split(g.TimeControl, []byte("/"))
	if len(parts) > 1 && len(parts[1]) > 0 {
		if c.Increment, ok = ClockTime(parts[1]); !ok {
			return c, false
		}
	}
	c.Beyond = 10
	return c, c.Begin(g, parts[0])
}

// ClockTime reads [[h:]m:]s, with or without a fraction, in milliseconds.
func ClockTime(text []byte) (ms int64, ok bool) {
	seconds := 0.0
	for _, part := range bytes.Split(text, []byte(":")) {
		v, err := strconv.ParseFloat(string(part), 64)
		if err != nil || !(v >= 0 && v < 1e6) {
			return 0, false
		}
		seconds = 60*seconds + v
	}
	return int64(math.Round(1000 * seconds)), true
}
