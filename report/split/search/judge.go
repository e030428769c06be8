package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/internal/multiple"
	"kifu/internal/ordered"
	"kifu/internal/splitmix"
	"kifu/report/shape"
	"kifu/report/split/conditions"
)

// survivor is a condition that the search has found, with its curve's gap to the total
// on the games it was found in.
type survivor struct {
	condition conditions.Condition
	verdict   verdict
	at, gap   float64 // bin and size of its largest gap
	area      float64
	ranks     [4]int
	rows      bitset // of the sample

	score [2]float64 // the rest of it, given the splits so far
	info  square
	cross []square // with each of them
	split *Split   // that it is, or is alike; nil: none yet
}

// testable reports which conditions have the positions and games for a test.
func (s *Result) testable(found []verdict) []bool {
	all := make([]bool, len(found))
	for i, f := range found {
		outside := s.Sides[Train].Positions - f.Positions
		if f.Tested() && min(f.Positions, outside) >= s.Params.MinCount && f.Games >= FewestGames {
			all[i] = true
			s.Tested++
		}
	}
	return all
}

// slopes are the conditions whose slope passes at the false discovery rate in the games of the
// search, alike ones taken together, in order.
func (g *grouping) slopes() []*Split {
	p := make([]float64, len(g.found))
	for i, f := range g.found {
		p[i] = math.NaN()
		if g.tested[i] {
			p[i] = f.SlopeP
		}
	}
	var passed []*survivor
	for i, q := range multiple.FalseDiscovery(p) {
		if q <= g.Params.FDR {
			passed = append(passed, g.survivor(i))
		}
	}
	g.Sloped = len(passed)
	rank(passed)
	g.group(passed)
	for _, k := range passed {
		k.rows = nil // thousands of them, for groups alone
	}
	return g.all
}

// survivor is condition i with the numbers that splits are ordered by.
func (g *grouping) survivor(i int) *survivor {
	x, f := g.axis, g.found[i]
	k := &survivor{condition: g.set.All[i], verdict: f, score: f.score, info: f.info, area: shape.GapBetween(g.total, x.bins(f.table, f.Positions)).Area}
	k.at, k.gap = x.smoothGap(g.curve, f.table).largest(x, f.table, 2*f.Gain/f.Wald)
	g.survivors = append(g.survivors, k)
	return k
}

// shifts adds the shifts that were found, with what is alike them.
func (g *grouping) shifts(all []shift) {
	for _, one := range all {
		k := g.survivor(one.at)
		k.split = g.newSplit(k)
		k.split.T, k.split.ShiftP, k.split.Given = one.t, one.p, one.odds
		for _, c := range one.alike {
			k.split.Alike = append(k.split.Alike, g.set.All[c])
		}
		g.Shifted += 1 + len(one.alike)
		if image := g.image(k); image != nil && (image.Confirmed || !math.IsNaN(image.ShiftP)) {
			image.Mirror = k.split
		} else {
			g.all = append(g.all, k.split)
		}
	}
	rank(g.survivors)
	for _, k := range g.survivors {
		if k.split != nil && k.split.Condition == k.condition {
			k.split.Ranks = k.ranks
		}
	}
}

// rank gives the places in each of the orders.
func rank(all []*survivor) {
	by := [4]func(k *survivor) float64{
		func(k *survivor) float64 { return k.verdict.Gain },
		func(k *survivor) float64 { return k.verdict.Wald },
		func(k *survivor) float64 { return math.Abs(k.gap) },
		func(k *survivor) float64 { return k.area * float64(k.verdict.Positions) },
	}
	order := slices.Clone(all)
	for i, of := range by {
		slices.SortStableFunc(order, func(a, b *survivor) int { return cmp.Compare(orZero(of(b)), orZero(of(a))) })
		for rank, k := range order {
			k.ranks[i] = rank + 1
		}
	}
}

