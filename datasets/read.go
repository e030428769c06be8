package datasets

import (
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/datasets/several"
	"kifu/schemas"
)

// Part is an open Parquet part. Read may be called from several goroutines.
type Part struct {
	*part.File
	Info manifest.Part
	done func() // with the local copy of an object
}

// OpenPart opens part i of d. When d first opens it, its footer, columns and rows are compared with
// the manifest. Each column chunk is compared with its checksum when it is read, so damaged values
// are not averaged in. A part of an earlier version has no such checksums: all of it is compared
// before it is opened.
func (d *Dir) OpenPart(i int) (*Part, error) {
	if d.of != nil {
		return d.openMember(i)
	}
	info, err := d.Info(i)
	if err != nil {
		return nil, err
	}
	if s := d.checked[i].Load(); s != nil {
		p, err := d.openPart(info)
		if err == nil {
			p.Sums = s
		}
		return p, err
	}
	sums := info.Footer.SHA256 != "" && !d.thorough && d.files.local()
	switch {
	case sums:
		err = info.CheckFooter(d.Path)
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
	s := &part.Sums{}
	if sums {
		if s, err = p.ReadSums(); err != nil {
			p.Close()
			return nil, err
		}
	}
	if !d.checked[i].CompareAndSwap(nil, s) {
		s = d.checked[i].Load()
	}
	p.Sums = s
	return p, nil
}

// OpenTable opens a table that a step wrote by Builder.AddTable, after verifying its checksum and its
// columns.
func (d *Dir) OpenTable(name string, t schemas.Table) (*Part, error) {
	f, err := d.file(name)
	if err != nil {
		return nil, err
	}
	d = d.first()
	if err := d.files.compare(f); err != nil {
		return nil, err
	}
	p, err := d.openPart(manifest.Part{File: f})
	if err != nil {
		return nil, err
	}
	p.Info.Rows = p.NumRows()
	return p.fitting(t)
}

// openFitting opens a part that has the columns and rows of the manifest.
func (d *Dir) openFitting(info manifest.Part) (*Part, error) {
	p, err := d.openPart(info)
	if err != nil {
		return nil, err
	}
	return p.fitting(d.Table)
}

// fitting returns p if it has the columns of t and its rows.
func (p *Part) fitting(t schemas.Table) (*Part, error) {
	if err := p.Fits(t, p.Info.Rows); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (d *Dir) openPart(info manifest.Part) (*Part, error) {
	path, release, err := d.files.Fetch(info.File, false)
	if err != nil {
		return nil, err
	}
	p := &Part{Info: info, done: release}
	if p.File, err = part.Open(path, d.files.Name(info.Name), info.Bytes); err != nil {
		release()
		return nil, err
	}
	return p, nil
}

// Close closes the part.
func (p *Part) Close() error {
	defer p.done()
	return p.File.Close()
}

// GamesFrom returns what is added to game_id of the rows of part i as its file has them.
func (d *Dir) GamesFrom(i int) int64 {
	if d.of == nil {
		return 0
	}
	_, _, number := d.member(i)
	return int64(number) * several.GamesApart
}

// openMember opens part i of several.
func (d *Dir) openMember(i int) (*Part, error) {
	of, number, _ := d.member(i)
	p, err := of.OpenPart(number)
	if err == nil {
		p.GamesFrom = d.GamesFrom(i)
	}
	return p, err
}
