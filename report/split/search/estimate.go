package search

import (
	"math"
	"slices"

	"kifu/internal/logit"
	"kifu/report/shape"
)

// estimate fills in the results that depend on the tables; the totals come from totals. The bin of the
// gap was chosen on the games of the search.
func (k *Split) estimate(x *axis, t *groupTables, all, unseen *totals, i int) {
	both := func(without int) []outcomes { return t.table(i, without, Train, Held) }
	gaps := map[int]smoothGap{} // without each group
	for without := -1; without < GroupsOfGames; without++ {
		gaps[without] = x.smoothGap(all.without(without), both(without))
	}
	k.Gap = jackknife(func(without int) float64 { return gaps[without].at(k.At) }).wherever()
	k.GapHeld = jackknife(func(without int) float64 {
		return x.smoothGap(unseen.without(without), t.table(i, without, Held)).at(k.At)
	}).wherever()
	k.Mean = jackknife(func(without int) float64 { return gaps[without].mean(x, both(without)) })
	total := t.conditions() - 1
	k.lead(x, gaps[-1], both(-1))
	k.Area = shape.GapBetween(x.bins(t.table(total, -1, Train, Held), 0), x.bins(both(-1), k.Positions)).Area
	k.AreaNoise = x.areaNoise(func(without int) (whole, part []outcomes) { return t.table(total, without, Train, Held), both(without) })
	k.Weight = jackknife(func(without int) float64 {
		return x.weight(t.table(total, without, Train), t.table(i, without, Train))
	})
	better := x.better(t.table(total, -1, Train), t.table(i, -1, Train))
	k.Given = k.Given.Scaled(1 / x.steepness(t.table(total, -1, Train, Held)))
	k.Fall = jackknife(func(without int) float64 {
		return fall(better, t.table(total, without, Held), t.table(i, without, Held))
	})
}

// widen multiplies the errors of all estimates. The jackknife allows for games, but not for
// players.
func (k *Split) widen(by float64) {
	for _, i := range []*Interval{&k.Gap, &k.GapHeld, &k.Mean, &k.Weight, &k.Fall} {
		i.Low, i.High = i.Value-by*(i.Value-i.Low), i.Value+by*(i.High-i.Value)
	}
	k.AreaNoise *= by
}

// quiet leaves out the insignificant gaps of a shift that was tested with others: they are gaps to all
// positions, and did not pass the test.
func (k *Split) quiet() {
	if math.IsNaN(k.Given.Value) {
		return
	}
	if !k.Gap.Significant() {
		k.Gap, k.At = None, math.NaN()
	}
	if !k.Mean.Significant() {
		k.Mean = None
	}
}

// steepness is by how much the logarithm of the odds rises with a unit of the value.
func (x *axis) steepness(total []outcomes) float64 {
	var rows []logit.Row
	scale := math.Max(math.Abs(x.value[0]), math.Abs(x.value[len(x.value)-1]))
	for i, v := range x.value {
		rows = append(rows, logit.Row{X: []float64{1, v / scale}, N: float64(total[i].n), Won: float64(total[i].won) / 2})
	}
	return fitLogit(rows, make([]float64, 2))[1] / scale
}

// areaNoise is the mean area between the curves by chance alone. Each bin adds the mean absolute value of a
// normal error, √(2/π) of the jackknife's, weighted like the area.
func (x *axis) areaNoise(tables func(without int) (whole, part []outcomes)) float64 {
	gaps := func(without int) map[float64]float64 {
		whole, part := tables(without)
		all, at := x.bins(whole, 0), map[float64]float64{}
		for _, b := range all {
			at[b.V] = b.P
		}
		out := map[float64]float64{}
		for _, b := range x.bins(part, 0) {
			if p, ok := at[b.V]; ok {
				out[b.V] = b.P - p
			}
		}
		return out
	}
	first := gaps(-1)
	var left []map[float64]float64
	for g := range GroupsOfGames {
		left = append(left, gaps(g))
	}
	_, part := tables(-1)
	positions := int64(0)
	for _, c := range part {
		positions += int64(c.n)
	}
	sum, n := 0.0, 0.0
	for _, b := range x.bins(part, positions) {
		d, squares := 0.0, 0.0
		for _, one := range left {
			if gap, ok := one[b.V]; ok {
				d, squares = d+gap-first[b.V], squares+(gap-first[b.V])*(gap-first[b.V])
			}
		}
		variance := (GroupsOfGames - 1) / float64(GroupsOfGames) * (squares - d*d/GroupsOfGames)
		sum, n = sum+float64(b.Positions)*math.Sqrt(2/math.Pi*math.Max(0, variance)), n+float64(b.Positions)
	}
	return sum / n
}

