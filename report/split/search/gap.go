package search

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/logit"
	"kifu/report/shape"
)

// risingTotal is a total curve in log-odds, a spline that does not fall. So each win
// probability has one value.
type risingTotal struct {
	shape.Rising
	at    []float64 // by part of the axis
	theta []float64 // of the spline, before it was made to rise
}

// totalOf fits the total curve to a table, from a curve that may be near.
func (x *axis) totalOf(table []outcomes, start []float64) *risingTotal {
	rows := make([]logit.Row, len(table))
	knots := make([]shape.Bin, x.knots)
	for k, v := range x.knotAt {
		knots[k] = shape.Bin{V: v, Positions: 1}
	}
	for i, c := range table {
		rows[i] = logit.Row{X: x.basis(i), N: float64(c.n), Won: float64(c.won) / 2}
		near := x.hats[i].knot
		if x.hats[i].right > 0.5 {
			near++
		}
		knots[near].Positions += int64(c.n)
	}
	theta := fitLogit(rows, start)
	for k, a := range theta {
		knots[k].P = a
	}
	t := &risingTotal{Rising: shape.RisingCurve(knots), theta: theta}
	for _, v := range x.value {
		t.at = append(t.at, t.Height(v))
	}
	return t
}

// totals are the total curves of some sides, without one group of games each; the last
// is of all.
type totals [GroupsOfGames + 1]*risingTotal

func (x *axis) totals(t *groupTables, sides ...int) *totals {
	var all totals
	whole := x.totalOf(t.table(t.conditions()-1, -1, sides...), x.theta[Train])
	all[GroupsOfGames] = whole
	for g := range GroupsOfGames {
		all[g] = x.totalOf(t.table(t.conditions()-1, g, sides...), whole.theta)
	}
	return &all
}

// without is the curve without a group; -1 leaves out none.
func (t *totals) without(group int) *risingTotal {
	if group < 0 {
		group = GroupsOfGames
	}
	return t[group]
}

// smoothGap is a conditioned curve by its two differences from the total one: logit P(win) =
// shift + stretch·f(v), fitted to the condition's positions (Cox 1958, who asks how far off a
// set of probabilities is). Its gap depends less on chance than the largest gap between two
// bins.
type smoothGap struct {
	total          *risingTotal
	shift, stretch float64
	info           square // of the two, if positions are independent
}

func (x *axis) smoothGap(total *risingTotal, condition []outcomes) smoothGap {
	var rows []logit.Row
	for i, c := range condition {
		if c.n > 0 {
			rows = append(rows, logit.Row{X: []float64{1, total.at[i]}, N: float64(c.n), Won: float64(c.won) / 2})
		}
	}
	theta := fitLogit(rows, []float64{0, 1})
	g := smoothGap{total: total, shift: theta[0], stretch: theta[1]}
	for _, r := range rows {
		f := r.X[1]
		p := logit.Probability(g.shift + g.stretch*f)
		w := r.N * p * (1 - p)
		g.info[0][0], g.info[1][1] = g.info[0][0]+w, g.info[1][1]+w*f*f
		g.info[0][1], g.info[1][0] = g.info[0][1]+w*f, g.info[1][0]+w*f
	}
	return g
}

// at is the gap at v; NaN where the total curve does not get to the condition's win
// probability.
func (g smoothGap) at(v float64) float64 {
	w, ok := g.total.Invert(g.odds(v))
	if !ok {
		return math.NaN()
	}
	return w - v
}

// odds are the condition's at v, as a logarithm.
func (g smoothGap) odds(v float64) float64 { return g.shift + g.stretch*g.total.Height(v) }

// steep reports whether the condition's curve can be read from the side at v.
func (g smoothGap) steep(v float64) bool {
	p := logit.Probability(g.odds(v))
	return p >= shape.Flat && p <= 1-shape.Flat
}

// Middle is the share of the condition's positions between whose values a gap is looked
// for: the ends have few.
const Middle = 0.8

// surely is how many standard errors are subtracted from a gap before the largest is chosen.
// Otherwise the largest gap is mostly the least certain one, and too large by as much.
const surely = 2

// largest returns the bin whose gap is surely the largest, or the most certain one if none is
// sure, or NaN without any. effect is the design effect: the ratio of the variances by game and
// by position.
func (g smoothGap) largest(x *axis, condition []outcomes, effect float64) (at, size float64) {
	at, size = math.NaN(), math.NaN()
	all := lists.Sum(condition, func(c outcomes) float64 { return float64(c.n) })
	covariance := g.info.inverse()
	below, last, best := 0.0, math.NaN(), math.Inf(-1)
	for i, c := range condition {
		v := x.centreOfBin(i)
		share := (below + float64(c.n)) / all
		below += float64(c.n)
		if share < (1-Middle)/2 || v == last {
			continue
		}
		last = v
		if d := g.at(v); g.steep(v) && !math.IsNaN(d) {
			f := g.total.Height(v)
			error := math.Sqrt(effect * (covariance[0][0] + 2*f*covariance[0][1] + f*f*covariance[1][1]))
			errors := math.Abs(g.shift+(g.stretch-1)*f) / error
			worth := errors - surely
			if worth > 0 {
				worth *= math.Abs(d) / errors
			}
			if worth > best {
				at, size, best = v, d, worth
			}
		}
		if share > (1+Middle)/2 {
			break
		}
	}
	return at, size
}

// mean is the gap's over the condition's positions where its curve is steep.
func (g smoothGap) mean(x *axis, condition []outcomes) float64 {
	sum, n := 0.0, 0.0
	for i, c := range condition {
		v := x.value[i]
		if d := g.at(v); g.steep(v) && !math.IsNaN(d) {
			sum, n = sum+d*float64(c.n), n+float64(c.n)
		}
	}
	return sum / n
}

// centreOfBin returns the centre of the bin that a part is in.
func (x *axis) centreOfBin(part int) float64 {
	return float64(floorDiv(x.first+int32(part), fine)) * x.bin
}

// wherever widens an interval so that it holds at all values together, including the chosen one. It uses
// Scheffé's factor for the two numbers of smoothGap instead of Student's t.
func (i Interval) wherever() Interval {
	const df = GroupsOfGames - 1
	by := math.Sqrt(2*distuv.F{D1: 2, D2: df}.Quantile(0.95)) / dyads.Quantile95(df)
	return Interval{i.Value, i.Value - (i.Value-i.Low)*by, i.Value + (i.High-i.Value)*by}
}
