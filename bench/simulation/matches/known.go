package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kifu/players/match/pentanomial"
)

// Kind is a kind of match.
type Kind struct {
	Name string
	// Draw is the draw margin in Elo: a game is won with the chance that is expected at a
	// difference of ratings less by Draw.
	Draw float64
	// Opening is by how much every second opening favors the side that moves first, in Elo.
	Opening float64
	// Same is the share of pairs whose games end alike, as of players without chance.
	Same float64
}

// Kinds are the kinds of players in the table.
var Kinds = []Kind{
	{Name: "few draws", Draw: 50},
	{Name: "one-sided openings", Draw: 50, Opening: 150},
	{Name: "many draws", Draw: 300, Opening: 100},
	{Name: "games of a pair alike", Draw: 50, Same: 1},
}

// shares returns the shares of pairs by points at a difference of ratings in Elo.
func (k Kind) shares(elo float64) (p [5]float64) {
	game := func(elo float64) [3]float64 {
		win := 1 / (1 + math.Pow(10, (k.Draw-elo)/400))
		loss := 1 / (1 + math.Pow(10, (k.Draw+elo)/400))
		return [3]float64{loss, 1 - win - loss, win}
	}
	for _, opening := range []float64{0, k.Opening} {
		first, second := game(elo+opening), game(elo-opening)
		for i, a := range first {
			for j, b := range second {
				p[i+j] += (1 - k.Same) * a * b / 2
			}
		}
	}
	for i, a := range game(elo) {
		p[2*i] += k.Same * a
	}
	return p
}

// truth returns score and normalised Elo under the shares.
func truth(p [5]float64) (score, normalised float64) {
	square := 0.0
	for i, x := range p {
		points := float64(i) / 4
		score, square = score+x*points, square+x*points*points
	}
	return score, 800 / math.Ln10 * (score - 0.5) / math.Sqrt(2*(square-score*score))
}

// draw adds n pairs to the counts.
func draw(rng *rand.Rand, p [5]float64, n int, to *pentanomial.Pairs) {
	for range n {
		u, i := rng.Float64(), 0
		for i < 4 && u >= p[i] {
			u -= p[i]
			i++
		}
		to[i]++
	}
}

// Coverage is how often intervals of 95 % hold the truth.
type Coverage struct {
	kind                   Kind
	pairs, n               int
	elo, score             float64
	Elo, Normalised        float64 // shares of matches
	TruthBelow, TruthAbove float64 // of the interval of Elo
	MonteCarloError        float64 // of a share of 95 %
}

// Fixed plays n matches of that many pairs.
func Fixed(rng *rand.Rand, k Kind, elo float64, pairs, n int) Coverage {
	p := k.shares(elo)
	score, normalised := truth(p)
	c := Coverage{kind: k, pairs: pairs, n: n, elo: elo, score: score, MonteCarloError: math.Sqrt(0.95 * 0.05 / float64(n))}
	one := 1 / float64(n)
	for range n {
		var counts pentanomial.Pairs
		draw(rng, p, pairs, &counts)
		m := pentanomial.Measure(counts, pentanomial.Openings{})
		switch s := m.Score(); {
		case score < s.Low:
			c.TruthBelow += one
		case score > s.High:
			c.TruthAbove += one
		default:
			c.Elo += one
		}
		if e := m.NormalisedElo(); e.Low <= normalised && normalised <= e.High {
			c.Normalised += one
		}
	}
	return c
}

// String returns a line of the table.
func (c Coverage) String() string {
	return fmt.Sprintf("| %s | %d | %g | %.3f | %s | %s | %.1f | %.1f |", c.kind.Name, c.pairs, c.elo, c.score,
		share(c.Elo, c.n), share(c.Normalised, c.n), 100*c.TruthBelow, 100*c.TruthAbove)
}

func share(p float64, n int) string {
	return fmt.Sprintf("%.1f ± %.1f %%", 100*p, 100*math.Sqrt(p*(1-p)/float64(n)))
}

// Tests are the tests of the table, in normalised Elo.
var Tests = []pentanomial.Test{
	{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05},
	{Elo0: -10, Elo1: 50, Alpha: 0.05, Beta: 0.05},
	{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05},
}

// Ended holds the results of tests of known players.
type Ended struct {
	test            pentanomial.Test
	elo             float64
	n               int
	Accepted, Pairs float64 // share that accepts Elo1, mean pairs
	Withheld        float64 // share without a median-unbiased estimate
	// Bias is the mean error of the plain estimate, MedianBias the median error of the
	// median-unbiased one, in normalised Elo; with standard errors.
	Bias, BiasSE, MedianBias, MedianSE float64
	Above                              float64 // share of the median-unbiased estimates above the truth
	Plain, Corrected                   float64 // shares of intervals that hold the truth
	Instead                            float64 // of the plain ones where the corrected are withheld
}

// Stopped plays n matches to the end of a test, between players that differ by elo in
// normalised Elo and draw few games.
func Stopped(rng *rand.Rand, t pentanomial.Test, elo float64, n int) Ended {
	p := at(elo)
	e := Ended{test: t, elo: elo, n: n}
	one := 1 / float64(n)
	var plain, corrected []float64
	for range n {
		var counts pentanomial.Pairs
		for t.SPRT(counts, pentanomial.Openings{}).Accepted == "" {
			draw(rng, p, pentanomial.LookPairs, &counts)
		}
		r, m := t.Ended(counts, pentanomial.Openings{}), pentanomial.Measure(counts, pentanomial.Openings{}).NormalisedElo()
		if r.Accepted == "elo_1" {
			e.Accepted += one
		}
		e.Pairs += one * float64(counts.N())
		plain = append(plain, m.Value-elo)
		if m.Low <= elo && elo <= m.High {
			e.Plain += one
		}
		if r.Estimates == nil { // the plain one is stated to hold
			e.Withheld += one
			if m.Low <= elo && elo <= m.High {
				e.Instead += one
			}
			continue
		}
		c := r.Estimates.NormalisedElo
		corrected = append(corrected, c.Value-elo)
		if c.Value > elo {
			e.Above += one
		}
		if c.Low <= elo && elo <= c.High {
			e.Corrected += one
		}
	}
	var spread float64
	for _, d := range plain {
		e.Bias += d * one
		spread += d * d * one
	}
	e.BiasSE = math.Sqrt(max(0, spread-e.Bias*e.Bias) * one)
	if k := len(corrected); k > n/2 {
		slices.Sort(corrected)
		half := int(math.Sqrt(float64(k)) / 2)
		e.MedianBias, e.MedianSE = corrected[k/2], (corrected[k/2+half]-corrected[k/2-half])/2
	}
	return e
}

// at returns the shares at a difference in normalised Elo.
func at(normalised float64) [5]float64 {
	low, high := -800.0, 800.0
	for range 60 {
		middle := (low + high) / 2
		if _, v := truth(Kinds[0].shares(middle)); v < normalised {
			low = middle
		} else {
			high = middle
		}
	}
	return Kinds[0].shares(low)
}

// String returns a line of the table.
func (e Ended) String() string {
	return fmt.Sprintf("| %g:%g | %g | %.1f %% | %.0f | %+.1f ± %.1f | %s | %+.1f ± %.1f | %s | %.1f %% | %s |", e.test.Elo0, e.test.Elo1, e.elo, 100*e.Accepted, e.Pairs,
		e.Bias, e.BiasSE, share(e.Plain, e.n), e.MedianBias, e.MedianSE, share(e.Above, e.n), 100*e.Withheld, share(e.Corrected+e.Instead, e.n))
}
