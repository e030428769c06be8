// Package computed reads labels with what is computed of their positions.
//
// In: a dataset, expressions in SQL over its columns or those of its games. Out: row groups on several workers in their order, with
// targets, conditions, levels and features of their rows, and who blundered. It makes no rows of a fit.
package computed

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/internal/lists"
	"kifu/query"
)

// Labels holds computed data of the positions of a dataset: the results of SQL, their levels and
// blunders. SQL and blunders are computed a part at a time, for its first reader, and freed afterwards.
// Any number of goroutines may call it.
type Labels struct {
	dir   *datasets.Dir
	added int // columns of Expressions.Add, the first of sql
	// Columns of sql; -1: absent. target is absent where it is null, where 1 where Expressions.Where
	// holds, level the number of a level.
	Target, where, level int
	sql                  Columns // nil without any
	LevelOf              func(x *rows.Row) uint8
	limit                float64 // of a blunder; 0: they are not looked for
	leaf                 string

	mu    sync.Mutex
	parts map[int]*Part
	idle  []int   // parts without a reader, the last read at the end
	gaps  []int64 // of each part that was worked out: what of a blunder is not seen
}

// Part holds what is computed of a part, by rows from the part's first.
type Part struct {
	of       *Labels
	once     sync.Once
	readers  int
	sql      [][]float64
	blunders []blunder
	err      error
}

// keptParts is how many parts without a reader are kept: stretches requested one after the other begin
// in the part in which the one before ends.
const keptParts = 2

// Expect announces so many readers of part i, each of which will be done with it.
func (x *Labels) Expect(i, readers int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.parts[i] == nil {
		x.parts[i] = &Part{of: x}
	}
	x.parts[i].readers += readers
	x.idle = slices.DeleteFunc(x.idle, func(one int) bool { return one == i })
}

