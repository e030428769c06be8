package search

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/logit"
	"kifu/report/sheet"
)

// fine is the number of parts of a bin: the tests see evaluations to that precision.
const fine = 4

// fineOf is the part of a bin that v is in. Part f belongs to bin f/fine, downwards.
func fineOf(v, bin float64) int32 { return int32(math.Floor((v/bin + 0.5) * fine)) }

// axis is the axis of evaluations, cut into parts of bins, with the total curve of each side:
// logit P(win) = f(v), f a linear spline. With a straight line instead, the search would find
// every condition that is related to the value, wherever the total curve is no sigmoid.
type axis struct {
	bin     float64
	first   int32     // part 0 of the axis, as fineOf numbers them
	value   []float64 // centre of the part
	slope   []float64 // of tests: the value between the outer knots, from -1 to 1
	hats    []hat
	knots   int
	knotAt  []float64
	total   [3][]outcomes // by part, for each side and for both
	theta   [3][]float64  // f at the knots
	chance  [3][]float64  // f as probabilities
	inverse [3]*mat.Dense // of the information on f
}

// hat is the row of the spline's basis at a part: two neighbouring knots.
type hat struct {
	knot        int // the lower one
	left, right float64
}

// mostParts bounds the axis; outside of it evaluations count as at its ends.
const mostParts = 1 << 13

// knotShares are the shares of the positions below the spline's knots.
var knotShares = []float64{0.005, 0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.995}

// FewestGames is the least number of games, inside and outside a condition, for a robust test.
const FewestGames = 50

func newAxis(v *survey, bin float64) (*axis, error) {
	for side, name := range []string{"to search in", "held out"} {
		if n := v.sides[side].Games; n < FewestGames {
			return nil, sheet.Errorf("%d decided games %s: a search needs %d on either side; change the share with --holdout, or let draws count with --draws half", n, name, FewestGames)
		}
	}
	x := &axis{bin: bin}
	type count struct {
		part int32
		n    int64
	}
	var counts []count
	all := int64(0)
	for f, c := range v.values {
		n := int64(c[Train].n) + int64(c[Held].n)
		counts, all = append(counts, count{f, n}), all+n
	}
	slices.SortFunc(counts, func(a, b count) int { return cmp.Compare(a.part, b.part) })
	at := func(share float64) int32 {
		sum := int64(0)
		for _, c := range counts {
			if sum += c.n; float64(sum) >= share*float64(all) {
				return c.part
			}
		}
		return counts[len(counts)-1].part
	}
	x.first = at(0.0005)
	last := at(0.9995)
	if last-x.first >= mostParts {
		return nil, sheet.Errorf("values from %v to %v are too many bins of width %v: make them wider with --bin", float64(x.first)/fine*bin, float64(last)/fine*bin, bin)
	}
	var knots []float64
	for _, share := range knotShares {
		if k := x.centre(min(max(at(share), x.first), last)); len(knots) == 0 || k > knots[len(knots)-1] {
			knots = append(knots, k)
		}
	}
	if len(knots) < 2 {
		return nil, sheet.Errorf("nearly all positions have the same evaluation")
	}
	x.setParts(int(last-x.first)+1, knots)
	for f, cells := range v.values {
		i := x.part(f)
		for side, c := range cells {
			for _, to := range [2]int{side, both} {
				x.total[to][i].n += c.n
				x.total[to][i].won += c.won
			}
		}
	}
	for side := range x.total {
		if err := x.fitTotal(side); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (x *axis) centre(part int32) float64 { return ((float64(part)+0.5)/fine - 0.5) * x.bin }

// part is the place on the axis of a part as fineOf numbers them.
func (x *axis) part(f int32) int {
	return int(min(max(f-x.first, 0), int32(len(x.value)-1)))
}

func (x *axis) setParts(n int, knots []float64) {
	x.knots, x.knotAt = len(knots), knots
	low, high := knots[0], knots[len(knots)-1]
	x.total = [3][]outcomes{make([]outcomes, n), make([]outcomes, n), make([]outcomes, n)}
	for i := range n {
		v := x.centre(x.first + int32(i))
		x.value = append(x.value, v)
		inside := math.Min(math.Max(v, low), high)
		x.slope = append(x.slope, inside/math.Max(math.Abs(low), math.Abs(high)))
		k := 0
		for k < len(knots)-2 && inside > knots[k+1] {
			k++
		}
		right := (inside - knots[k]) / (knots[k+1] - knots[k])
		x.hats = append(x.hats, hat{k, 1 - right, right})
	}
}

// fitTotal fits the spline to a side.
func (x *axis) fitTotal(side int) error {
	var rows []logit.Row
	for i, c := range x.total[side] {
		rows = append(rows, logit.Row{X: x.basis(i), N: float64(c.n), Won: float64(c.won) / 2})
	}
	x.theta[side] = fitLogit(rows, make([]float64, x.knots))
	x.chance[side] = make([]float64, len(x.value))
	info := mat.NewDense(x.knots, x.knots, nil)
	for i, h := range x.hats {
		p := logit.Probability(h.left*x.theta[side][h.knot] + h.right*x.theta[side][h.knot+1])
		x.chance[side][i] = p
		for a, left := range []float64{h.left, h.right} {
			for b, right := range []float64{h.left, h.right} {
				info.Set(h.knot+a, h.knot+b, info.At(h.knot+a, h.knot+b)+float64(x.total[side][i].n)*p*(1-p)*left*right)
			}
		}
	}
	x.inverse[side] = mat.NewDense(x.knots, x.knots, nil)
	if x.inverse[side].Inverse(info) != nil {
		return sheet.Errorf("the evaluations predict nearly all results, or none: there is no curve to deviate from")
	}
	return nil
}

// basis is the spline's row at a part.
func (x *axis) basis(i int) []float64 {
	row := make([]float64, x.knots)
	row[x.hats[i].knot], row[x.hats[i].knot+1] = x.hats[i].left, x.hats[i].right
	return row
}
