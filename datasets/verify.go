package datasets

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/schemas"
)

// Verify compares every part and file with the manifest's checksums, their columns and rows with
// the manifest, and every value with its column's domain. With a memory (WithMemory) files that are
// unchanged since they were last verified are not read again. Of a dataset in object storage local
// copies are made, with a memory those that are not there already.
func (d *Dir) Verify(ctx context.Context) error {
	for _, one := range d.of {
		if err := one.Verify(ctx); err != nil {
			return err
		}
	}
	if d.of != nil {
		return nil
	}
	return d.files.verify(ctx, d)
}

// checkPart compares all of part i.
func (d *Dir) checkPart(past *checked.Memory, i int, p manifest.Part) error {
	known, err := past.Check(p.File, d.Path)
	if err == nil && !known {
		var opened *Part
		if opened, err = d.openFitting(p); err == nil {
			err = errors.Join(opened.CheckColumns(d.Table, d.names()), opened.Close())
		}
	}
	if err == nil {
		d.checked[i].Store(&part.Sums{})
	}
	return err
}

// VerifyColumns is Verify for a reader of only these columns. In parts with checksums by column it verifies
// the footers and these columns; other parts, and the files next to them, in full. What d has verified before
// is skipped.
func (d *Dir) VerifyColumns(ctx context.Context, columns ...string) error {
	for _, one := range d.of {
		if err := one.VerifyColumns(ctx, columns...); err != nil {
			return err
		}
	}
	if d.of != nil {
		return nil
	}
	d.verifying.Lock()
	defer d.verifying.Unlock()
	if d.verified != nil && (d.verified[everyColumn] || !slices.ContainsFunc(columns, func(c string) bool { return !d.verified[c] })) {
		return nil
	}
	verified := map[string]bool{everyColumn: true}
	var err error
	if !d.files.local() || checked.IsThorough(ctx) {
		err = d.Verify(ctx)
	} else {
		verified[everyColumn] = false
		files := d.Manifest.Files
		if d.verified != nil {
			files = nil
		}
		err = d.compare(ctx, files, func(past *checked.Memory, i int, p manifest.Part) error {
			if p.Footer.SHA256 == "" {
				return d.checkPart(past, i, p)
			}
			return past.CheckColumns(p.File, d.Path, columns, func(columns []string) error { return d.checkColumns(i, columns) })
		})
	}
	if err != nil {
		return err
	}
	for c := range d.verified {
		verified[c] = verified[c] || d.verified[c]
	}
	for _, c := range columns {
		verified[c] = true
	}
	d.verified = verified
	return nil
}

// Verified reports whether all columns of d were verified.
func (d *Dir) Verified() bool {
	if d.of != nil {
		return !slices.ContainsFunc(d.of, func(one *Dir) bool { return !one.Verified() })
	}
	d.verifying.Lock()
	defer d.verifying.Unlock()
	return d.verified[everyColumn] || d.verified != nil && !slices.ContainsFunc(d.Table.Columns, func(c schemas.Column) bool { return !d.verified[c.Name] })
}

// everyColumn is the name of no column.
const everyColumn = ""

// checkColumns compares the footer of part i and these columns.
func (d *Dir) checkColumns(i int, columns []string) error {
	p, err := d.OpenPart(i)
	if err != nil {
		return err
	}
	defer p.Close()
	return p.CheckColumns(d.Table, columns)
}

// compare calls part for every part, several at once, and compares files.
func (d *Dir) compare(ctx context.Context, files []checked.File, part func(past *checked.Memory, i int, p manifest.Part) error) error {
	past := checked.Recall(ctx, d.Path)
	defer past.Save()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	do := func(f func() error) {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f()
		})
	}
	err := d.entries.Each(func(i int, p manifest.Part) error {
		do(func() error { return part(past, i, p) })
		return ctx.Err()
	})
	for _, f := range files {
		do(func() error {
			_, err := past.Check(f, d.Path)
			return err
		})
	}
	return cmp.Or(g.Wait(), err)
}
