package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// closed returns the pair if both of its halves pass. It must have more evidence than the
// conditions on either half's column together, by as much as passes among all conditions
// (closed testing: Marcus, Peritz and Gabriel 1976). A pair of the missing feature with
// anything else passes only by one half. Then the pair is replaced by the likeliest single
// condition that passes, among the halves that explain it; ok is false if none does. A single
// condition is returned unchanged.
func (f *round) closed(pair int, critical float64) (best int, ok bool) {
	atoms := f.set.All[pair].Atoms
	if atoms[1] < 0 {
		return pair, true
	}
	alone, dependent, most := pair, false, critical
	for _, half := range atoms {
		singles := f.singles(half)
		if len(singles) == 0 || math.Abs(f.beyond(pair, singles)) > critical {
			continue
		}
		dependent = true
		for _, c := range singles {
			if z := math.Abs(f.z[c]); z > most {
				alone, most = c, z
			}
		}
	}
	return alone, !dependent || alone != pair
}

// singles are the tested conditions that are alone on the column of an atom, or were given by the user.
func (f *round) singles(half int) (all []int) {
	of := f.set.Atoms[half]
	for c, one := range f.set.All {
		if one.Atoms[1] >= 0 || math.IsNaN(f.t[c]) {
			continue
		}
		if a := f.set.Atoms[one.Atoms[0]]; a.Given == of.Given && (a.Given >= 0 || a.Column == of.Column) {
			all = append(all, c)
		}
	}
	return all
}

// beyond returns, as a normal deviate, the score of a pair that is left after the singles: by their
// common information, in units of the error shown by groups of games.
func (f *round) beyond(pair int, singles []int) float64 {
	n := len(singles)
	own, with := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, a := range singles {
		with.SetVec(i, f.common(pair, a))
		for j := i; j < n; j++ {
			own.SetSym(i, j, f.common(a, singles[j]))
		}
		own.SetSym(i, i, own.At(i, i)*(1+1e-6)) // of conditions that are nearly one
	}
	var part mat.VecDense
	if err := part.SolveVec(own, with); err != nil && part.Len() != n {
		return f.z[pair]
	}
	left := f.score[pair]
	all, by := append([]int{pair}, singles...), []float64{f.errors[pair]}
	for i, c := range singles {
		left -= part.AtVec(i) * f.score[c]
		by = append(by, -part.AtVec(i)*f.errors[c])
	}
	variance := 0.0
	for i, a := range all {
		for j, b := range all {
			variance += by[i] * by[j] * f.correlation(a, b)
		}
	}
	return f.normal(pair, left/math.Sqrt(math.Max(variance, 1e-9*f.errors[pair]*f.errors[pair])))
}
