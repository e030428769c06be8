package datasets

import (
	"fmt"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// Part is an open Parquet part. Read may be called from several goroutines.
type Part struct {
	Info   PartInfo
	path   string // for errors
	file   *os.File
	pf     *parquet.File
	leafOf map[string]int
	seen   *seen  // what was compared; nil: nothing shall be
	done   func() // with the local copy of an object

	gamesFrom int64 // added to game_id
}

// OpenPart opens part i of d. When d opens it for the first time its footer, its columns and its
// rows are compared with the manifest, and each column chunk with its checksum when it is read,
// as what was damaged might be averaged in. A part of an earlier version has no such checksums:
// all of it is compared before it is opened.
func (d *Dir) OpenPart(i int) (*Part, error) {
	if d.of != nil {
		return d.openMember(i, (*Dir).OpenPart)
	}
	info, err := d.Info(i)
	if err != nil {
		return nil, err
	}
	if s := d.checked[i].Load(); s != nil {
		p, err := d.openPart(info)
		if err == nil {
			p.seen = s
		}
		return p, err
	}
	sums := info.Footer.SHA256 != "" && !d.thorough && d.files.local()
	switch {
	case sums:
		err = info.checkFooter(d.Path)
	default:
		err = d.files.compare(info.File)
	}
	if err != nil {
		return nil, err
	}
	p, err := d.openFitting(info)
	if err != nil {
		return nil, err
	}
	s := &seen{}
	if sums {
		if s, err = p.readSums(); err != nil {
			p.Close()
			return nil, err
		}
	}
	if !d.checked[i].CompareAndSwap(nil, s) {
		s = d.checked[i].Load()
	}
	p.seen = s
	return p, nil
}

// OpenTable opens a table that a step wrote by Builder.AddTable, after verifying its checksum and its
// columns.
func (d *Dir) OpenTable(name string, t schemas.Table) (*Part, error) {
	for _, f := range d.Manifest.Files {
		if f.Name != name {
			continue
		}
		d := d.first()
		if err := d.files.compare(f); err != nil {
			return nil, err
		}
		p, err := d.openPart(PartInfo{File: f})
		if err != nil {
			return nil, err
		}
		p.Info.Rows = p.pf.NumRows()
		if err := p.fits(t); err != nil {
			p.Close()
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("%s has no table %s", d.Path, name)
}

// openFitting opens a part that has the columns and rows of the manifest.
func (d *Dir) openFitting(info PartInfo) (*Part, error) {
	p, err := d.openPart(info)
	if err != nil {
		return nil, err
	}
	if err := p.fits(d.Table); err != nil {
		p.Close()
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	return p, nil
}

func (d *Dir) openPart(info PartInfo) (_ *Part, err error) {
	p := &Part{Info: info, leafOf: map[string]int{}, path: d.files.name(info.Name)}
	path, release, err := d.files.fetch(info.File, false)
	if err != nil {
		return nil, err
	}
	p.done = release
	if p.file, err = os.Open(path); err != nil {
		release()
		return nil, fmt.Errorf("%w (the dataset is not whole: build it again with --force)", err)
	}
	defer func() {
		if err = damaged(recover(), err); err != nil {
			p.Close()
			err = fmt.Errorf("%s: damaged: %w", p.path, err)
		}
	}()
	if p.pf, err = OpenParquet(p.file, info.Bytes); err != nil {
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

// fits compares the columns and rows of p with those that the manifest has.
func (p *Part) fits(t schemas.Table) (err error) {
	defer func() { err = damaged(recover(), err) }()
	if n := p.pf.NumRows(); n != p.Info.Rows {
		return fmt.Errorf("%d rows; the manifest has %d", n, p.Info.Rows)
	}
	has, want := p.pf.Schema(), columns.Schema(t)
	if !slices.EqualFunc(has.Columns(), want.Columns(), slices.Equal) {
		return fmt.Errorf("columns %v; the manifest has %v", has.Columns(), want.Columns())
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

// Close closes the part.
func (p *Part) Close() error {
	defer p.done()
	return p.file.Close()
}

// RowGroups returns the number of row groups.
func (p *Part) RowGroups() int { return len(p.pf.RowGroups()) }

// Rows returns the number of rows in a row group.
func (p *Part) Rows(rowGroup int) int64 { return p.pf.RowGroups()[rowGroup].NumRows() }

// Slow is called before a row group is read: by it tests have slow disks.
var Slow = func() {}

// Read fills the columns of b with a row group, page by page. A value outside the domain of its
// column is an error.
func (p *Part) Read(rowGroup int, b *columns.Batch) (err error) {
	return p.take(rowGroup, b, nil)
}

// take implements Read. Given names, it reads the values of these columns alone, and fills all as they
// are stored, if that can be copied.
func (p *Part) take(rowGroup int, b *columns.Batch, names []string) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%s: damaged: row group %d: %v", p.path, rowGroup, panicked)
		}
	}()
	Slow()
	b.Reset()
	rg := p.pf.RowGroups()[rowGroup]
	if n := rg.NumRows(); n < 0 || n > columns.MostRows {
		return fmt.Errorf("%s: damaged: row group %d: %d rows: a row group of kifu has at most %d", p.path, rowGroup, n, columns.MostRows)
	}
	chunks := rg.ColumnChunks()
	copies := names != nil && p.copies()
	for i := range b.Cols {
		v := &b.Cols[i]
		at, ok := p.leafOf[v.Column.Name]
		if !ok {
			return fmt.Errorf("%s: no column %s", p.path, v.Column.Name)
		}
		if copies {
			if v.Stored, err = p.stored(rowGroup, at); err != nil {
				return fmt.Errorf("%s: damaged: row group %d, column %s: %w", p.path, rowGroup, v.Column.Name, err)
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
			return fmt.Errorf("%s: damaged: row group %d, column %s: %w", p.path, rowGroup, v.Column.Name, err)
		}
	}
	b.Rows = int(rg.NumRows())
	if f := b.Outside(); f != nil {
		return fmt.Errorf("%s: row %d, column %s: %s: no kifu writes such a value: make the dataset again from its inputs",
			p.path, p.rowsBefore(rowGroup)+int64(f.Row)+1, f.Column, f.What)
	}
	if p.gamesFrom != 0 && slices.ContainsFunc(b.Cols, func(v columns.Vec) bool { return v.Column.Name == gameID }) {
		ids := b.Col(gameID).Int64
		for i := range ids {
			ids[i] += p.gamesFrom
		}
	}
	return nil
}

// rowsBefore returns the number of rows of p before a row group.
func (p *Part) rowsBefore(rowGroup int) (n int64) {
	for _, g := range p.pf.RowGroups()[:rowGroup] {
		n += g.NumRows()
	}
	return n
}
