package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/part"
	"kifu/internal/lists"
)

// PartColumns computes expressions over the columns of a dataset, a part at a time. True is 1 and false 0. A null or non-finite
// value is an error that names the expression and counts such rows; coalesce(…, 0) makes a null 0.
//
// DuckDB writes the values, with row numbers, to an uncompressed Parquet file in the temporary directory,
// which is read back by pages. 10 million rows of two expressions take two seconds on two cores.
type PartColumns struct {
	db       *DB
	dir      *datasets.Dir
	exprs    []Named
	list     string
	verified bool
}

// PartColumns looks whether the expressions are numbers of dir, which need not be attached.
func (db *DB) PartColumns(ctx context.Context, dir *datasets.Dir, exprs []Named) (*PartColumns, error) {
	if db.viewOf(dir) == nil {
		if err := db.Attach(ctx, fmt.Sprintf("dataset %d", len(db.views)), dir); err != nil {
			return nil, err
		}
	}
	c := &PartColumns{db: db, dir: dir, exprs: exprs}
	for i, n := range exprs {
		typ, err := db.Expression(ctx, dir, Named{Name: n.Name, SQL: n.wrapped()})
		if err != nil {
			return nil, err
		}
		if typ != "BOOLEAN" && !IsNumber(typ) {
			return nil, n.about(fmt.Errorf("a %s is not a number", typ))
		}
		c.list += fmt.Sprintf(", %s::DOUBLE AS x%d", inner(n.wrapped()), i)
	}
	return c, db.temp.Make()
}

// Append appends the values of the rows of part i, from 0, to the columns, one an expression. One
// goroutine may call it at a time.
func (c *PartColumns) Append(ctx context.Context, all [][]float64, i int) error {
	db := c.db
	path := filepath.Join(db.temp.Path(), "columns.parquet")
	defer os.Remove(path)
	db.shut()
	asked := fmt.Sprintf("SELECT file_row_number::INTEGER AS row%s FROM %s", c.list, source(c.dir, []int{i}, ", file_row_number = true"))
	if !c.verified {
		if err := db.verify(ctx, asked); err != nil { // of all parts
			return err
		}
		c.verified = true
	}
	copying := fmt.Sprintf("COPY (%s) TO %s (FORMAT parquet, COMPRESSION uncompressed)", asked, QuoteText(path))
	if _, err := db.conn.ExecContext(ctx, copying); err != nil {
		return db.only(db.viewOf(c.dir)).explain(ctx, err)
	}
	info, err := c.dir.Info(i)
	if err != nil {
		return err
	}
	if at, err := readColumns(path, all, info.Rows); err == errNoNumber {
		return db.noNumbers(ctx, c.dir, c.exprs[at])
	} else if err != nil {
		return fmt.Errorf("%s: %w", c.dir.PartPaths()[i], err)
	}
	return nil
}

// noNumbers counts the rows in which n has no finite value.
func (db *DB) noNumbers(ctx context.Context, dir *datasets.Dir, n Named) error {
	var nulls, other int64
	count := fmt.Sprintf("SELECT count(*) FILTER (x IS NULL), count(*) FILTER (NOT isfinite(x)) FROM (SELECT %s::DOUBLE AS x FROM %s)", inner(n.wrapped()), QuoteName(db.viewOf(dir).name))
	if err := db.conn.QueryRowContext(ctx, count).Scan(&nulls, &other); err != nil {
		return db.explain(ctx, err)
	}
	if nulls > 0 {
		return n.about(fmt.Errorf("null in %d of %d rows: give it a value there, as in coalesce(%s, 0)", nulls, dir.Rows(), n.SQL))
	}
	return n.about(fmt.Errorf("infinite or not a number in %d of %d rows", other, dir.Rows()))
}

var errNoNumber = errors.New("a null, or a value that is not finite")

// readColumns appends the columns of a file that Columns had written: the row's number,
// then a column an expression. With errNoNumber comes the expression's index.
func readColumns(path string, all [][]float64, rows int64) (at int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	pf, err := part.Parquet(f, info.Size())
	if err != nil {
		return 0, err
	}
	if pf.NumRows() != rows {
		return 0, fmt.Errorf("%d rows of %d came back", pf.NumRows(), rows)
	}
	next := int32(0)
	for _, group := range pf.RowGroups() {
		chunks := group.ColumnChunks()
		err := columns.EachPage(chunks[0], func(page parquet.Page) error {
			for _, n := range values(page, (*encoding.Values).Int32) {
				if n != next {
					return fmt.Errorf("row %d came back instead of row %d", n, next)
				}
				next++
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		for i := range all {
			err := columns.EachPage(chunks[i+1], func(page parquet.Page) error {
				if page.NumNulls() > 0 {
					return errNoNumber
				}
				for _, x := range values(page, (*encoding.Values).Double) {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						return errNoNumber
					}
					all[i] = append(all[i], x)
				}
				return nil
			})
			if err != nil {
				return i, err
			}
		}
	}
	return 0, nil
}

// values returns the values of a page, taken from its dictionary when it has one. They are the
// page's own when it has none.
func values[T any](page parquet.Page, of func(*encoding.Values) []T) []T {
	data := page.Data()
	dict := page.Dictionary()
	if dict == nil {
		return of(&data)
	}
	entries := dict.Page().Data()
	all := of(&entries)
	return lists.Of(data.Int32(), func(i int32) T { return all[i] })
}
