package wdl

import (
	"math"
	"slices"

	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/report/sheet"
)

// leastWins is the number of wins from which a and b are fitted at an m alone, as in WDL_model.
const leastWins = 10

// fitted is a model with its errors.
type fitted struct {
	Model
	moves  // of A and then B
	Locals []local
}

// fit finds the polynomials with the largest likelihood in two steps: a and b at each m with enough wins, cubics
// through these by least squares, and from there the eight coefficients together by all positions.
func fit(s *sample, p Params) (fitted, error) {
	f := fitted{moves: moves{way: dyads.Way(p.Way)}, Model: Model{Target: p.Target, Least: p.Least, Most: p.Most}}
	if drawn(s.cells) == 0 {
		return f, sheet.Errorf("none of these positions is of a drawn game, and the model is of wins, draws and losses: kifu report curve has the shares won by value")
	}
	games := byM(s.games)
	for from := 0; from < len(s.cells); {
		to := from
		wins := 0.0
		for to < len(s.cells) && s.cells[to].m == s.cells[from].m {
			wins += float64(s.cells[to].n[0])
			to++
		}
		there := games(to)
		if wins >= leastWins {
			// Without draws the likelihood grows as a goes to 0, where nothing is known of it.
			if at, err := fitLocal(s.cells[from:to], from, there, f.way); err == nil && !math.IsNaN(at.ofA.Variance) {
				f.Locals = append(f.Locals, at)
			}
		}
		from = to
	}
	if len(f.Locals) <= Degree {
		return f, sheet.Errorf("only %d values of %s have %d wins and overlapping results: a cubic needs more than %d", len(f.Locals), p.By, leastWins, Degree)
	}
	a, b := polynomial(f.Locals, p.Target, func(k local) float64 { return k.a }), polynomial(f.Locals, p.Target, func(k local) float64 { return k.b })
	l := newLikelihood(s.cells, p.Target, Degree)
	start := slices.Concat(a, b)
	if len(start) < 2*Degree+2 || math.IsInf(l.Set(start), -1) { // no cubic, or one that is negative somewhere: begin with what is the same everywhere
		start = make([]float64, 2*Degree+2)
		for _, k := range f.Locals {
			start[Degree] += k.a / float64(len(f.Locals))
			start[2*Degree+1] += k.b / float64(len(f.Locals))
		}
	}
	if err := f.maximise(l, start, p); err != nil {
		return f, err
	}
	f.moves = l.moves(0, s.games, f.way)
	return f, nil
}

// maximise finds the coefficients with the largest likelihood.
func (k *Model) maximise(l *likelihood, start []float64, p Params) error {
	theta, err := logit.Maximise(l, start)
	if err != nil {
		share := drawn(l.cells) / lists.Sum(l.cells, cell.positions)
		return sheet.Errorf("no cubics of %s fit: %v. %s of the positions are of drawn games; if these are too few, kifu report curve has the shares won by value, else give more games", p.By, err, human.Percent(share, 1))
	}
	copy(k.A[:], theta)
	copy(k.B[:], theta[Degree+1:])
	return nil
}

// drawn returns the number of positions of drawn games.
func drawn(cells []cell) float64 {
	return lists.Sum(cells, func(c cell) float64 { return float64(c.n[1]) })
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

// judge returns the log-loss, in nats, of models fitted to the other games on those that are held out: the cubics, one
// a and b for all m, and the shares of results whatever the value. It begins at the fit to all games.
func judge(s *sample, all fitted, p Params) ([]rival, error) {
	cells, f := s.without(), all.Model
	if err := f.maximise(newLikelihood(cells, p.Target, Degree), slices.Concat(all.A[:], all.B[:]), p); err != nil {
		return nil, err
	}
	flat := &numbering{} // of one m
	var shares [results]float64
	for _, c := range cells {
		flat.add(0, c.x, c)
		for k, n := range c.n {
			shares[k] += float64(n)
		}
	}
	sorted, _ := flat.ordered()
	one, err := fitLocal(sorted, 0, nil, all.way)
	if err != nil {
		return nil, err
	}
	total := shares[0] + shares[1] + shares[2]
	alone := [results]float64{math.Log(shares[0] / total), math.Log(shares[1] / total), math.Log(shares[2] / total)}
	ways := []struct {
		name string
		of   func(c cell) [results]float64
	}{
		{"cubics of " + p.By, func(c cell) [results]float64 { a, b := f.At(float64(c.m)); return logsOf(a, b, c.x) }},
		{"one a and b", func(c cell) [results]float64 { return logsOf(one.a, one.b, c.x) }},
		{"shares of results alone", func(cell) [results]float64 { return alone }},
	}
	logs := make([][3 * results]float64, len(s.cells)) // by way
	for i, c := range s.cells {
		for w, way := range ways {
			of := way.of(c)
			copy(logs[i][results*w:], of[:])
		}
	}
	// The log-losses of the games, and the model's less the others'.
	var sums, sizes []float64
	var who []dyads.Pair
	for _, g := range s.games {
		if !g.held {
			continue
		}
		var of [3]float64
		for _, p := range g.positions {
			for w := range of {
				of[w] -= logs[p.cell()][results*w+p.result()]
			}
		}
		sums = append(sums, of[0], of[1], of[2], 0, of[0]-of[1], of[0]-of[2])
		sizes, who = append(sizes, float64(len(g.positions))), append(who, g.who)
	}
	means, spreads := ratios(sums, 2*len(ways), sizes, who, all.way)
	if len(sizes) < leastHeld {
		spreads = slices.Repeat([]dyads.Spread{{Variance: math.NaN()}}, len(spreads))
	}
	var rivals []rival
	for w, way := range ways {
		r := rival{way.name, means[w], spreads[w], math.NaN(), dyads.Spread{}}
		if w > 0 {
			r.Difference, r.OfDifference = means[len(ways)+w], spreads[len(ways)+w]
		}
		rivals = append(rivals, r)
	}
	return rivals, nil
}

// logsOf are the logarithms of the probabilities at x; all 0 where a and b give none.
func logsOf(a, b, x float64) [results]float64 {
	s, ok := spotAt(a, b)
	if !ok {
		return [results]float64{}
	}
	return s.at(x).log
}
