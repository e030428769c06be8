package export

import (
	"bytes"
	"math"
	"strconv"

	"kifu/games"
)

// ggfClocks turn the time left after each move into the time that the move took.
type ggfClocks struct {
	left      [2]int64 // milliseconds; negative in the time of grace
	increment int64
}

// newGGFClocks reads the time control main/increment/grace, each [[h:]m:]s. ok is false
// if it is none, or if no move has a clock: then no move reports how long it took.
func newGGFClocks(g *Game) (c ggfClocks, ok bool) {
	clocked := false
	for i := range g.Moves {
		clocked = clocked || g.Moves[i].HasClock
	}
	parts := bytes.Split(g.TimeControl, []byte("/"))
	left, ok := clockTime(parts[0])
	if !clocked || !ok {
		return c, false
	}
	if len(parts) > 1 && len(parts[1]) > 0 {
		c.increment, ok = clockTime(parts[1])
		if !ok {
			return c, false
		}
	}
	c.left = [2]int64{left, left}
	return c, true
}

// used returns the time that the move took off the clock of side. In the time of grace, or at its
// beginning, the clock is unknown: the move is given ten milliseconds more than were left.
func (c *ggfClocks) used(side games.Side, m *Move) int64 {
	left := &c.left[side]
	switch {
	case m.HasClock:
		used := *left + c.increment - int64(m.Clock)
		*left = int64(m.Clock)
		return max(used, 0)
	case *left < 0:
		return 0
	}
	used := *left + 10
	*left = -1
	return used
}

// clockTime reads [[h:]m:]s, with or without a fraction, in milliseconds.
func clockTime(text []byte) (ms int64, ok bool) {
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
