package match

import (
	"time"

	"kifu/games"
	"kifu/search/engine"
)

// clocks are the clocks of a game, by side. A side whose player has no time control has none.
//
// They work as in fastchess. A side begins with its time and one increment, and gets an increment after each
// move and its time again after each control. It loses if a move takes longer than the time left plus the
// margin.
type clocks struct {
	limits [2]engine.Limits
	left   [2]time.Duration
	moves  [2]int // to the next control
}

// wind sets the clocks to the start of a game.
func (c *clocks) wind(first, second engine.Limits) {
	*c = clocks{limits: [2]engine.Limits{first, second}}
	for side, l := range c.limits {
		c.left[side], c.moves[side] = l.Clock.Base+l.Clock.Increment, l.Clock.Moves
	}
}

// counts reports whether a side has a clock, of which something is left.
func (c *clocks) counts(side games.Side) bool {
	return c.limits[side].Clock != engine.TimeControl{}
}

// show returns the clocks that the player of a side is sent.
func (c *clocks) show(side games.Side) engine.Clock {
	own := side
	now := engine.Clock{Moves: c.moves[own], Second: side == games.Second}
	for i := range c.left {
		from := games.Side(i)
		if !c.counts(from) { // of an opponent without a clock: its own
			from = own
		}
		now.Left[i], now.Increment[i] = c.left[from], c.limits[from].Clock.Increment
	}
	return now
}

// spend subtracts the time of a move, in whole milliseconds, and reports whether enough was left.
func (c *clocks) spend(side games.Side, took time.Duration) bool {
	l := c.limits[side]
	took = took.Truncate(time.Millisecond)
	if l.Strict {
		return took <= l.MoveTime+l.Margin
	}
	if c.left[side] -= took; c.left[side] < -l.Margin {
		return false
	}
	c.left[side] = max(0, c.left[side]) + l.Clock.Increment
	if c.moves[side]--; c.moves[side] == 0 {
		c.left[side], c.moves[side] = c.left[side]+l.Clock.Base, l.Clock.Moves
	}
	return true
}