func orZero(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// holding returns for each atom the rows of the sample where it holds.
func (v *survey) holding(set *conditions.Set) []bitset {
	all := make([]bitset, len(set.Atoms))
	for i, a := range set.Atoms {
		all[i] = newBitset(len(v.rows))
		for word := range all[i] {
			from, to := 64*word, min(64*word+64, len(v.rows))
			if a.Given >= 0 {
				all[i][word] = bitsOf(v.given[a.Given], v.rows[from:to])
			} else {
				all[i][word] = conditions.Compare(v.sample[a.Column][from:to], a.Op, a.At)
			}
		}
	}
	return all
}

// rowsOf is the condition's rows of the sample.
func (v *survey) rowsOf(c conditions.Condition, holding []bitset) bitset {
	rows := slices.Clone(holding[c.Atoms[0]])
	if c.Atoms[1] >= 0 {
		for i, w := range holding[c.Atoms[1]] {
			rows[i] &= w
		}
	}
	return rows
}

// bins are the curve's bins of a table: those with a hundred positions and, for a large condition, a
// hundredth of its positions. The ends of the axis, which include everything beyond, are no bins.
func (x *axis) bins(table []outcomes, positions int64) []shape.Bin {
	var bins []shape.Bin
	last := int32(math.MinInt32)
	for i := 1; i < len(table)-1; i++ {
		number := floorDiv(x.first+int32(i), fine)
		if number != last {
			bins, last = append(bins, shape.Bin{V: float64(number) * x.bin}), number
		}
		b := &bins[len(bins)-1]
		b.Positions += int64(table[i].n)
		b.Won += float64(table[i].won) / 2
	}
	least := max(100, positions/100)
	bins = slices.DeleteFunc(bins, func(b shape.Bin) bool { return b.Positions < least })
	for i := range bins {
		bins[i].P = bins[i].Won / float64(bins[i].Positions)
	}
	return bins
}

func floorDiv(a, b int32) int32 { return int32(math.Floor(float64(a) / float64(b))) }

// confirm has the held-out games decide on slopes, and returns the conditions of those that
// they confirm.
func (s *Result) confirm(ctx context.Context, rows *stored, leaders []*Split) (confirmed []conditions.Condition, err error) {
	if len(leaders) == 0 {
		return nil, nil
	}
	all, only, verdicts, err := rows.again(ctx, leaders)
	if err != nil {
		return nil, err
	}
	slopes, err := rows.slopes(ctx, only, Held, verdicts)
	if err != nil {
		return nil, err
	}
	wider, err := rows.dependence(ctx, only, verdicts)
	if err != nil {
		return nil, err
	}
	p := make([]float64, len(all))
	for i := range all {
		slopes[i].players = wider[i]
		p[i] = slopes[i].p()
	}
	for i, adjusted := range multiple.Holm(p) {
		k := all[i]
		k.SlopeP, k.P = adjusted, adjusted
		if k.Confirmed = adjusted <= s.Params.Level; k.Confirmed {
			confirmed = append(confirmed, k.Condition)
		}
	}
	return confirmed, nil
}

// dependence is how many times larger the variances of the conditions' shifts are in the
// held-out games where players are clusters; 1 where they do not matter.
func (s *stored) dependence(ctx context.Context, set *conditions.Set, verdicts []verdict) ([]float64, error) {
	x, all := s.axis, slices.Repeat([]float64{1}, len(set.All))
	if !s.clusters.players {
		return all, nil
	}
	sums, err := s.sum(ctx, summing{null: &nullModel{axis: x, theta: x.theta[Held]}, set: set, side: Held, title: "splits: players"})
	if err != nil {
		return nil, err
	}
	project := mat.NewDense(len(set.All), x.knots, nil)
	for c, v := range verdicts {
		if v.cross != nil {
			var line mat.Dense
			line.Mul(v.cross, x.inverse[Held])
			project.SetRow(c, line.RawRowView(0))
		}
	}
	k := sums.without(project, s.clusters.way)
	games := k.squares(k.part(0, FlipGroups))
	variance, _, _ := k.variances()
	for c, v := range games {
		if v > 0 {
			all[c] = variance[c] / v
		}
	}
	return all, nil
}

// judge computes the report's estimates of the splits.
func (s *Result) judge(ctx context.Context, rows *stored, leaders []*Split) error {
	shown, only, verdicts, err := rows.again(ctx, leaders)
	if err != nil {
		return err
	}
	tables, err := rows.tabulate(ctx, only)
	if err != nil {
		return err
	}
	x := rows.axis
	all, unseen := x.totals(tables, Train, Held), x.totals(tables, Held)
	ordered.Each(rows.workers(), len(shown), func(_, i int) {
		k := shown[i]
		k.Held = verdicts[i]
		k.Positions, k.Games = k.Train.Positions+k.Held.Positions, k.Train.Games+k.Held.Games
		k.estimate(x, tables, all, unseen, i)
		if by := s.wider[k.Condition]; by > 0 {
			k.widen(by)
		}
		k.quiet()
		if !math.IsNaN(k.ShiftP) {
			k.P, k.Confirmed = k.ShiftP, true
		}
	})
	s.sort(leaders)
	return nil
}

// sort puts what is confirmed first, each part in the order asked for; by fall those that lower the
// log-loss of the held-out games most.
func (s *Result) sort(leaders []*Split) {
	by := slices.Index(Orders, s.Params.By)
	slices.SortStableFunc(leaders, func(a, b *Split) int {
		if c := cmp.Compare(b.confirmed(), a.confirmed()); c != 0 {
			return c
		}
		if s.Params.By == byFall {
			return cmp.Compare(b.Fall.Value, a.Fall.Value)
		}
		return cmp.Compare(a.Ranks[by], b.Ranks[by])
	})
	s.Splits = leaders
	// Slopes and shifts are as many as --top each.
	if n := len(s.Shown()); n > s.Params.Top {
		s.Beyond += n - s.Params.Top
		s.Splits = slices.Delete(leaders, s.Params.Top, n)
	}
}

// withMirrors has every split followed by its mirror image.
func withMirrors(all []*Split) (both []*Split) {
	for _, k := range all {
		both = append(both, k)
		if k.Mirror != nil {
			both = append(both, k.Mirror)
		}
	}
	return both
}

// again tests splits and their mirror images on the games held out: their conditions are in a set of their own.
func (s *stored) again(ctx context.Context, leaders []*Split) (all []*Split, only *conditions.Set, verdicts []verdict, err error) {
	all = withMirrors(leaders)
	conditions := lists.Of(all, func(k *Split) conditions.Condition { return k.Condition })
	only = s.set.Only(conditions)
	verdicts, err = s.screen(ctx, only, Held)
	return all, only, verdicts, err
}

// GroupsOfGames is the number of groups that the jackknife leaves out one by one.
const GroupsOfGames = 64

// groupTables are the cells of conditions, and last of all positions, by groups
// of games.
type groupTables struct {
	parts int
	by    [2][GroupsOfGames][]outcomes // side, group; condition and part
	sum   [2][]outcomes
}

// tabulate counts the positions of the conditions by part of the axis, side and group.
func (s *stored) tabulate(ctx context.Context, set *conditions.Set) (*groupTables, error) {
	tables := lists.N(s.workers(), func(int) *groupTables { return newGroupTables(len(set.All)+1, len(s.axis.value)) })
	err := eachBlock(ctx, s, "splits: intervals", set.All, func(w int, b *block) struct{} {
		for i := range b.games {
			g := &b.games[i]
			tables[w].count(b, g, set, tables[w].by[g.side][splitmix.Hash(^s.params.Seed, g.id)%GroupsOfGames])
		}
		return struct{}{}
	}, func(struct{}) {})
	if err != nil {
		return nil, err
	}
	for _, t := range tables[1:] {
		tables[0].add(t)
	}
	tables[0].finish()
	return tables[0], nil
}

// count counts the positions of a game in the cells of its group.
func (t *groupTables) count(b *block, g *blockGame, set *conditions.Set, cells []outcomes) {
	for row := 64 * g.from; row < 64*g.from+g.rows; row++ {
		cells[len(set.All)*t.parts+int(b.keys[row]/3)].add(b.keys[row])
	}
	for c, one := range set.All {
		first, second := b.holding(one)
		g.eachRow(first, second, func(row int) { cells[c*t.parts+int(b.keys[row]/3)].add(b.keys[row]) })
	}
}

func newGroupTables(conditions, parts int) *groupTables {
	t := &groupTables{parts: parts}
	for side := range t.by {
		for g := range t.by[side] {
			t.by[side][g] = make([]outcomes, conditions*parts)
		}
		t.sum[side] = make([]outcomes, conditions*parts)
	}
	return t
}

func (t *groupTables) add(o *groupTables) {
	for side := range t.by {
		for g := range t.by[side] {
			addCells(t.by[side][g], o.by[side][g])
		}
	}
}

func (t *groupTables) finish() {
	for side := range t.by {
		for g := range t.by[side] {
			addCells(t.sum[side], t.by[side][g])
		}
	}
}

// conditions is their number, including all positions.
func (t *groupTables) conditions() int { return len(t.sum[Train]) / t.parts }

func addCells(to, from []outcomes) {
	for i, c := range from {
		to[i].n, to[i].won = to[i].n+c.n, to[i].won+c.won
	}
}

// table is the table of a condition (the last: all positions) over the sides, without one
// group of games; -1 leaves out none.
func (t *groupTables) table(condition, without int, sides ...int) []outcomes {
	from, to := condition*t.parts, (condition+1)*t.parts
	out := make([]outcomes, t.parts)
	for _, side := range sides {
		addCells(out, t.sum[side][from:to])
		if without >= 0 {
			for i, c := range t.by[side][without][from:to] {
				out[i].n, out[i].won = out[i].n-c.n, out[i].won-c.won
			}
		}
	}
	return out
}

// jackknife is an estimate with the interval from leaving out each group of games in turn (Kott 2001, the
// delete-a-group jackknife). Games are independent; positions of a game need not be.
func jackknife(estimate func(without int) float64) Interval {
	whole := estimate(-1)
	sum, squares := 0.0, 0.0
	for g := range GroupsOfGames {
		d := estimate(g) - whole
		sum, squares = sum+d, squares+d*d
	}
	const n = GroupsOfGames
	se := math.Sqrt((n - 1) / float64(n) * (squares - sum*sum/n))
	t := dyads.Quantile95(n - 1)
	return Interval{whole, whole - t*se, whole + t*se}
}
