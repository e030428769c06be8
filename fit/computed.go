package fit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/query"
)

// computed holds computed data of the positions of a dataset: the results of SQL, their levels and
// blunders. SQL and blunders are computed a part at a time, for its first reader, and freed afterwards.
// Any number of goroutines may call it.
type computed struct {
	dir   *datasets.Dir
	added int // columns of choices.Add, the first of sql
	// Columns of sql; -1: absent. target is absent where it is null, where 1 where Params.Where
	// holds, level the number of a level.
	target, where, level int
	sql                  featureColumns // nil without any
	levelOf              func(x *rows.Row) uint8
	limit                float64 // of a blunder; 0: they are not looked for
	leaf                 string

	mu    sync.Mutex
	parts map[int]*computedPart
	idle  []int   // parts without a reader, the last read at the end
	gaps  []int64 // of each part that was worked out: what of a blunder is not seen
}

// computedPart holds what is computed of a part, by rows from the part's first.
type computedPart struct {
	of       *computed
	once     sync.Once
	readers  int
	sql      [][]float64
	blunders []blunder
	err      error
}

// keptParts is how many parts without a reader are kept: stretches requested one after the other begin
// in the part in which the one before ends.
const keptParts = 2

// expect announces so many readers of part i, each of which will be done with it.
func (x *computed) expect(i, readers int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.parts[i] == nil {
		x.parts[i] = &computedPart{of: x}
	}
	x.parts[i].readers += readers
	x.idle = slices.DeleteFunc(x.idle, func(one int) bool { return one == i })
}

// done ends the reading of part i. A failed computation is repeated for the next reader.
func (x *computed) done(i int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.parts[i]
	if p.readers--; p.readers > 0 {
		return
	}
	if p.err != nil {
		delete(x.parts, i)
		return
	}
	x.idle = append(x.idle, i)
	if len(x.idle) > keptParts {
		delete(x.parts, x.idle[0])
		x.idle = x.idle[1:]
	}
}

// part returns what is computed of part i, which was announced.
func (x *computed) part(ctx context.Context, i int) (*computedPart, error) {
	x.mu.Lock()
	p := x.parts[i]
	x.mu.Unlock()
	p.once.Do(func() {
		if p.err = x.compute(ctx, i, p); p.err != nil {
			p.err = fmt.Errorf("%s: %w", x.dir.Path, p.err)
		}
	})
	return p, p.err
}

func (x *computed) compute(ctx context.Context, i int, p *computedPart) (err error) {
	if x.sql != nil {
		if p.sql, err = x.sql.part(ctx, i); err != nil {
			return err
		}
	}
	if x.limit > 0 {
		var gaps int64
		if p.blunders, gaps, err = findBlunders(x.dir, i, x.leaf, x.limit); err != nil {
			return err
		}
		x.mu.Lock()
		x.gaps[i] = gaps
		x.mu.Unlock()
	}
	return nil
}

// close lets go of the query engine.
func (x *computed) close() error {
	if x.sql == nil {
		return nil
	}
	return x.sql.close()
}

// dense appends the values of choices.Add in row at.
func (p *computedPart) dense(to []float64, at int) []float64 {
	for _, column := range p.sql[:p.of.added] {
		to = append(to, column[at])
	}
	return to
}

// target returns the target of row at, 0 without one.
func (p *computedPart) target(at int) float64 {
	if p.of.target < 0 {
		return 0
	}
	return p.sql[p.of.target][at]
}

// wanted reports whether Params.Where holds in row at.
func (p *computedPart) wanted(at int) bool { return p.of.where < 0 || p.sql[p.of.where][at] != 0 }

// level returns the level or set of row at, of which x has what position reads.
func (p *computedPart) level(at int, x *rows.Row) uint8 {
	switch {
	case p.of.level >= 0:
		return uint8(p.sql[p.of.level][at])
	case p.of.levelOf != nil:
		return p.of.levelOf(x)
	}
	return 0
}

// expressions are those that are computed of every position; without SQL they are not.
type expressions struct {
	add                  []Feature
	target, where, level Feature // level is the number of a level
}

// targetOf, by its name in messages, is an expression for the targets, conditionOf one for what is wanted.
func targetOf(name, sql string) Feature { return Feature{name, sql, "coalesce((%s\n)::DOUBLE, 1e300)"} }
func conditionOf(name, sql string) Feature {
	return Feature{name, sql, "coalesce((%s\n)::BOOLEAN, false)"}
}

// absent is the target of a null. It is above every value that a search gives.
const absent = 1e300

// compute prepares the expressions over dir.
func compute(ctx context.Context, want expressions, dir *datasets.Dir, open columnReader) (*computed, error) {
	x := &computed{dir: dir, added: len(want.add), parts: map[int]*computedPart{}}
	list := slices.Clip(want.add)
	add := func(f Feature) int {
		if f.SQL == "" {
			return -1
		}
		list = append(list, f)
		return len(list) - 1
	}
	x.target, x.where, x.level = add(want.target), add(want.where), add(want.level)
	if len(list) == 0 {
		return x, nil
	}
	var err error
	if x.sql, err = open(ctx, dir, list); err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	return x, nil
}

// columnReader prepares features over the columns of dir: a number for each in every row, finite.
type columnReader func(ctx context.Context, dir *datasets.Dir, features []Feature) (featureColumns, error)

// featureColumns holds the values of features.
type featureColumns interface {
	// part returns the values of the rows of part i. Any number of goroutines may call it.
	part(ctx context.Context, i int) ([][]float64, error)
	close() error
}

// wholeColumns returns the values of features over all rows of dir, which are games.
func wholeColumns(ctx context.Context, dir *datasets.Dir, features []Feature, open columnReader) (all [][]float64, err error) {
	x, err := open(ctx, dir, features)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	defer func() { err = errors.Join(err, x.close()) }()
	all = make([][]float64, len(features))
	for i := range dir.NumParts() {
		part, err := x.part(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
		for k := range all {
			all[k] = append(all[k], part[k]...)
		}
	}
	return all, nil
}

// sqlColumns computes expressions with the query engine.
func sqlColumns(ctx context.Context, dir *datasets.Dir, features []Feature) (_ featureColumns, err error) {
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, err
	}
	x := &engineColumns{db: db, dir: dir, n: len(features)}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	if err := db.Attach(ctx, filepath.Base(dir.Path), dir); err != nil {
		return nil, err
	}
	var named []query.Named
	for _, f := range features {
		n := query.Named{Name: f.Name, SQL: f.SQL}
		if f.wrap != "" {
			// Errors refer to what the user wrote.
			if _, err := db.Expression(ctx, dir, n); err != nil {
				return nil, err
			}
			n.SQL = fmt.Sprintf(f.wrap, f.SQL)
		}
		named = append(named, n)
	}
	x.of, err = db.PartColumns(ctx, dir, named)
	return x, err
}

// engineColumns are columns by the query engine.
type engineColumns struct {
	mu  sync.Mutex
	db  *query.DB
	dir *datasets.Dir
	of  *query.PartColumns
	n   int
}

func (x *engineColumns) part(ctx context.Context, i int) ([][]float64, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	info, err := x.dir.Info(i)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, x.n)
	for k := range out {
		out[k] = make([]float64, 0, info.Rows)
	}
	return out, x.of.Append(ctx, out, i)
}

func (x *engineColumns) close() error { return x.db.Close() }
