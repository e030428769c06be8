package clogit

import (
	"math"
	"math/rand/v2"
	"slices"

	"kifu/internal/ordered"
	"kifu/internal/splitmix"
)

// Rank is how many numbers describe a feature in pairs.
const Rank = 16

// Pairs are the weights of pairs of features: f and g together add (v_f·v_g) x_f x_g to the log-odds of a row. v_f, element f, has
// Rank numbers. It is a factorization machine (Rendle, ICDM 2010, eq. 1), as Wistuba and Schmidt-Thieme (2013) rank moves by.
type Pairs [][Rank]float64

// pairsOf returns what the pairs of a row add to its log-odds, and Σ_f v_f x_f.
func pairsOf[X Number](p Pairs, columns []uint16, x []X) (odds float64, sums [Rank]float64) {
	for i, column := range columns {
		xf := float64(x[i])
		for k, v := range &p[column] {
			sums[k] += v * xf
			odds -= v * v * xf * xf
		}
	}
	for _, s := range sums {
		odds += s * s
	}
	return odds / 2, sums
}

// Part returns what feature i of a row adds to the row's log-odds by its pairs: half of each pair. The parts of a row add up to what
// its pairs add.
func (p Pairs) Part(columns []uint16, x []float32, i int) (sum float64) {
	for j, column := range columns {
		if j != i {
			sum += p.Weight(columns[i], column) * float64(x[j])
		}
	}
	return sum * float64(x[i]) / 2
}

// Weight returns the weight of the pair of two columns.
func (p Pairs) Weight(a, b uint16) (sum float64) {
	for k, v := range &p[a] {
		sum += v * p[b][k]
	}
	return sum
}

// Times returns pairs that add so many times as much; none of less than 0 times.
func (p Pairs) Times(much float64) Pairs {
	if much <= 0 {
		return nil
	}
	o := slices.Clone(p)
	for f := range o {
		for k := range o[f] {
			o[f][k] *= math.Sqrt(much)
		}
	}
	return o
}

// Pairs are learned in passes over the decisions, in steps of some decisions each.
const (
	passes       = 8
	aStep, aPart = 256, 64 // decisions; a worker takes a part
	rate         = 0.01    // of the first step; the last one's is 0
	spread       = 0.05    // of the numbers at the start, which cannot be 0
	pull         = 4       // half of it times the squares of the numbers is taken from the likelihood
	unseen       = 0.2     // share of the groups that tell whether pairs are worth having
)

// LearnPairs returns the pairs with which the weights beta, which stay as they are, explain the decisions better. It
// returns nil if pairs learned from four fifths of the groups do not predict the others better than beta alone. step
// is called after each pass; its error ends the work.
func (d *Data[X]) LearnPairs(beta []float64, seed uint64, workers int, step func() error) (Pairs, error) {
	l := &pairLearner[X]{Data: d, workers: workers}
	plain := d.With(nil)
	var learned, held, all []int
	var w []float64
	for i, group := range d.group {
		w = d.in(i, beta, w)
		for r := d.from(i); r < d.rows[i]; r++ {
			l.alone = append(l.alone, plain.odds(r, w))
		}
		all = append(all, i)
		if splitmix.Share(seed, group) < unseen {
			held = append(held, i)
		} else {
			learned = append(learned, i)
		}
	}
	l.scale()
	p, err := l.learn(learned, seed, step)
	if err != nil || l.slopes(p, held) <= l.slopes(make(Pairs, d.columns), held) {
		return nil, err
	}
	if p, err = l.learn(all, seed, step); err != nil {
		return nil, err
	}
	for f := range p {
		for k := range p[f] {
			p[f][k] *= l.scales[f]
		}
	}
	return p, nil
}

// pairLearner learns pairs of features that are scaled to squares of 1 in the mean where they have more.
type pairLearner[X Number] struct {
	*Data[X]
	workers  int
	alone    []float64 // log-odds of each row without pairs
	scales   []float64
	gradient Pairs // of slopes
}