// Done ends the reading of part i. A failed computation is repeated for the next reader.
func (x *Labels) Done(i int) {
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

// Part returns what is computed of part i, which was announced.
func (x *Labels) Part(ctx context.Context, i int) (*Part, error) {
	x.mu.Lock()
	p := x.parts[i]
	x.mu.Unlock()
	p.once.Do(func() {
		if p.err = x.Open(ctx, i, p); p.err != nil {
			p.err = fmt.Errorf("%s: %w", x.dir.Path, p.err)
		}
	})
	return p, p.err
}

func (x *Labels) Open(ctx context.Context, i int, p *Part) (err error) {
	if x.sql != nil {
		if p.sql, err = x.sql.Part(ctx, i); err != nil {
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

// Close lets go of the query engine.
func (x *Labels) Close() error {
	if x.sql == nil {
		return nil
	}
	return x.sql.Close()
}

// Dense appends the values of Expressions.Add in row at.
func (p *Part) Dense(to []float64, at int) []float64 {
	for _, column := range p.sql[:p.of.added] {
		to = append(to, column[at])
	}
	return to
}

// Target returns the target of row at, 0 without one.
func (p *Part) Target(at int) float64 {
	if p.of.Target < 0 {
		return 0
	}
	return p.sql[p.of.Target][at]
}

// Wanted reports whether Expressions.Where holds in row at.
func (p *Part) Wanted(at int) bool { return p.of.where < 0 || p.sql[p.of.where][at] != 0 }

// Level returns the level or set of row at, of which x has what position reads.
func (p *Part) Level(at int, x *rows.Row) uint8 {
	switch {
	case p.of.level >= 0:
		return uint8(p.sql[p.of.level][at])
	case p.of.LevelOf != nil:
		return p.of.LevelOf(x)
	}
	return 0
}

// Feature is a new feature: an SQL expression over the label columns. It has one weight
// for all phases. It must be a number or a boolean (true is 1) in every row.
type Feature struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`

	wrap  string // what the query has around SQL, with %s for it; "" for nothing
	truth bool   // SQL must be true or false
}

// Expressions are those that are computed of every position; without SQL they are not.
type Expressions struct {
	Add                  []Feature
	Target, Where, Level Feature // level is the number of a level
}

// Target is an expression for the targets, by its name in messages.
func Target(name, sql string) Feature {
	return Feature{Name: name, SQL: sql, wrap: "coalesce((%s\n)::DOUBLE, 1e300)"}
}

// Condition is an expression for what is wanted.
func Condition(name, sql string) Feature {
	return Feature{Name: name, SQL: sql, wrap: "coalesce((%s\n)::BOOLEAN, false)", truth: true}
}

// Numbered is the number of an expression's text among names, from 0, and other for one that is not there.
func Numbered(name, sql string, names []string, other int) Feature {
	list := strings.ReplaceAll(strings.Join(lists.Of(names, query.QuoteText), ", "), "%", "%%")
	return Feature{Name: name, SQL: sql, wrap: "coalesce(list_position([" + list + "], coalesce((%s\n)::VARCHAR, 'null')) - 1, " + fmt.Sprint(other) + ")"}
}

// Absent is the target of a null. It is above every value that a search gives.
const Absent = 1e300

// Open prepares the expressions over dir.
func Open(ctx context.Context, want Expressions, dir *datasets.Dir, open Reader) (*Labels, error) {
	x := &Labels{dir: dir, added: len(want.Add), parts: map[int]*Part{}}
	list := slices.Clip(want.Add)
	add := func(f Feature) int {
		if f.SQL == "" {
			return -1
		}
		list = append(list, f)
		return len(list) - 1
	}
	x.Target, x.where, x.level = add(want.Target), add(want.Where), add(want.Level)
	if len(list) == 0 {
		return x, nil
	}
	var err error
	if x.sql, err = open(ctx, dir, list); err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	return x, nil
}

// Reader prepares features over the columns of dir: a number for each in every row, finite.
type Reader func(ctx context.Context, dir *datasets.Dir, features []Feature) (Columns, error)

// Columns holds the values of features.
type Columns interface {
	// Part returns the values of the rows of part i. Any number of goroutines may call it.
	Part(ctx context.Context, i int) ([][]float64, error)
	Close() error
}

// Whole returns the values of features over all rows of dir.
func Whole(ctx context.Context, dir *datasets.Dir, features []Feature, open Reader) (all [][]float64, err error) {
	x, err := open(ctx, dir, features)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	all = make([][]float64, len(features))
	for i := range dir.NumParts() {
		part, err := x.Part(ctx, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
		for k := range all {
			all[k] = append(all[k], part[k]...)
		}
	}
	return all, nil
}

// WantedGames are the games for which an SQL condition holds, nil without one.
func WantedGames(ctx context.Context, where string, dir *datasets.Dir, columns Reader) (map[int64]bool, error) {
	if dir == nil || where == "" {
		return nil, nil
	}
	if err := dir.Want("games"); err != nil {
		return nil, err
	}
	all, err := Whole(ctx, dir, []Feature{{Name: "game_id", SQL: "game_id"}, Condition("--games-where", where)}, columns)
	if err != nil {
		return nil, err
	}
	wanted := map[int64]bool{}
	for i, id := range all[0] {
		if all[1][i] != 0 {
			wanted[int64(id)] = true
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("%s: none of %d games fulfils %s", dir.Path, len(all[0]), where)
	}
	return wanted, nil
}

// SQL computes expressions with the query engine.
func SQL(ctx context.Context, dir *datasets.Dir, features []Feature) (_ Columns, err error) {
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
		n := query.Named{Name: f.Name, SQL: f.SQL, Wrap: f.wrap}
		if f.wrap != "" {
			// Errors refer to what the user wrote.
			if f.truth {
				err = db.Condition(ctx, dir, n)
			} else {
				_, err = db.Expression(ctx, dir, n)
			}
			if err != nil {
				return nil, err
			}
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

func (x *engineColumns) Part(ctx context.Context, i int) ([][]float64, error) {
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

func (x *engineColumns) Close() error { return x.db.Close() }
