package solve

import (
	"gonum.org/v1/gonum/mat"

	"kifu/fit/rows"
	"kifu/internal/paired"
)

// moved fills e.Moved: what groups of games move the weights by, given the sums of their scores, the inverse of
// the Hessian of the loss's sum, and the derivatives of the weights by the unknowns.
func (e *Estimate) moved(sums []float64, inverse *mat.SymDense, of [][]rows.Entry) {
	if e.settings.plain {
		return
	}
	n := inverse.SymmetricDim()
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
