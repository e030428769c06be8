package curve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// Live draws the curves of one dataset again and again, while conditions are tried. The
// sums of the total and of each condition are made once and kept: a new condition costs a reading of the values and of the columns
// that it names.
// Its reports equal Run's, without bootstraps. It may be used by several goroutines, each with a
// database of its own.
type Live struct {
	base Report // unit, value and width; no curves

	mu   sync.Mutex
	kept map[string]*sums // of conditions by their SQL; "" is the total
}

// mostKept is the number of conditions whose sums are kept.
const mostKept = 500

// NewLive prepares the curves of labels. A second input has their games, in which players are looked up. Both are attached to db by
// these names. p is as in Run, without conditions, and with one value at most.
func NewLive(ctx context.Context, db *query.DB, names []string, in []*datasets.Dir, p Params) (*Live, error) {
	p.When, p.Sources = nil, names[:1]
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Interval == IntervalBootstrap || len(p.Values) > 1 {
		return nil, fmt.Errorf("live curves have one value and no bootstrap")
	}
	p.Draws, p.Interval = cmp.Or(p.Draws, shape.DrawsExclude), cmp.Or(p.Interval, IntervalRobust)
	l := &Live{base: Report{Params: p}, kept: map[string]*sums{}}
	value := ""
	if len(p.Values) == 1 {
		value = p.Values[0]
	}
	if err := l.base.add(ctx, db, in[0], names[0], value); err != nil {
		return nil, err
	}
	if len(in) > 1 && !l.base.Sources[0].Dedup {
		l.base.query.Sources[0].known = &known{games: in[1], names: dyads.NewNames(nil)}
		l.base.query.Players = sheet.PlayersIn(names[1], names[0])
		if err := l.base.reading(0, nil).clusters(ctx, p.Workers); err != nil {
			return nil, err
		}
	}
	l.base.errors = l.base.note()
	return l, nil
}

// Value and Unit name the column of the values and their unit, Bin the width of bins.
func (l *Live) Value() string { return l.base.Value }

// Unit is the unit of the values.
func (l *Live) Unit() string { return l.base.Unit }

// Bin is the width of bins.
func (l *Live) Bin() float64 { return l.base.Bin }

// Draw returns the report of the total and the conditions, which must have passed
// query.DB.Condition.
func (l *Live) Draw(ctx context.Context, db *query.DB, when []query.Named) (*Report, error) {
	c := l.base
	c.Params.When = when
	c.Sources, c.query.Sources = slices.Clone(c.Sources), slices.Clone(c.query.Sources)
	if err := c.Params.Validate(); err != nil {
		return nil, err
	}
	c.ways()
	var err error
	if c.SQL, err = c.query.text(); err != nil {
		return nil, err
	}
	all, err := l.sums(ctx, db, &c)
	if err != nil {
		return nil, err
	}
	c.finish([][]*sums{all})
	return &c, c.fill()
}

// sums returns the sums of the curves of c, reading only those that are not kept.
func (l *Live) sums(ctx context.Context, db *query.DB, c *Report) ([]*sums, error) {
	all := make([]*sums, len(c.query.Curves))
	var missing []conditionSQL
	var at []int
	l.mu.Lock()
	for i, k := range c.query.Curves {
		if all[i] = l.kept[k.SQL]; all[i] == nil {
			missing, at = append(missing, k), append(at, i)
		}
	}
	l.mu.Unlock()
	if len(missing) == 0 {
		return all, nil
	}
	read, err := c.sumsOf(ctx, db, 0, missing)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) > mostKept {
		clear(l.kept)
	}
	for i, of := range read {
		all[at[i]], l.kept[missing[i].SQL] = of, of
	}
	return all, nil
}

// Mean returns Σsums/Σsizes over games, the half width of its 95 % interval, and what it counts as independent: the larger of the
// errors by game and by player, as those of curves, where players are known.
func (l *Live) Mean(games []int64, sums, sizes []float64) (mean, reach float64, by string) {
	total := lists.Sum(sizes, func(n float64) float64 { return n })
	mean = lists.Sum(sums, func(x float64) float64 { return x }) / total
	less := make([]float64, len(games))
	for i := range games {
		less[i] = sums[i] - mean*sizes[i]
	}
	known := l.base.query.Sources[0].known
	if known == nil || !known.of.Usable() {
		return mean, dyads.SpreadOf(less, sizes).Reach(), "game"
	}
	u, n := make([]float64, len(known.of.Of)), make([]float64, len(known.of.Of))
	for i, id := range games {
		if row := known.index.Row(id); row >= 0 {
			u[row], n[row] = less[i], sizes[i]
		}
	}
	return mean, known.of.Ratio(u, n, "").Reach(), "game or player"
}

// From returns the live curves of the same labels changed: relation is a table expression
// of SQL with the columns that they have. It keeps sums of its own.
func (l *Live) From(relation string) *Live {
	changed := &Live{base: l.base, kept: map[string]*sums{}}
	changed.base.query.Sources = slices.Clone(l.base.query.Sources)
	source := &changed.base.query.Sources[0]
	source.View, source.stored = relation, false
	return changed
}
