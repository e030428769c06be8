package solve

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"kifu/fit/rows"
	"kifu/internal/paired"
)

// moved fills e.Moved: what the scores of each group of games move the weights by, with the inverse of
// the Hessian of the loss's sum and of the derivatives of the weights by the unknowns.
func (e *Estimate) moved(r *rows.Store, scores rows.GameScores, inverse *mat.SymDense, of [][]rows.Entry) {
	if e.settings.plain {
		return
	}
	n := inverse.SymmetricDim()
	ids := r.IDs()
	workers := make([][]float64, max(1, e.settings.Workers))
	sums := make([]float64, paired.Groups*n)
	scores(func(w int) {
		if workers[w] == nil {
			workers[w] = make([]float64, len(sums))
		}
		clear(workers[w])
	}, func(w int, g rows.Games) {
		for i := range g.Len() {
			at := paired.Group(ids[g.First+i]) * n
			floats.Add(workers[w][at:at+n], g.Score(i))
		}
	}, func(w int) { floats.Add(sums, workers[w]) })
	e.Moved = make([]paired.Moved, e.Design.Scale())
	var step mat.VecDense
	for g := range paired.Groups {
		step.MulVec(inverse, mat.NewVecDense(n, sums[g*n:(g+1)*n]))
		for j := range e.Moved {
			if len(of[j]) == 0 {
				continue
			}
			if e.Moved[j] == nil {
				e.Moved[j] = make(paired.Moved, paired.Groups)
			}
			for _, x := range of[j] {
				e.Moved[j][g] += x.Share * step.AtVec(x.At)
			}
		}
	}
}
