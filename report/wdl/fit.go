package wdl

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/report/sheet"
)

// leastWins is the number of wins from which a and b are fitted at an m alone, as in WDL_model.
const leastWins = 10

// fitted is a model with its errors.
type fitted struct {
	Model
	Covariance *mat.SymDense // of A and then B
	Locals     []local
	LogLoss    float64 // mean, in nats
}

// fit finds the polynomials with the largest likelihood in two steps: a and b at each m with enough wins, cubics
// through these by least squares, and from there the eight coefficients together by all positions.
func fit(games [][]cell, p Params) (fitted, error) {
	f, l, err := fitCells(gather(games), byM(games), p)
	if err == nil {
		f.Covariance = l.covariance(games)
	}
	return f, err
}

// fitCells is fit without the errors of the polynomials; those at an m alone are of the games there.
func fitCells(cells []cell, games map[int64][][]cell, p Params) (fitted, *likelihood, error) {
	f := fitted{Model: Model{Target: p.Target, Least: p.Least, Most: p.Most}}
	for from := 0; from < len(cells); {
		to := from
		wins := 0.0
		for to < len(cells) && cells[to].m == cells[from].m {
			wins += cells[to].wins
			to++
		}
		if wins >= leastWins {
			if at, err := fitLocal(cells[from:to], games[cells[from].m]); err == nil {
				f.Locals = append(f.Locals, at)
			}
		}
		from = to
	}
	if len(f.Locals) <= Degree {
		return f, nil, sheet.Errorf("%d values of %s have %d wins and results that overlap: a cubic takes more than %d", len(f.Locals), p.By, leastWins, Degree)
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
	positions := 0.0
	for _, c := range cells {
		positions += c.positions()
	}
	f.LogLoss = -l.Set(theta) / positions
	copy(f.A[:], theta)
	copy(f.B[:], theta[Degree+1:])
	return f, l, nil
}

// errorsAt are the standard errors of a and b at m.
func (f fitted) errorsAt(m float64) (a, b float64) {
	if f.Covariance == nil {
		return math.NaN(), math.NaN()
	}
	powers := make([]float64, Degree+1)
	l := likelihood{target: f.Target, degree: Degree}
	l.powers(int64(m), powers)
	for i, p := range powers {
		for j, q := range powers {
			a += p * q * f.Covariance.At(i, j)
			b += p * q * f.Covariance.At(Degree+1+i, Degree+1+j)
		}
	}
	return math.Sqrt(a), math.Sqrt(b)
}

// gather counts the cells of all games, by ascending m and x.
func gather(games [][]cell) []cell {
	var all []cell
	for _, g := range games {
		all = append(all, g...)
	}
	slices.SortFunc(all, func(a, b cell) int { return cmp.Or(cmp.Compare(a.m, b.m), cmp.Compare(a.x, b.x)) })
	sum := all[:0]
	for _, c := range all {
		if n := len(sum); n > 0 && sum[n-1].m == c.m && sum[n-1].x == c.x {
			sum[n-1].wins, sum[n-1].draws, sum[n-1].losses = sum[n-1].wins+c.wins, sum[n-1].draws+c.draws, sum[n-1].losses+c.losses
			continue
		}
		sum = append(sum, c)
	}
	return sum
}

// byM are the cells of each game by m, the games in their order.
func byM(games [][]cell) map[int64][][]cell {
	all, last := map[int64][][]cell{}, map[int64]int{}
	for g, game := range games {
		for from := 0; from < len(game); {
			m, to := game[from].m, from+1
			for to < len(game) && game[to].m == m {
				to++
			}
			run, some := game[from:to:to], all[m]
			if n := len(some); n > 0 && last[m] == g {
				some[n-1] = append(some[n-1], run...)
			} else {
				all[m], last[m] = append(some, run), g
			}
			from = to
		}
	}
	return all
}

// rival is another way to give probabilities, which the model is held against.
type rival struct {
	Name             string
	LogLoss, SE      float64
	Difference, DiSE float64 // of the model from it, paired by game
}

// judge returns the log-loss, in nats, of models fitted to some games on those that were held out: the cubics, one
// a and b for all m, and the shares of results whatever the value.
func judge(train, held [][]cell, p Params) ([]rival, error) {
	cells := gather(train)
	f, _, err := fitCells(cells, nil, p)
	if err != nil {
		return nil, err
	}
	flat := make([]cell, len(cells))
	var shares [3]float64
	for i, c := range cells {
		flat[i] = c
		flat[i].m = 0
		shares[0], shares[1], shares[2] = shares[0]+c.wins, shares[1]+c.draws, shares[2]+c.losses
	}
	one, err := fitLocal(gather([][]cell{flat}), nil)
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
	sums, sizes := make([][]float64, len(ways)), make([]float64, len(held))
	for w, way := range ways {
		sums[w] = make([]float64, len(held))
		for g, game := range held {
			for _, c := range game {
				l := way.of(c)
				sums[w][g] -= c.wins*l[0] + c.draws*l[1] + c.losses*l[2]
				if w == 0 {
					sizes[g] += c.positions()
				}
			}
		}
	}
	var all []rival
	for w, way := range ways {
		r := rival{Name: way.name, Difference: math.NaN(), DiSE: math.NaN()}
		r.LogLoss, r.SE = ratio(sums[w], sizes)
		if w > 0 {
			d := make([]float64, len(held))
			for g := range d {
				d[g] = sums[0][g] - sums[w][g]
			}
			r.Difference, r.DiSE = ratio(d, sizes)
		}
		all = append(all, r)
	}
	return all, nil
}

// ratio is the sum of y by that of n, with its standard error for games that are independent (linearised).
func ratio(y, n []float64) (mean, se float64) {
	var sumY, sumN float64
	for i := range y {
		sumY, sumN = sumY+y[i], sumN+n[i]
	}
	mean = sumY / sumN
	var square float64
	for i := range y {
		d := y[i] - mean*n[i]
		square += d * d
	}
	games := float64(len(y))
	return mean, math.Sqrt(square*games/math.Max(1, games-1)) / sumN
}
