package search

import "gonum.org/v1/gonum/stat/distuv"

// Level is the significance level of the tests whether a pair has more evidence than its two
// conditions.
const Level = 0.05

// parent returns one of the two conditions of a pair, if the pair adds nothing significant to it. It returns
// nil if the pair adds to both, or if they were not found themselves.
func (x *axis) parent(weights []sampleWeight, holding []bitset, pair *survivor, passed []*survivor) (best *survivor) {
	if pair.condition.Atoms[1] < 0 {
		return nil
	}
	largest := Level
	for _, a := range pair.condition.Atoms {
		for _, single := range passed {
			if single.condition.Atoms[1] < 0 && single.equals(holding[a], len(weights)) {
				if p := x.given(weights, pair, single); p > largest {
					best, largest = single, p
				}
				break
			}
		}
	}
	return best
}

// equals reports whether k holds for these rows of the sample or for all but these, which are the same
// finding.
func (k *survivor) equals(rows bitset, all int) bool {
	common := rows.common(k.rows)
	return common == rows.count() && common == k.rows.count() || common == 0 && rows.count()+k.rows.count() == all
}

// given returns the p-value of what the slope of condition a adds to b: the score of a that is
// left given b, by the information that both share. Its unit is the error that a's own test has
// found in games.
func (x *axis) given(weights []sampleWeight, a, b *survivor) float64 {
	part := x.common(weights, a, b).times(b.verdict.info.inverse())
	explained := part.apply(b.verdict.score)
	rest := survivor{
		verdict: a.verdict,
		score:   [2]float64{a.verdict.score[0] - explained[0], a.verdict.score[1] - explained[1]},
		info:    a.verdict.info.minus(part.times(x.common(weights, a, b).transposed())),
	}
	return distuv.F{D1: 1, D2: a.verdict.df}.Survival(a.verdict.slopeSquare * rest.left() / a.verdict.SlopeGain)
}
