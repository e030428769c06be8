package curve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// Live draws the curves of one dataset again and again, while conditions are tried. The
// rows of the total and of each condition are computed once, each by curve.sql over the
// positions it holds for, and kept: a new condition costs a reading of the values and of the columns
// that it names.
// Its reports are those of Run but for bootstraps, which it has none of. It may be used by
// several goroutines, each with a database of its own.
type Live struct {
	dir  *datasets.Dir
	base Report // unit, value and width; no curves

	mu    sync.Mutex
	apart bool                     // the labels cannot be read as they lie: the database groups
	kept  map[string]*query.Result // of conditions by their SQL; "" is the total
}

// mostKept is the number of conditions whose rows are kept.
const mostKept = 500

// NewLive prepares the curves of d, which is attached to db by the name. p is as in Run,
// without conditions, and with one value at most.
func NewLive(ctx context.Context, db *query.DB, name string, d *datasets.Dir, p Params) (*Live, error) {
	p.When, p.Sources = nil, []string{name}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Interval == IntervalBootstrap || len(p.Values) > 1 {
		return nil, fmt.Errorf("live curves are of one value and without bootstrap")
	}
	p.Draws, p.Interval = cmp.Or(p.Draws, shape.DrawsExclude), cmp.Or(p.Interval, IntervalRobust)
	l := &Live{dir: d, base: Report{Params: p}, kept: map[string]*query.Result{}}
	value := ""
	if len(p.Values) == 1 {
		value = p.Values[0]
	}
	if err := l.base.add(ctx, db, d, name, value); err != nil {
		return nil, err
	}
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
	c.Sources = slices.Clone(l.base.Sources)
	if err := c.Params.Validate(); err != nil {
		return nil, err
	}
	all := conditions(when)
	results := make([]*query.Result, len(all))
	for i, k := range all {
		var err error
		if results[i], err = l.rows(ctx, db, k.SQL); err != nil {
			return nil, err
		}
	}
	if err := c.join(all, results); err != nil {
		return nil, err
	}
	var err error
	if c.SQL, err = l.sql(c.Params.MinCount, all, ""); err != nil {
		return nil, err
	}
	return &c, c.take()
}

// summed is the query of the curve over the positions of one condition, all bins shown, with the
// sums in it if the labels can be read as they lie.
func (l *Live) summed(ctx context.Context, db *query.DB, where string) (string, error) {
	sum, err := l.sums(ctx, db, where)
	if err != nil {
		return "", err
	}
	if sum == nil {
		return l.sql(1, conditions(nil), where)
	}
	q := l.query(1, conditions(nil))
	q.Streamed = sum
	return q.text()
}

// sums reads the labels for one condition; nil where the database has to group.
func (l *Live) sums(ctx context.Context, db *query.DB, where string) (*streamedSQL, error) {
	l.mu.Lock()
	apart := l.apart
	l.mu.Unlock()
	if apart {
		return nil, nil
	}
	c := l.base
	c.query, c.inputs, c.from, c.known = l.query(1, nil), []*datasets.Dir{l.dir}, []int{0}, map[*datasets.Dir]*known{}
	if where != "" {
		c.Params.When = []query.Named{{SQL: where}}
	}
	s, err := c.streamOf(ctx, db, 0)
	if err != nil {
		return nil, err
	}
	var of []*sums
	if s != nil {
		if s.when != nil {
			s.when.only = true
		}
		of, err = s.sum(ctx, c.Params.Workers, nil)
	}
	if s == nil || errors.Is(err, errApart) {
		l.mu.Lock()
		l.apart = l.apart || where == ""
		l.mu.Unlock()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows := s.rows(0, 0, of[0])
	if len(rows) == 0 {
		return nil, nil
	}
	return &streamedSQL{Sums: strings.Join(rows, ",\n\t"), Games: fmt.Sprintf("(0, 0, %d::BIGINT)", of[0].games)}, nil
}

// query returns the query of the curves.
func (l *Live) query(minCount int64, curves []conditionSQL) querySQL {
	q := l.base.query
	q.Counted, q.Bands = l.base.Params.Draws != shape.DrawsExclude, l.base.Params.Draws == shape.DrawsBands
	q.Bin = strconv.FormatFloat(l.base.Bin, 'f', -1, 64)
	q.MinCount, q.Curves = minCount, curves
	return q
}

// sql is the query of the curves over the positions of the condition where, "" for all.
func (l *Live) sql(minCount int64, curves []conditionSQL, where string) (string, error) {
	q := l.query(minCount, curves)
	q.Sources = slices.Clone(q.Sources)
	if where != "" {
		q.Sources[0].View = "(SELECT * FROM " + q.Sources[0].View + " WHERE (" + where + "\n))"
	}
	return q.text()
}

// rows returns those of the curve over the positions of one condition, all bins shown.
func (l *Live) rows(ctx context.Context, db *query.DB, where string) (*query.Result, error) {
	l.mu.Lock()
	kept := l.kept[where]
	l.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	text, err := l.summed(ctx, db, where)
	if err != nil {
		return nil, err
	}
	r, err := db.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	all, err := r.All()
	if err != nil {
		return nil, err
	}
	kept = query.NewResult(r.Columns, all)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) > mostKept {
		clear(l.kept)
	}
	l.kept[where] = kept
	return kept, nil
}

// join puts the rows of the curves together, with their names and with the minimum of
// positions that curve.sql would take for all of them.
func (c *Report) join(curves []conditionSQL, results []*query.Result) error {
	columns := results[0].Columns
	at := func(name string) int {
		return slices.IndexFunc(columns, func(k query.Column) bool { return k.Name == name })
	}
	parts := make([][][]any, len(results))
	least := c.Params.MinCount
	for i, r := range results {
		var err error
		if parts[i], err = r.All(); err != nil {
			return err
		}
	}
	if least == 0 {
		least = usualLeast(columns, parts)
	}
	var rows [][]any
	for i, part := range parts {
		for _, row := range part {
			f := sheet.Fields{Columns: columns, Row: row}
			row = slices.Clone(row)
			row[at("curve")] = curves[i].Name
			row[at("shown")] = f.Text("kind") == "bin" && f.Whole("positions") >= least
			row[at("min_count")] = least
			rows = append(rows, row)
		}
	}
	c.Rows = query.NewResult(columns, rows)
	return nil
}

// usualLeast returns the minimum of curve.sql where none is asked for: 1,000 as in the paper,
// or 100 where that would hide more than a fifth of a curve.
func usualLeast(columns []query.Column, parts [][][]any) int64 {
	for _, part := range parts {
		var shown, all int64
		for _, row := range part {
			f := sheet.Fields{Columns: columns, Row: row}
			if f.Text("kind") != "bin" || f.At("bin") == nil {
				continue
			}
			n := f.Whole("positions")
			all += n
			if n >= 1000 {
				shown += n
			}
		}
		if all > 0 && float64(shown) < 0.8*float64(all) {
			return 100
		}
	}
	return 1000
}

// From returns the live curves of the same labels changed: relation is a table expression
// of SQL with the columns that they have. It keeps rows of its own.
func (l *Live) From(relation string) *Live {
	changed := &Live{dir: l.dir, base: l.base, apart: true, kept: map[string]*query.Result{}}
	changed.base.query.Sources = slices.Clone(l.base.query.Sources)
	changed.base.query.Sources[0].View = relation
	return changed
}
