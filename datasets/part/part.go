// Package part reads one Parquet file: a part of a dataset, or a file that may be anybody's.
//
// In: a file. Out: the columns of its row groups, compared with the checksums in its footer and with the domains of the
// columns. It does not know datasets and their manifests, and writes nothing: that is package columns.
package part

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// File is an open Parquet file. Read may be called from several goroutines.
type File struct {
	Sums      *Sums // what is compared; nil: nothing
	GamesFrom int64 // added to game_id

	name   string // for errors
	file   *os.File
	size   int64
	pf     *parquet.File
	leafOf map[string]int
}

// GameID is the column to which GamesFrom is added.
const GameID = "game_id"

// Open opens the file at path, of that size; errors call it name.
func Open(path, name string, size int64) (_ *File, err error) {
	p := &File{name: name, size: size, leafOf: map[string]int{}}
	if p.file, err = os.Open(path); err != nil {
		return nil, fmt.Errorf("%w (the dataset is not whole: build it again with --force)", err)
	}
	defer func() {
		if err = damaged(recover(), err); err != nil {
			p.Close()
			err = fmt.Errorf("%s: damaged: %w", name, err)
		}
	}()
	if p.pf, err = Parquet(p.file, size); err != nil {
		return nil, err
	}
	for at, path := range p.pf.Schema().Columns() {
		if _, seen := p.leafOf[path[0]]; !seen {
			p.leafOf[path[0]] = at
		}
	}
	return p, nil
}

// damaged makes an error of a panic: the Parquet library panics on some damaged files.
func damaged(panicked any, err error) error {
	if panicked != nil {
		return fmt.Errorf("%v", panicked)
	}
	return err
}

// Fits returns an error unless p has these columns and so many rows, as the manifest has.
func (p *File) Fits(t schemas.Table, rows int64) (err error) {
	defer func() {
		if err = damaged(recover(), err); err != nil {
			err = fmt.Errorf("%s: %w", p.name, err)
		}
	}()
	if n := p.NumRows(); n != rows {
		return fmt.Errorf("%d rows; the manifest has %d", n, rows)
	}
	has, want := p.pf.Schema(), columns.Schema(t)
	if !slices.EqualFunc(has.Columns(), want.Columns(), slices.Equal) {
		return fmt.Errorf("it has the columns %v, the manifest %v", has.Columns(), want.Columns())
	}
	for _, path := range want.Columns() {
		h, _ := has.Lookup(path...)
		w, _ := want.Lookup(path...)
		ht, wt := h.Node.Type(), w.Node.Type()
		if ht.Kind() != wt.Kind() || ht.Length() != wt.Length() || h.MaxRepetitionLevel != w.MaxRepetitionLevel || h.MaxDefinitionLevel != w.MaxDefinitionLevel {
			return fmt.Errorf("column %s is %v; the manifest has %v", path[0], h.Node, w.Node)
		}
	}
	return nil
}

// Close closes the file.
func (p *File) Close() error { return p.file.Close() }

// NumRows returns the number of rows.
func (p *File) NumRows() int64 { return p.pf.NumRows() }

// RowGroups returns the number of row groups.
func (p *File) RowGroups() int { return len(p.pf.RowGroups()) }

// Rows returns the number of rows in a row group.
func (p *File) Rows(rowGroup int) int64 { return p.pf.RowGroups()[rowGroup].NumRows() }

// Slow is called before a row group is read: by it tests have slow disks.
var Slow = func() {}

// Read fills the columns of b with a row group, page by page. A value outside the domain of its
// column is an error.
func (p *File) Read(rowGroup int, b *columns.Batch) (err error) {
	return p.Take(rowGroup, b, nil)
}

// ReadRows fills the columns of b with rows of a row group, which ascend, from the pages that have them. It compares the checksums of these pages
// alone: for a few rows of many columns.
func (p *File) ReadRows(rowGroup int, rows []int, b *columns.Batch) (err error) {
	defer func() {
		if err = damaged(recover(), err); err != nil {
			err = fmt.Errorf("%s: damaged: row group %d: %w", p.name, rowGroup, err)
		}
	}()
	Slow()
	b.Reset()
	chunks := p.pf.RowGroups()[rowGroup].ColumnChunks()
	for i := range b.Cols {
		v := &b.Cols[i]
		at, ok := p.leafOf[v.Column.Name]
		if !ok {
			return fmt.Errorf("no column %s", v.Column.Name)
		}
		if err := v.ReadRows(chunks[at:], rows); err != nil {
			return fmt.Errorf("column %s: %w", v.Column.Name, err)
		}
	}
	b.Rows = len(rows)
	if f := b.Outside(); f != nil {
		return fmt.Errorf("row %d, column %s: %s: no version of kifu writes this value: make the dataset again from its inputs", p.rowsBefore(rowGroup)+int64(rows[f.Row])+1, f.Column, f.What)
	}
	p.shift(b)
	return nil
}

