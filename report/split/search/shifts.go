package search

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/report/split/conditions"
)

// shift is a condition whose positions are worth more or less than others of their value,
// found by flips of signs in all games.
type shift struct {
	at    int      // of the conditions
	t, p  float64  // given the splits before it; p adjusted for all conditions
	alike []int    // conditions that pass alone and not next to it
	odds  Interval // its change of the log-odds given the splits before it; NaN if it is the first
}

const (
	// infoRows bounds the rows of the sample that estimate the information common to a
	// condition and the null model. A few thousand are enough: fitted to all rows of the
	// sample, the model leaves hardly any score to subtract.
	infoRows = 1 << 15
	// little is the correlation up to which splits are taken in one round.
	little = 0.2
)

// findShifts looks for conditions that shift the curve, given the taken ones and its own. Each
// round is one pass over all games. It ends when no condition exceeds the largest of all
// conditions under chance, at the given level of the flips. sum reads the games.
func (g *grouping) findShifts(taken []conditions.Condition, sum func(summing) (scoreSums, error)) (all []shift, err error) {
	var first *maxT
	rows := lists.Of(taken, func(c conditions.Condition) bitset { return g.survey.rowsOf(c, g.holding) })
	for number := 1; ; number++ {
		null := newNull(g.axis, g.survey, taken, rows)
		sums, err := sum(summing{null: null, set: g.set, side: both, title: fmt.Sprintf("splits: shifts, round %d", number)})
		if err != nil {
			return nil, err
		}
		f := newRound(null, g.survey, g.set, g.holding, sums, g.tested, g.Params)
		if first == nil {
			first = f.maxT
			g.ByPlayer = first.byPlayer
			g.wider = map[conditions.Condition]float64{}
			for c, by := range first.wider {
				g.wider[g.set.All[c]] = by
			}
		}
		more := f.choose(g.Params, len(taken) > 0)
		left := g.Params.Top - len(all)
		all = append(all, more[:min(len(more), left)]...)
		if len(more) == 0 || len(more) > left {
			g.Beyond = max(0, len(more)-left)
			return first.alike(all, g.Params.Level), nil
		}
		for _, k := range more {
			taken, rows = append(taken, g.set.All[k.at]), append(rows, g.survey.rowsOf(g.set.All[k.at], g.holding))
		}
	}
}

// alike adds to each split the conditions that pass alone and have most in common with it.
func (m *maxT) alike(all []shift, level float64) []shift {
	if len(all) == 0 {
		return all
	}
	leader := map[int]bool{}
	for _, k := range all {
		leader[k.at] = true
	}
	for c, p := range m.p {
		if !(p <= level) || leader[c] {
			continue
		}
		best := 0
		for i := range all {
			if math.Abs(m.correlation(all[i].at, c)) > math.Abs(m.correlation(all[best].at, c)) {
				best = i
			}
		}
		all[best].alike = append(all[best].alike, c)
	}
	return all
}

// round is the conditions tested against the null model.
type round struct {
	*maxT
	set     *conditions.Set
	score   []float64  // efficient, of the shift
	info    []float64  // on the shift, given the null model
	cross   *mat.Dense // with its unknowns, a line a condition
	project *mat.Dense // what the unknowns explain of a score, a line a condition
	rows    *infoSample
	holding []bitset
}

// newRound makes scores that are free of the null model's unknowns, and flips them.
func newRound(null *nullModel, v *survey, set *conditions.Set, holding []bitset, sums scoreSums, tested []bool, p Params) *round {
	f := &round{set: set, rows: newInfoSample(null, v), holding: holding, info: make([]float64, len(set.All))}
	f.cross = mat.NewDense(len(set.All), null.unknowns(), nil)
	raw := make([]float64, len(set.All))
	ordered.Each(ordered.Workers(p.Workers), len(raw), func(_, c int) { raw[c] = f.rows.cross(f.words(c), f.cross.RawRowView(c)) })
	var inverse mat.Dense
	if inverse.Inverse(f.rows.common) != nil {
		inverse.CloneFrom(mat.NewDense(null.unknowns(), null.unknowns(), nil))
	}
	f.project = &mat.Dense{}
	f.project.Mul(f.cross, &inverse)
	testable := make([]bool, len(set.All))
	for c := range testable {
		f.info[c] = raw[c] - mat.Dot(mat.NewVecDense(null.unknowns(), f.project.RawRowView(c)), mat.NewVecDense(null.unknowns(), f.cross.RawRowView(c)))
		// The model explains nearly all of it, such as a condition on the value or a split that
		// was taken.
		testable[c] = tested[c] && f.info[c] > 0.02*raw[c]
	}
	k := sums.without(f.project, dyads.Way(p.Cluster))
	f.score = k.sums()
	f.maxT = newMaxT(k, testable, p.Seed)
	return f
}

