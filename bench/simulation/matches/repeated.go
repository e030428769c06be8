package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/players/match/pentanomial"
)

// Repeated is a kind of match that goes through its openings several times.
type Repeated struct {
	Name     string
	Openings int
	Times    int     // pairs of each
	Copies   float64 // share of pairs that are copies of the first one of their opening
	Spread   float64 // standard deviation of the difference between openings, in Elo
	Elo      float64 // the mean of it
}

// Repeats are the kinds of the table.
var Repeats = []Repeated{
	{"twelve openings, copies", 12, 17, 1, 100, 50},
	{"twelve openings, copies", 12, 17, 1, 300, 400},
	{"nine openings, chance", 9, 50, 0, 100, 0},
	{"43 openings, nine of ten are copies", 43, 10, 0.9, 100, 0},
	{"43 openings, chance", 43, 10, 0, 100, 0},
	{"43 openings, chance", 43, 10, 0, 100, 250},
	{"200 openings, half are copies", 200, 2, 0.5, 50, 20},
	{"200 openings that do not matter", 200, 2, 0, 0, 100},
}

// play plays a match: the pairs round after round of the openings.
func (k Repeated) play(rng *rand.Rand, see func(points int, of int, copied bool) bool) {
	shares, first := make([][5]float64, k.Openings), make([]int, k.Openings)
	for i := range shares {
		shares[i] = Kinds[0].shares(k.Elo + k.Spread*rng.NormFloat64())
	}
	for time := range k.Times {
		for i := range shares {
			var one pentanomial.Pairs
			draw(rng, shares[i], 1, &one)
			points, copied := 0, time > 0 && rng.Float64() < k.Copies
			for one[points] == 0 {
				points++
			}
			switch {
			case copied:
				points = first[i]
			case time == 0:
				first[i] = points
			}
			if !see(points, i, copied) {
				return
			}
		}
	}
}

// score returns the one that is expected over all openings.
func (k Repeated) score() (mean float64) {
	const steps = 2000
	for i := range steps { // quantiles of the normal distribution
		s, _ := truth(Kinds[0].shares(k.Elo + k.Spread*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/steps-1)))
		mean += s / steps
	}
	return mean
}

// Covers returns how often the interval of the score holds the score of all openings, with the errors by opening and by
// pair alone, in n matches.
func (k Repeated) Covers(rng *rand.Rand, n int) (byOpening, byPair float64) {
	score := k.score()
	holds := func(m pentanomial.Interval) float64 {
		if s := m.Score(); s.Low <= score && score <= s.High {
			return 1 / float64(n)
		}
		return 0
	}
	for range n {
		var p pentanomial.Pairs
		var o pentanomial.Openings
		of := make([]pentanomial.Opening, k.Openings)
		k.play(rng, func(points, i int, _ bool) bool {
			p[points]++
			o.Add(&of[i], points)
			return true
		})
		byOpening += holds(pentanomial.Measure(p, o))
		byPair += holds(pentanomial.Measure(p, pentanomial.Openings{}))
	}
	return byOpening, byPair
}

// String returns the kind as the first cells of a line.
func (k Repeated) String() string {
	return fmt.Sprintf("%s | %d × %d | %g ± %g", k.Name, k.Openings, k.Times, k.Elo, k.Spread)
}

// Line returns a line of the table of intervals.
func (k Repeated) Line(rng *rand.Rand, n int) string {
	byOpening, byPair := k.Covers(rng, n)
	return fmt.Sprintf("| %s | %s | %s |", k, share(byOpening, n), share(byPair, n))
}

// Accepts returns how often a test accepts its second hypothesis while copies do not count, the ratio allowing for openings
// that come again, and how often where all pairs count as independent.
func (k Repeated) Accepts(rng *rand.Rand, t pentanomial.Test, n int) (fresh, all float64) {
	for range n {
		var p, q pentanomial.Pairs
		var o pentanomial.Openings
		of, pairs := make([]pentanomial.Opening, k.Openings), 0
		var ends [2]string
		k.play(rng, func(points, i int, copied bool) bool {
			p[points]++
			if !copied {
				q[points]++
				o.Add(&of[i], points)
			}
			if pairs++; pairs%pentanomial.LookPairs == 0 {
				if ends[0] == "" {
					ends[0] = t.SPRT(q, o).Accepted
				}
				if ends[1] == "" {
					ends[1] = t.SPRT(p, pentanomial.Openings{}).Accepted
				}
			}
			return ends[0] == "" || ends[1] == ""
		})
		for i, to := range []*float64{&fresh, &all} {
			if ends[i] == "elo_1" {
				*to += 1 / float64(n)
			}
		}
	}
	return fresh, all
}
