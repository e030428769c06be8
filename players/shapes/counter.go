package shapes

import "kifu/games"

// Counter counts the shapes of decisions in two passes, on several workers: which were played often enough to be kept
// (harvesting: Stern, Herbrich and Graepel 2006, section 3), then how often each of these could be played. What it counts
// does not depend on the number of workers. Memory: eight bytes for each distinct shape played, then some thirty for each
// that is kept.
type Counter[P games.Position[P]] struct {
	Counts
	shapes    games.Patterns[P]
	keys      []tally // by worker and size
	decisions []int64 // by worker
	legal     []int64
	available [][]uint32
	within    []uint32 // of each shape kept: number + 1 of the next smaller one around its moves; 0 for none
}

// NewCounter returns a counter for so many workers of the smallest sizes of a game's shapes (0: all of them).
func NewCounter[P games.Position[P]](of games.Patterns[P], sizes, workers int) *Counter[P] {
	c := &Counter[P]{shapes: of, decisions: make([]int64, workers), legal: make([]int64, workers), available: make([][]uint32, workers)}
	if c.sizes = len(of.PatternSizes()); sizes > 0 {
		c.sizes = min(sizes, c.sizes)
	}
	c.keys = make([]tally, workers*c.sizes)
	return c
}

// Played counts the shapes of the move played in a decision.
func (c *Counter[P]) Played(worker int, p P, moves []games.Move, chosen int) {
	c.decisions[worker]++
	c.legal[worker] += int64(len(moves))
	at, end := worker*c.sizes, (worker+1)*c.sizes
	c.shapes.EachPattern(p, moves[chosen:chosen+1], func(_ int, key uint64) bool {
		c.keys[at].add(key)
		at++
		return at < end
	})
}

// Keep ends the first pass: shapes that were played at least so many times are kept.
func (c *Counter[P]) Keep(least int) {
	workers := len(c.decisions)
	for w := range workers {
		c.Decisions, c.legals = c.Decisions+c.decisions[w], c.legals+c.legal[w]
	}
	for size := range c.sizes {
		var all tally
		for w := range workers {
			of := &c.keys[w*c.sizes+size]
			of.count()
			all.merge(of)
			*of = tally{}
		}
		for i, key := range all.keys {
			if n := all.counts[i]; int(n) >= least {
				c.numbers.add(key)
				c.played, c.sizeOf = append(c.played, n), append(c.sizeOf, uint8(size))
			}
		}
	}
	c.within = make([]uint32, len(c.played))
	c.Counts.available = make([]uint32, len(c.played))
	for w := range c.available {
		c.available[w] = make([]uint32, len(c.played))
	}
}

// Available counts the shapes kept of all moves of a decision.
func (c *Counter[P]) Available(worker int, p P, moves []games.Move) {
	eachKept(c.shapes, &c.numbers, c.sizes, p, moves, func(_ int, n uint32) { c.available[worker][n]++ })
}

// Done ends the second pass and returns what was counted.
func (c *Counter[P]) Done() *Counts {
	for _, of := range c.available {
		for i, n := range of {
			c.Counts.available[i] += n
		}
	}
	return &c.Counts
}
