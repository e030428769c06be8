package solve

import (
	"gonum.org/v1/gonum/mat"

	"kifu/fit/rows"
	"kifu/internal/paired"
)

// moved fills e.Moved: by how much groups of games move the weights. sums are the sums of the
// groups' scores, inverse is the inverse Hessian of the loss's sum, and of has the derivatives
// of the weights by the unknowns.
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