// words calls f with the rows of the sample in which condition c holds.
func (f *round) words(c int) func(w int) uint64 {
	atoms := f.set.All[c].Atoms
	one := f.holding[atoms[0]]
	if atoms[1] < 0 {
		return func(w int) uint64 { return one[w] }
	}
	other := f.holding[atoms[1]]
	return func(w int) uint64 { return one[w] & other[w] }
}

// choose returns the splits of a round. First comes the passing condition with the most evidence;
// a pair only if each of its halves passes next to the other (closed). Others follow that have
// little in common with those, and pass next to them by more than that could explain. later:
// earlier rounds found splits.
func (f *round) choose(p Params, later bool) (more []shift) {
	critical := f.critical(p.Level)
	left := append([]float64(nil), f.score...)
	slack := make([]float64, len(left))
	t := func(c int) float64 { return left[c] / f.errors[c] }
	z := func(c int) float64 { return f.normal(c, t(c)) }
	for len(more) <= p.Top {
		best, most := -1, 0.0
		for c := range left {
			if math.IsNaN(f.t[c]) || !(math.Abs(z(c)) > critical+slack[c]) {
				continue
			}
			worth := math.Abs(z(c))
			if p.By == byFall {
				worth = left[c] * left[c] / f.info[c]
			}
			if worth > most {
				best, most = c, worth
			}
		}
		if best < 0 {
			return more
		}
		single, ok := f.closed(best, critical)
		if !ok || single != best && math.IsInf(slack[single], 1) {
			slack[best] = math.Inf(1)
			continue
		}
		best = single
		odds := None
		if later || len(more) > 0 {
			odds = f.odds(best, left[best])
		}
		more = append(more, shift{at: best, t: t(best), p: f.adjusted(z(best)), odds: odds})
		rest := left[best]
		ordered.Each(ordered.Workers(p.Workers), len(left), func(_, c int) {
			if math.IsNaN(f.t[c]) {
				return
			}
			common := f.common(c, best) / f.info[best]
			correlation := common * math.Sqrt(f.info[best]/f.info[c])
			if math.Abs(correlation) > little {
				slack[c] = math.Inf(1)
				return
			}
			left[c] -= common * rest
			slack[c] += 0.2 * math.Abs(correlation*f.z[best])
		})
		slack[best] = math.Inf(1)
	}
	return more
}

// odds is one step from the null model, by what is left of a condition's score.
func (f *round) odds(c int, left float64) Interval {
	df := cmp.Or(f.df[c], math.Inf(1))
	d, reach := left/f.info[c], dyads.Quantile95(df)*f.errors[c]/f.info[c]
	return Interval{d, d - reach, d + reach}
}

// common is the information that two conditions have in common, given the null model.
func (f *round) common(a, b int) float64 {
	n := f.cross.RawMatrix().Cols
	return f.rows.both(f.words(a), f.words(b)) - mat.Dot(mat.NewVecDense(n, f.project.RawRowView(a)), mat.NewVecDense(n, f.cross.RawRowView(b)))
}

// infoSample is the rows of the sample that information is counted in, in words of 64.
type infoSample struct {
	null   *nullModel
	step   int // of the words, one is used
	words  int
	weight []float64 // of a row of a cell
	common *mat.SymDense
}

func newInfoSample(null *nullModel, v *survey) *infoSample {
	n := len(v.rows)
	k := &infoSample{null: null, step: 1 + (n-1)/infoRows, words: (n + 63) / 64, common: mat.NewSymDense(null.unknowns(), nil)}
	used := 0
	for w := 0; w < k.words; w += k.step {
		used += min(64, n-64*w)
	}
	positions := float64(v.sides[Train].Positions + v.sides[Held].Positions)
	for _, c := range null.cells {
		w := c.p * (1 - c.p) * positions
		c.addInformation(k.common, c.n*w/float64(n))
		k.weight = append(k.weight, w/float64(used))
	}
	// The guard of the fit is in the information too, so that there is an inverse.
	for i := range null.unknowns() {
		k.common.SetSym(i, i, k.common.At(i, i)+0.25)
	}
	return k
}

// cross adds the information that a condition has in common with the unknowns, and returns
// its own.
func (k *infoSample) cross(rows func(w int) uint64, line []float64) (own float64) {
	for w := 0; w < k.words; w += k.step {
		for word := rows(w); word != 0; word &= word - 1 {
			of := k.null.of[w<<6+bits.TrailingZeros64(word)]
			weight, c := k.weight[of], k.null.cells[of]
			own += weight
			for a, at := range c.at {
				line[at] += weight * c.x[a]
			}
		}
	}
	return own
}

// both is the information of the rows in which two conditions hold.
func (k *infoSample) both(a, b func(w int) uint64) (sum float64) {
	for w := 0; w < k.words; w += k.step {
		for word := a(w) & b(w); word != 0; word &= word - 1 {
			sum += k.weight[k.null.of[w<<6+bits.TrailingZeros64(word)]]
		}
	}
	return sum
}