func (l *pairLearner[X]) scale() {
	l.scales, l.gradient = make([]float64, l.columns), make(Pairs, l.columns)
	for c, column := range l.column {
		l.scales[column] += float64(l.x[c]) * float64(l.x[c]) / float64(len(l.cells))
	}
	for f, square := range l.scales {
		l.scales[f] = 1 / math.Sqrt(max(1, square))
	}
}

// learn climbs by the steps of Adam (Kingma and Ba, ICLR 2015, algorithm 1), which fall to 0 along a cosine.
func (l *pairLearner[X]) learn(of []int, seed uint64, step func() error) (Pairs, error) {
	const slow, slower, tiny = 0.9, 0.999, 1e-8
	rng := rand.New(rand.NewPCG(seed, 0))
	p, mean, square := make(Pairs, l.columns), make(Pairs, l.columns), make(Pairs, l.columns)
	for f := range p {
		for k := range p[f] {
			p[f][k] = spread * rng.NormFloat64()
		}
	}
	order, n, all := slices.Clone(of), 0.0, float64(len(of))
	last := float64(passes * ((len(of) + aStep - 1) / aStep))
	for range passes {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for some := range slices.Chunk(order, aStep) {
			l.slopes(p, some)
			n++
			length := rate * (1 + math.Cos(math.Pi*n/last)) / 2
			begun, squared := 1-math.Pow(slow, n), 1-math.Pow(slower, n)
			for f := range p {
				for k, g := range l.gradient[f] {
					v, m, s := &p[f][k], &mean[f][k], &square[f][k]
					g = g/float64(len(some)) - pull**v/all
					*m += (1 - slow) * (g - *m)
					*s += (1 - slower) * (g*g - *s)
					*v += length * *m / begun / (math.Sqrt(*s/squared) + tiny)
				}
			}
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// slopes returns the likelihood of some decisions and leaves its gradient in l.gradient.
func (l *pairLearner[X]) slopes(p Pairs, some []int) (likelihood float64) {
	workers := make([]pairSums, l.workers)
	for w := range workers {
		workers[w].gradient = make(Pairs, len(p))
	}
	clear(l.gradient)
	ordered.Merge(l.workers, (len(some)+aPart-1)/aPart, func(w, part int) {
		s := &workers[w]
		clear(s.gradient)
		s.log = 0
		for _, i := range some[part*aPart : min(len(some), (part+1)*aPart)] {
			l.add(s, p, i)
		}
	}, func(w, _ int) {
		likelihood += workers[w].log
		for f := range l.gradient {
			for k, g := range &workers[w].gradient[f] {
				l.gradient[f][k] += g
			}
		}
	})
	return likelihood
}

// pairSums are what one worker has summed, and its memory for one decision.
type pairSums struct {
	log      float64
	gradient Pairs
	chances  []float64
	sums     [][Rank]float64 // of each row
	x        []float64       // the scaled features of its rows
}

// add adds the likelihood and the slopes of a decision.
func (l *pairLearner[X]) add(s *pairSums, p Pairs, i int) {
	from, to := l.from(i), l.rows[i]
	s.chances, s.sums, s.x = s.chances[:0], s.sums[:0], s.x[:0]
	for r := from; r < to; r++ {
		columns, x := l.row(r)
		first := len(s.x)
		for c, column := range columns {
			s.x = append(s.x, float64(x[c])*l.scales[column])
		}
		odds, sums := pairsOf(p, columns, s.x[first:])
		s.chances, s.sums = append(s.chances, l.alone[r]+odds), append(s.sums, sums)
	}
	s.log += softmax(s.chances, int(l.chosen[i]))
	rest := s.x
	for r := from; r < to; r++ {
		columns, _ := l.row(r)
		weight, sums := -s.chances[r-from], &s.sums[r-from]
		if r-from == int(l.chosen[i]) {
			weight++
		}
		for c, column := range columns {
			x, g, v := rest[c], &s.gradient[column], &p[column]
			for k, sum := range sums {
				g[k] += weight * x * (sum - v[k]*x)
			}
		}
		rest = rest[len(columns):]
	}
}
