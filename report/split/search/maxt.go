package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/internal/splitmix"
)

const (
	// FlipGroups is the number of groups of games that get a sign. Games of different groups
	// are independent, so that signs of groups are as good as signs of games; a t-value of
	// 512 squares is nearly normal.
	FlipGroups = 512
	// Flips is the number of times that all signs are drawn.
	Flips = 199
)

// maxT has the statistics of all conditions, and the chance distribution of the largest (Westfall and Young
// 1993, section 2.3). It uses signs instead of permutations, on scores free of the null model's unknowns
// (Hemerik, Goeman and Finos 2020).
type maxT struct {
	t       []float64  // NaN where there is no test
	z       []float64  // of a normal variable that is as rarely as large
	df      []float64  // of the errors, 0 where they are as good as known
	p       []float64  // adjusted: the share of the flips in which any condition does as much
	largest []float64  // of each flip, ascending
	errors  []float64  // of the scores, 0 where there is no test
	scores  *mat.Dense // by group, so that their squares sum to 1

	byPlayer bool      // the groups are of players
	wider    []float64 // how much larger than by game errors are, where they are of players
}

// newMaxT draws signs of the lines that variances names, of scores with a column a condition.
func newMaxT(k clustered, tested []bool, seed uint64) *maxT {
	variance, flipped, byPlayer := k.variances()
	sums := k.sums()
	numbers := func() []float64 { return make([]float64, len(sums)) }
	m := &maxT{t: numbers(), z: numbers(), df: numbers(), p: numbers(), errors: numbers(), byPlayer: byPlayer}
	m.scores = mat.NewDense(max(1, len(flipped)), len(sums), nil)
	lengths := k.squares(flipped)
	if byPlayer {
		m.df, m.wider = k.degrees(flipped), k.squares(k.part(0, FlipGroups))
		for c, byGame := range m.wider {
			m.wider[c] = 1
			if byGame > 0 && variance[c] > 0 {
				m.wider[c] = math.Sqrt(variance[c]/byGame) * math.Max(1, dyads.Quantile95(m.df[c])/dyads.Quantile95(GroupsOfGames-1))
			}
		}
	}
	var names []int
	for i, line := range flipped {
		names = append(names, k.lines[line])
		to := m.scores.RawRowView(i)
		for c, u := range k.scores.RawRowView(line) {
			if tested[c] && lengths[c] > 0 {
				to[c] = u / math.Sqrt(lengths[c])
			}
		}
	}
	var all mat.Dense
	all.Mul(signs(names, seed), m.scores)
	for b := range Flips {
		largest := 0.0
		for _, t := range all.RawRowView(b) {
			largest = math.Max(largest, math.Abs(t))
		}
		m.largest = append(m.largest, largest)
	}
	slices.Sort(m.largest)
	for c, sum := range sums {
		if !tested[c] || !(variance[c] > 0) {
			m.t[c], m.z[c], m.p[c] = math.NaN(), math.NaN(), math.NaN()
			continue
		}
		m.errors[c] = math.Sqrt(variance[c])
		m.t[c] = sum / m.errors[c]
		m.z[c] = m.normal(c, m.t[c])
		m.p[c] = m.adjusted(m.z[c])
	}
	return m
}

// normal returns the normal deviate that is as rarely as large as a t-value of condition c. A variance
// by a few dozen players is imprecise, and the larger t-values come from variances that are too small;
// flips, whose squares are always the same, do not show that.
func (m *maxT) normal(c int, t float64) float64 {
	if m.df[c] == 0 {
		return t
	}
	return dyads.AsNormal(t, m.df[c])
}

// correlation returns the correlation of two conditions' scores over groups of games.
func (m *maxT) correlation(a, b int) (sum float64) {
	n, _ := m.scores.Dims()
	for g := range n {
		line := m.scores.RawRowView(g)
		sum += line[a] * line[b]
	}
	return sum
}

// signs are +1 or -1 of each group in each flip.
func signs(groups []int, seed uint64) *mat.Dense {
	all := mat.NewDense(Flips, max(1, len(groups)), nil)
	for b := range Flips {
		of := splitmix.Hash(seed^flipSeed, int64(b))
		line := all.RawRowView(b)
		for i, g := range groups {
			line[i] = 1 - 2*float64(splitmix.Hash(of, int64(g))&1)
		}
	}
	return all
}

// adjusted is the p-value of the largest |z| of all, with the observed games among the flips.
func (m *maxT) adjusted(z float64) float64 {
	below, _ := slices.BinarySearch(m.largest, math.Abs(z))
	return float64(1+Flips-below) / (Flips + 1)
}

// critical is the |z| above which the adjusted p-value is at most level.
func (m *maxT) critical(level float64) float64 {
	above := int(level*(Flips+1)) - 1
	if above < 0 {
		return math.Inf(1)
	}
	return m.largest[Flips-1-above]
}
