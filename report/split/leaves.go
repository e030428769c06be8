package split

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/human"
	"kifu/internal/trees"
)

// leaf is a leaf of a small tree as a condition, judged on the held-out games.
type leaf struct {
	Condition string
	Positions int     // of the sample, held out
	Shift     float64 // of the log-odds there
	P         float64 // adjusted for the leaves of all trees shown
}

// leaves returns the leaves of a tree, tested on held-out rows.
func (b *binned) leaves(x *axis, v *survey, tree *trees.Node) (all []leaf) {
	var walk func(n *trees.Node, path []string)
	walk = func(n *trees.Node, path []string) {
		if n.Low != nil {
			t := human.Number(b.Cuts[n.Column][n.Cut])
			walk(n.Low, append(slices.Clone(path), b.Names[n.Column]+" ≤ "+t))
			walk(n.High, append(slices.Clone(path), b.Names[n.Column]+" > "+t))
			return
		}
		one := leaf{Condition: strings.Join(path, " AND "), P: math.NaN()}
		one.Positions, one.Shift, one.P = b.score(x, v, func(row int) bool { return tree.At(&b.Sample, row) == n })
		all = append(all, one)
	}
	walk(tree, nil)
	return all
}

// score is the test of a shift of the rows inside, on the held-out rows: beside the total
// curve of the held-out games, by groups of games.
func (b *binned) score(x *axis, v *survey, inside func(row int) bool) (n int, shift, p float64) {
	every := 1 + (len(v.rows)-1)/treeRows
	k := x.knots
	cross, own := make([]float64, k), 0.0
	common := mat.NewSymDense(k, nil)
	var score [groupsOfGames]float64
	spline := mat.NewDense(groupsOfGames, k, nil)
	for row, held0 := range b.held {
		if !held0 {
			continue
		}
		part := x.part(v.at[row*every])
		h, chance := x.hats[part], x.chance[held][part]
		w, rest := chance*(1-chance), b.won[row]-chance
		group := int(b.group[row])
		in := inside(row)
		if in {
			n++
			own += w
			score[group] += rest
		}
		for _, a := range [2]struct {
			at int
			x  float64
		}{{h.knot, h.left}, {h.knot + 1, h.right}} {
			if in {
				cross[a.at] += w * a.x
			}
			spline.Set(group, a.at, spline.At(group, a.at)+a.x*rest)
			common.SetSym(a.at, a.at, common.At(a.at, a.at)+w*a.x*a.x)
		}
		common.SetSym(h.knot, h.knot+1, common.At(h.knot, h.knot+1)+w*h.left*h.right)
	}
	for i := range k {
		common.SetSym(i, i, common.At(i, i)+0.25)
	}
	var solved mat.VecDense
	var cholesky mat.Cholesky
	if !cholesky.Factorize(common) || cholesky.SolveVecTo(&solved, mat.NewVecDense(k, cross)) != nil {
		return n, math.NaN(), math.NaN()
	}
	u, squares := 0.0, 0.0
	for g := range groupsOfGames {
		one := score[g] - mat.Dot(spline.RowView(g), &solved)
		u, squares = u+one, squares+one*one
	}
	info := own - mat.Dot(mat.NewVecDense(k, cross), &solved)
	if !(info > 0.02*own) || !(squares > 0) {
		return n, math.NaN(), math.NaN()
	}
	// Groups of games have a mean that is no more than their sum.
	variance := (squares - u*u/groupsOfGames) * groupsOfGames / (groupsOfGames - 1)
	t := u / math.Sqrt(variance)
	return n, u / info, 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: groupsOfGames - 1}.Survival(math.Abs(t))
}
