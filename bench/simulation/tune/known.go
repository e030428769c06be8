package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kifu/internal/elo"
	"kifu/players/tune"
)

// Kind is a kind of program and run. Options go from 0 to 100; the best value of the first is 60,
// of the second 35, of the third 80, …
type Kind struct {
	Name    string
	Start   float64 // of all options
	Options int
	Whole   bool    // options are whole numbers
	Reach   float64 // distance from the best value at which an option costs 100 Elo
	// Power is the exponent of the distance: 2 is the quadratic strength that the interval supposes.
	Power float64
	// Cross is the share by which an option that is off takes the best value of the one before with it.
	Cross  float64
	Games  int
	Pairs  int // of an iteration
	CEnd   float64
	REnd   float64
	Margin float64 // of draws, in Elo
}

// Kinds lists the rows of the table.
var Kinds = []Kind{
	{Name: "one option, from far", Start: 10, Options: 1, Reach: 30, Power: 2, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
	{Name: "one option, from the best value", Start: 60, Options: 1, Reach: 30, Power: 2, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
	{Name: "one option, few games", Start: 10, Options: 1, Reach: 30, Power: 2, Games: 2000, Pairs: 4, CEnd: 5, REnd: 0.02, Margin: 100},
	{Name: "whole numbers", Start: 10, Options: 1, Whole: true, Reach: 30, Power: 2, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
	{Name: "five options", Start: 20, Options: 5, Reach: 40, Power: 2, Games: 40000, Pairs: 8, CEnd: 5, REnd: 0.004, Margin: 100},
	{Name: "options that hang together", Start: 20, Options: 2, Reach: 40, Power: 2, Cross: 0.5, Games: 40000, Pairs: 8, CEnd: 5, REnd: 0.004, Margin: 100},
	{Name: "many draws", Start: 10, Options: 1, Reach: 60, Power: 2, Games: 40000, Pairs: 8, CEnd: 5, REnd: 0.01, Margin: 250},
	{Name: "strength of power 1.5", Start: 10, Options: 1, Reach: 30, Power: 1.5, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
	{Name: "strength of power 3", Start: 10, Options: 1, Reach: 40, Power: 3, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
	{Name: "an option that does nothing", Start: 40, Options: 1, Reach: math.Inf(1), Power: 2, Games: 20000, Pairs: 8, CEnd: 5, REnd: 0.005, Margin: 100},
}

// best is the best value of an option.
func best(i int) float64 { return []float64{60, 35, 80, 50, 25}[i%5] }

// elo returns the strength at values.
func (k Kind) elo(values []float64) (sum float64) {
	off := 0.0
	for i, v := range values {
		d := v - best(i)
		off, d = d, d+k.Cross*off
		sum -= 100 * math.Pow(math.Abs(d)/k.Reach, k.Power)
	}
	return sum
}

// params returns the params of a run.
func (k Kind) params(seed uint64) tune.Params {
	p := tune.Params{Schedule: tune.Usual, Pairs: k.Pairs, Seed: seed}
	p.Iterations = k.Games / (2 * k.Pairs)
	for i := range k.Options {
		p.Parameters = append(p.Parameters, tune.Parameter{Name: fmt.Sprint("option", i), Float: !k.Whole, Start: k.Start, Max: 100, C: k.CEnd, R: k.REnd})
	}
	return p
}

// Tune makes one run.
func (k Kind) Tune(seed uint64) *tune.Trajectory {
	p := k.params(seed)
	t := tune.NewTrajectory(p)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range p.Iterations {
		it := t.Next()
		difference := k.elo(it.Plus) - k.elo(it.Minus)
		win := 1 / (1 + math.Pow(10, (k.Margin-difference)/400))
		loss := 1 / (1 + math.Pow(10, (k.Margin+difference)/400))
		var r elo.Tally
		for range 2 * k.Pairs {
			switch u := rng.Float64(); {
			case u < win:
				r.Wins++
			case u < win+loss:
				r.Losses++
			default:
				r.Draws++
			}
		}
		t.Learn(it, r)
	}
	return t
}

// Cover counts the outcomes of the runs of a kind, over all options.
type Cover struct {
	Kind
	Runs    int
	Covered float64 // share of intervals with the best value
	Error   float64 // Monte-Carlo error of Covered
	Found   float64 // share of intervals that are not the whole range
	Width   float64 // median of those
	Start   float64 // mean Elo below the best at the start, and at the end
	End     float64
	Off     float64 // root of the mean square of the distance from the best values
}

// Run makes runs of a kind.
func Run(k Kind, runs int, seed uint64) Cover {
	c := Cover{Kind: k, Runs: runs, Start: -k.elo(slices.Repeat([]float64{k.Start}, k.Options))}
	var widths []float64
	covered, n := 0, 0
	for i := range runs { // each of a seed of its own
		t := k.Tune(seed + uint64(i))
		c.End -= k.elo(t.Final()) / float64(runs)
		for j, v := range t.Final() {
			o := t.Optimum(j)
			n++
			if o.Low <= best(j) && best(j) <= o.High {
				covered++
			}
			if o.Found {
				widths = append(widths, o.High-o.Low)
			}
			c.Off += (v - best(j)) * (v - best(j))
		}
	}
	c.Covered, c.Found, c.Off = float64(covered)/float64(n), float64(len(widths))/float64(n), math.Sqrt(c.Off/float64(n))
	c.Error = math.Sqrt(c.Covered * (1 - c.Covered) / float64(n))
	if len(widths) > 0 {
		slices.Sort(widths)
		c.Width = widths[len(widths)/2]
	}
	return c
}

// String returns c as a row of the table.
func (c Cover) String() string {
	return fmt.Sprintf("| %s | %d | %.1f | %.1f | %.1f | %.1f ± %.1f %% | %.0f %% | %.1f |", c.Name, c.Games, c.Start, c.End, c.Off,
		100*c.Covered, 100*c.Error, 100*c.Found, c.Width)
}