// weight returns the weight of a feature that is 1 where the condition holds, in the evaluator's
// unit: w of logit P(win) = a + b·(v + w·c) by maximum likelihood.
func (x *axis) weight(total, condition []outcomes) float64 {
	var rows []logit.Row
	scale := math.Max(math.Abs(x.value[0]), math.Abs(x.value[len(x.value)-1]))
	for i, v := range x.value {
		in, out := condition[i], total[i]
		rows = append(rows,
			logit.Row{X: []float64{1, v / scale, 1}, N: float64(in.n), Won: float64(in.won) / 2},
			logit.Row{X: []float64{1, v / scale, 0}, N: float64(out.n - in.n), Won: float64(out.won-in.won) / 2})
	}
	theta := fitLogit(rows, make([]float64, 3))
	return theta[2] / theta[1] * scale
}

// gain is by how much the log-loss of a position in a part falls, if it is won and if
// it is lost.
type gain struct{ won, lost float64 }

// better fits logit P(win) = f(v) + d·c + h·c·v and reports what it gains over f in the
// parts of the axis where the condition holds.
func (x *axis) better(total, condition []outcomes) []gain {
	k := x.knots
	var rows []logit.Row
	for i := range x.value {
		in, out := condition[i], total[i]
		rows = append(rows,
			logit.Row{X: append(x.basis(i), 1, x.slope[i]), N: float64(in.n), Won: float64(in.won) / 2},
			logit.Row{X: append(x.basis(i), 0, 0), N: float64(out.n - in.n), Won: float64(out.won-in.won) / 2})
	}
	theta := fitLogit(rows, append(append([]float64(nil), x.theta[Train]...), 0, 0))
	gains := make([]gain, 2*len(x.value))
	for i, h := range x.hats {
		eta := h.left*theta[h.knot] + h.right*theta[h.knot+1]
		p := x.chance[Train][i]
		with, without := logit.Probability(eta+theta[k]+theta[k+1]*x.slope[i]), logit.Probability(eta)
		gains[2*i] = gain{math.Log(with / p), math.Log((1 - with) / (1 - p))}
		gains[2*i+1] = gain{math.Log(without / p), math.Log((1 - without) / (1 - p))}
	}
	return gains
}

// fall is the mean of the gains over all positions, inside the condition and outside.
func fall(gains []gain, total, condition []outcomes) float64 {
	sum, n := 0.0, 0.0
	for i, in := range condition {
		out := outcomes{total[i].n - in.n, total[i].won - in.won}
		for j, c := range []outcomes{in, out} {
			won := float64(c.won) / 2
			sum += won*gains[2*i+j].won + (float64(c.n)-won)*gains[2*i+j].lost
			n += float64(c.n)
		}
	}
	return sum / n
}

// lead finds a large lead of the condition's positions, for either side, and its worth. Three
// quarters of the leads are no larger. Where the curve is too flat to read, the lead is
// smaller.
func (k *Split) lead(x *axis, g smoothGap, condition []outcomes) {
	all, below := 0.0, 0.0
	sizes := map[float64]float64{}
	for i, c := range condition {
		sizes[math.Abs(x.centreOfBin(i))] += float64(c.n)
		all += float64(c.n)
	}
	k.Lead, k.Worth = math.NaN(), math.NaN()
	var leads []float64
	for size := range sizes {
		leads = append(leads, size)
	}
	slices.Sort(leads)
	for _, size := range leads {
		below += sizes[size]
		if worth := size + (g.at(size)-g.at(-size))/2; size > 0 && !math.IsNaN(worth) && g.steep(size) && g.steep(-size) {
			k.Lead, k.Worth = size, worth
		}
		if below > 0.75*all && !math.IsNaN(k.Lead) {
			return
		}
	}
}
