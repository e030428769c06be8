package features

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/part"
	"kifu/internal/lists"
)

// parquetTable reads a Parquet file of plain columns page by page.
type parquetTable struct {
	path    string
	file    *os.File
	groups  []parquet.RowGroup
	columns []*parquet.Column
	kinds   []kind
	group   int       // the next one
	left    int64     // rows of the present one
	cursors []*cursor // by column, nil for skipped ones
	row     int64     // read so far
}

// cursor iterates over the pages of a column of a row group.
type cursor struct {
	kind     kind
	column   *parquet.Column
	pages    parquet.Pages
	held     cells // of the last page
	at, size int
	scratch  []parquet.Value
}

func openParquet(path string) (_ table, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	pf, err := part.Parquet(f, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &parquetTable{path: path, file: f, groups: pf.RowGroups(), columns: pf.Root().Columns()}, nil
}

func (t *parquetTable) names() []string { return lists.Of(t.columns, (*parquet.Column).Name) }

func (t *parquetTable) want(kinds []kind) error {
	for i, c := range t.columns {
		if err := readable(c, kinds[i]); err != nil {
			return fmt.Errorf("%s, column %s: %w", t.path, c.Name(), err)
		}
	}
	t.kinds, t.cursors = kinds, make([]*cursor, len(kinds))
	return nil
}

// readable returns an error for a column of another kind than k.
func readable(c *parquet.Column, k kind) error {
	if k == skipped {
		return nil
	}
	if !c.Leaf() || c.Repeated() {
		return errors.New("a list or a structure is not a feature: give each number a column of its own")
	}
	if l := c.Type().LogicalType(); l != nil {
		switch l.Value.(type) {
		case nil, *format.IntType, *format.StringType, *format.EnumType:
		default:
			return fmt.Errorf("cannot read a %s: store it as DOUBLE", l)
		}
	}
	switch c.Type().Kind() {
	case parquet.Boolean, parquet.Int32, parquet.Int64, parquet.Float, parquet.Double:
		return nil
	case parquet.ByteArray:
		if k == text {
			return nil
		}
	}
	return fmt.Errorf("a %s is not a number: omit the column with --ignore", c.Type())
}

func (t *parquetTable) close() error {
	t.closeGroup()
	return t.file.Close()
}

func (t *parquetTable) closeGroup() {
	for i, c := range t.cursors {
		if c != nil {
			c.pages.Close()
			t.cursors[i] = nil
		}
	}
}

func (t *parquetTable) openGroup() {
	t.closeGroup()
	chunks := t.groups[t.group].ColumnChunks()
	for i, c := range t.columns {
		if t.kinds[i] != skipped {
			t.cursors[i] = &cursor{kind: t.kinds[i], column: c, pages: chunks[c.Index()].Pages()}
		}
	}
	t.left = t.groups[t.group].NumRows()
	t.group++
}

func (t *parquetTable) read(b *block) error {
	for t.left == 0 {
		if t.group == len(t.groups) {
			return io.EOF
		}
		t.openGroup()
	}
	b.rows = int(min(t.left, blockRows))
	for i, c := range t.cursors {
		if c == nil {
			continue
		}
		if err := c.appendCells(b.rows, &b.cells[i]); err != nil {
			return fmt.Errorf("%s, column %s: %w", t.path, c.column.Name(), err)
		}
	}
	for i := range b.rows {
		b.where = append(b.where, t.row+int64(i)+1)
	}
	t.row, t.left = t.row+int64(b.rows), t.left-int64(b.rows)
	return nil
}

// appendCells appends the next n cells to out.
func (c *cursor) appendCells(n int, out *cells) error {
	for n > 0 {
		if c.at == c.size {
			if err := c.load(); err != nil {
				return err
			}
		}
		m := min(n, c.size-c.at)
		if c.kind == number {
			out.numbers = append(out.numbers, c.held.numbers[c.at:c.at+m]...)
		} else {
			for i := c.at; i < c.at+m; i++ {
				out.addText(c.held.text(i))
			}
		}
		c.at, n = c.at+m, n-m
	}
	return nil
}

// load reads the next page.
func (c *cursor) load() error {
	page, err := c.pages.ReadPage()
	if err == io.EOF {
		return errors.New("fewer values than rows: the file is damaged")
	}
	if err != nil {
		return err
	}
	defer parquet.Release(page)
	c.held.numbers, c.held.texts, c.held.ends = c.held.numbers[:0], c.held.texts[:0], c.held.ends[:0]
	c.at, c.size = 0, int(page.NumValues())
	if c.kind == number && page.NumNulls() == 0 && c.plain(page) {
		return nil
	}
	c.scratch = append(c.scratch[:0], make([]parquet.Value, c.size)...)
	if n, err := page.Values().ReadValues(c.scratch); n < c.size {
		return fmt.Errorf("a page with %d of %d values: %w", n, c.size, err)
	}
	for _, v := range c.scratch {
		if c.kind == number {
			c.held.numbers = append(c.held.numbers, c.number(v))
		} else {
			c.held.addText(spell(v))
		}
	}
	return nil
}

// plain copies a page without nulls as a whole, if its type allows it.
func (c *cursor) plain(page parquet.Page) bool {
	switch c.column.Type().Kind() {
	case parquet.Int32:
		appendAll(c, page, (*encoding.Values).Int32)
	case parquet.Int64:
		appendAll(c, page, (*encoding.Values).Int64)
	case parquet.Float:
		appendAll(c, page, (*encoding.Values).Float)
	case parquet.Double:
		appendAll(c, page, (*encoding.Values).Double)
	default:
		return false
	}
	return len(c.held.numbers) == c.size
}

func appendAll[T int32 | int64 | float32 | float64](c *cursor, page parquet.Page, of func(*encoding.Values) []T) {
	data := page.Data()
	if dict := page.Dictionary(); dict != nil {
		entries := dict.Page().Data()
		all := of(&entries)
		for _, i := range data.Int32() {
			c.held.numbers = append(c.held.numbers, float64(all[i]))
		}
		return
	}
	for _, x := range of(&data) {
		c.held.numbers = append(c.held.numbers, float64(x))
	}
}

func (c *cursor) number(v parquet.Value) float64 {
	switch v.Kind() {
	case parquet.Boolean:
		if v.Boolean() {
			return 1
		}
		return 0
	case parquet.Int32:
		return float64(v.Int32())
	case parquet.Int64:
		return float64(v.Int64())
	case parquet.Float:
		return float64(v.Float())
	case parquet.Double:
		return v.Double()
	}
	return missing
}

// spell writes a cell of a column of games or results as it would be in CSV.
func spell(v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.ByteArray:
		return v.ByteArray()
	case parquet.Int32, parquet.Int64:
		return strconv.AppendInt(nil, v.Int64(), 10)
	case parquet.Float, parquet.Double:
		if v.Kind() == parquet.Float {
			return strconv.AppendFloat(nil, float64(v.Float()), 'g', -1, 32)
		}
		return strconv.AppendFloat(nil, v.Double(), 'g', -1, 64)
	}
	return nil // missing
}
