package wdl

import (
	"math"
	"slices"

	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/report/sheet"
)

// leastWins is the number of wins from which a and b are fitted at an m alone, as in WDL_model.
const leastWins = 10

// fitted is a model with its errors.
type fitted struct {
	Model
	moves   // of A and then B
	Locals  []local
	LogLoss float64 // mean, in nats
}

// fit finds the polynomials with the largest likelihood in two steps: a and b at each m with enough wins, cubics
// through these by least squares, and from there the eight coefficients together by all positions.
func fit(games []game, p Params) (fitted, error) {
	f, l, err := fitCells(gather(games), byM(games), p)
	if err == nil {
		f.moves = l.moves(games, f.way)
	}
	return f, err
}

// fitCells is fit without the errors of the polynomials; those at an m alone are of the games there.
func fitCells(cells []cell, games func(m int32) []game, p Params) (fitted, *likelihood, error) {
	f := fitted{moves: moves{way: dyads.Way(p.Way)}, Model: Model{Target: p.Target, Least: p.Least, Most: p.Most}}
	for from := 0; from < len(cells); {
		to := from
		wins := 0.0
		for to < len(cells) && cells[to].m == cells[from].m {
			wins += float64(cells[to].wins)
			to++
		}
		if wins >= leastWins {
			if at, err := fitLocal(cells[from:to], games(cells[from].m), f.way); err == nil {
				f.Locals = append(f.Locals, at)
			}
		}
		from = to
	}
	if len(f.Locals) <= Degree {
		return f, nil, sheet.Errorf("only %d values of %s have %d wins and overlapping results: a cubic needs more than %d", len(f.Locals), p.By, leastWins, Degree)
	}
	a, b := polynomial(f.Locals, p.Target, func(k local) float64 { return k.a }), polynomial(f.Locals, p.Target, func(k local) float64 { return k.b })
	l := newLikelihood(cells, p.Target, Degree)
	start := slices.Concat(a, b)
	if math.IsInf(l.Set(start), -1) { // a cubic that is negative somewhere: begin with what is the same everywhere
		start = make([]float64, 2*Degree+2)
		for _, k := range f.Locals {
			start[Degree] += k.a / float64(len(f.Locals))
			start[2*Degree+1] += k.b / float64(len(f.Locals))
		}
	}
	theta, err := logit.Maximise(l, start)
	if err != nil {
		return f, nil, sheet.Errorf("the polynomials of %s have no finite maximum: %v", p.By, err)
	}
	positions := lists.Sum(cells, cell.positions)
	f.LogLoss = -l.Set(theta) / positions
	copy(f.A[:], theta)
	copy(f.B[:], theta[Degree+1:])
	return f, l, nil
}

// spreadsAt are the spreads of a and b at m.
func (f fitted) spreadsAt(m float64) (a, b dyads.Spread) {
	ofA, ofB := make([]float64, 2*Degree+2), make([]float64, 2*Degree+2)
	l := likelihood{target: f.Target, degree: Degree}
	l.powers(m, ofA[:Degree+1])
	copy(ofB[Degree+1:], ofA)
	return f.along(ofA), f.along(ofB)
}

// rival is another way to give probabilities, which the model is held against.
type rival struct {
	Name         string
	LogLoss      float64
	Spread       dyads.Spread
	Difference   float64 // of the model from it, paired by game
	OfDifference dyads.Spread
}

// leastHeld is the number of games held out from which log-losses have errors: of fewer, judged by a model of few games,
// whose losses have long tails, intervals are too narrow.
const leastHeld = 40

// judge returns the log-loss, in nats, of models fitted to some games on those that were held out: the cubics, one
// a and b for all m, and the shares of results whatever the value.
func judge(train, held []game, p Params) ([]rival, error) {
	cells := gather(train)
	f, _, err := fitCells(cells, byM(nil), p)
	if err != nil {
		return nil, err
	}
	flat := make([]cell, len(cells))
	var shares [3]float64
	for i, c := range cells {
		flat[i] = c
		flat[i].m = 0
		for k, n := range c.counts() {
			shares[k] += n
		}
	}
	one, err := fitLocal(gather([]game{{cells: flat}}), nil, f.way)
	if err != nil {
		return nil, err
	}
	total := shares[0] + shares[1] + shares[2]
	ways := []struct {
		name string
		of   func(c cell) (l [3]float64)
	}{
		{"cubics of " + p.By, func(c cell) [3]float64 { a, b := f.At(float64(c.m)); k, _ := logsAt(a, b, c.x); return k.log }},
		{"one a and b", func(c cell) [3]float64 { k, _ := logsAt(one.a, one.b, c.x); return k.log }},
		{"shares of results alone", func(cell) [3]float64 {
			return [3]float64{math.Log(shares[0] / total), math.Log(shares[1] / total), math.Log(shares[2] / total)}
		}},
	}
	// The log-losses of the games, and the model's less the others'.
	sums, sizes, who := make([][]float64, len(held)), make([]float64, len(held)), make([]dyads.Pair, len(held))
	for g, game := range held {
		sums[g], sizes[g], who[g] = make([]float64, 2*len(ways)), game.positions(), game.who
		for w, way := range ways {
			for _, c := range game.cells {
				l := way.of(c)
				n := c.counts()
				sums[g][w] -= n[0]*l[0] + n[1]*l[1] + n[2]*l[2]
			}
			sums[g][len(ways)+w] = sums[g][0] - sums[g][w]
		}
	}
	means, spreads := ratios(sums, sizes, who, f.way)
	if len(held) < leastHeld {
		spreads = slices.Repeat([]dyads.Spread{{Variance: math.NaN()}}, len(spreads))
	}
	var all []rival
	for w, way := range ways {
		r := rival{way.name, means[w], spreads[w], math.NaN(), dyads.Spread{}}
		if w > 0 {
			r.Difference, r.OfDifference = means[len(ways)+w], spreads[len(ways)+w]
		}
		all = append(all, r)
	}
	return all, nil
}
