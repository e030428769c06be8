package fit

import (
	"context"
	"fmt"
	"path/filepath"

	"kifu/datasets"
	"kifu/fit/rows"
	"kifu/query"
)

// computed holds columns that SQL computes for every position of a dataset.
type computed struct {
	added  [][]float64 // the columns of Params.Add
	target []float64   // absent where it is null; nil without Params.Target and Expected
	where  []float64   // 1 where Params.Where holds; nil without it
	// level tells which level or set row at, of which x has what position reads, is of;
	// nil without them.
	level    func(at int64, x *rows.Row) uint8
	blunders []blunder // nil without Params.WithoutBlunders
}

// condition wraps a condition, which a null does not fulfil.
const condition = "coalesce((%s\n)::BOOLEAN, false)"

// absent stands for a null target. It is above every value that a search gives.
const (
	absent         = 1e300
	targetOrAbsent = "coalesce((%s\n)::DOUBLE, 1e300)"
)

// compute computes the expressions of p over dir.
func compute(ctx context.Context, p Params, dir *datasets.Dir, columns columnReader) (x computed, err error) {
	list := p.Add[:len(p.Add):len(p.Add)]
	if p.Expected != "" {
		list = append(list, Feature{"expected", p.Expected, targetOrAbsent})
	} else if p.Target != "" {
		list = append(list, Feature{"target", p.Target, targetOrAbsent})
	}
	if p.Where != "" {
		list = append(list, Feature{"where", p.Where, condition})
	}
	if len(list) == 0 {
		return x, nil
	}
	all, err := columns(ctx, dir, list)
	if err != nil {
		return x, fmt.Errorf("%s: %w", dir.Path, err)
	}
	for i, column := range all {
		if int64(len(column)) != dir.Rows() {
			return x, fmt.Errorf("%s=%s has %d values for %d positions", list[i].Name, list[i].SQL, len(column), dir.Rows())
		}
	}
	x.added, all = all[:len(p.Add)], all[len(p.Add):]
	if p.Target+p.Expected != "" {
		x.target, all = all[0], all[1:]
	}
	if p.Where != "" {
		x.where = all[0]
	}
	return x, nil
}

// sqlColumns computes expressions with the query engine.
func sqlColumns(ctx context.Context, dir *datasets.Dir, features []Feature) (columns [][]float64, err error) {
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := db.Close(); err == nil {
			err = cerr
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
	return db.Columns(ctx, dir, named)
}