// shift adds GamesFrom to the games of b.
func (p *File) shift(b *columns.Batch) {
	if p.GamesFrom != 0 && slices.ContainsFunc(b.Cols, func(v columns.Vec) bool { return v.Column.Name == GameID }) {
		ids := b.Col(GameID).Int64
		for i := range ids {
			ids[i] += p.GamesFrom
		}
	}
}

// Take is Read. Given names, it reads the values of these columns alone, and fills all as they
// are stored, if that can be copied.
func (p *File) Take(rowGroup int, b *columns.Batch, names []string) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%s: damaged: row group %d: %v", p.name, rowGroup, panicked)
		}
	}()
	Slow()
	b.Reset()
	rg := p.pf.RowGroups()[rowGroup]
	if n := rg.NumRows(); n < 0 || n > columns.MostRows {
		return fmt.Errorf("%s: damaged: row group %d: %d rows: a row group of kifu has at most %d", p.name, rowGroup, n, columns.MostRows)
	}
	chunks := rg.ColumnChunks()
	copies := names != nil && p.copies()
	for i := range b.Cols {
		v := &b.Cols[i]
		at, ok := p.leafOf[v.Column.Name]
		if !ok {
			return fmt.Errorf("%s: no column %s", p.name, v.Column.Name)
		}
		if copies {
			if v.Stored, err = p.stored(rowGroup, at); err != nil {
				return fmt.Errorf("%s: damaged: row group %d, column %s: %w", p.name, rowGroup, v.Column.Name, err)
			}
			if !slices.Contains(names, v.Column.Name) {
				continue
			}
		}
		if err := p.checkColumn(rowGroup, at); err != nil {
			return err
		}
		err := v.Read(chunks[at:])
		if err == nil && int64(v.Len()) != rg.NumRows() {
			err = fmt.Errorf("%d of %d rows", v.Len(), rg.NumRows())
		}
		if err != nil {
			return fmt.Errorf("%s: damaged: row group %d, column %s: %w", p.name, rowGroup, v.Column.Name, err)
		}
	}
	b.Rows = int(rg.NumRows())
	if f := b.Outside(); f != nil {
		return fmt.Errorf("%s: row %d, column %s: %s: no version of kifu writes this value: make the dataset again from its inputs",
			p.name, p.rowsBefore(rowGroup)+int64(f.Row)+1, f.Column, f.What)
	}
	p.shift(b)
	return nil
}

// rowsBefore returns the number of rows of p before a row group.
func (p *File) rowsBefore(rowGroup int) (n int64) {
	for _, g := range p.pf.RowGroups()[:rowGroup] {
		n += g.NumRows()
	}
	return n
}

// Bounds returns the least and the greatest value of a column of 64 unsigned bits in a row group,
// as the footer has them. It has none (ok is false) where the rows are in another order.
func (p *File) Bounds(rowGroup int, column string) (least, greatest uint64, ok bool) {
	at, ok := p.leafOf[column]
	if !ok {
		return 0, 0, false
	}
	m := p.pf.Metadata().RowGroups[rowGroup].Columns[at].MetaData
	s := m.Statistics
	if m.Type != format.Int64 || len(s.MinValue) != 8 || len(s.MaxValue) != 8 {
		return 0, 0, false
	}
	from := uint64(0)
	if column == GameID {
		from = uint64(p.GamesFrom)
	}
	return from + binary.LittleEndian.Uint64(s.MinValue), from + binary.LittleEndian.Uint64(s.MaxValue), true
}

// Filled reports whether a row of a row group has a value of a column, as the footer counts its nulls.
func (p *File) Filled(rowGroup int, column string) bool {
	at, ok := p.leafOf[column]
	if !ok {
		return false
	}
	m := p.pf.Metadata().RowGroups[rowGroup].Columns[at].MetaData
	return m.Statistics.NullCount < m.NumValues
}
