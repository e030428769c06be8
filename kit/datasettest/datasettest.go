// Package datasettest makes and reads datasets in tests.
//
// In: steps, or batches of rows. Out: opened datasets, and their rows. What fails ends the test. It knows no stage.
package datasettest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
)

// Build makes a dataset in dir and opens it.
func Build(t testing.TB, dir string, s datasets.Step) *datasets.Dir {
	t.Helper()
	if _, _, err := datasets.Build(context.Background(), dir, s, datasets.Options{}); err != nil {
		t.Fatal(err)
	}
	return Open(t, dir)
}

// Open opens a dataset.
func Open(t testing.TB, dir string) *datasets.Dir {
	t.Helper()
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Rows returns the rows of a dataset, of these columns (none: all).
func Rows(t testing.TB, d *datasets.Dir, names ...string) *columns.Batch {
	t.Helper()
	all, b := columns.NewBatch(d.Table, names...), columns.NewBatch(d.Table, names...)
	for _, err := range d.Groups(b) {
		if err != nil {
			t.Fatal(err)
		}
		for c := range all.Cols {
			for row := range b.Rows {
				all.Cols[c].AppendFrom(&b.Cols[c], row)
			}
		}
		all.Rows += b.Rows
	}
	return all
}

// Part writes batches as the row groups of part i. Empty ones are left out.
func Part(out *datasets.Builder, i int, groups ...*columns.Batch) error {
	w, err := out.Part(i)
	if err != nil {
		return err
	}
	n := int64(0)
	for _, b := range groups {
		if n += int64(b.Rows); err == nil && b.Rows > 0 {
			err = w.Put(b)
		}
	}
	return w.End(err, manifest.Counts{Read: n, Written: n}, nil)
}

// Same reports the files that two directories do not have alike.
func Same(t testing.TB, a, b string) {
	t.Helper()
	files, err := os.ReadDir(a)
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files in %s, %v", len(files), a, err)
	}
	for _, f := range files {
		x, err := os.ReadFile(filepath.Join(a, f.Name()))
		y, fault := os.ReadFile(filepath.Join(b, f.Name()))
		if err != nil || fault != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs (%v, %v)", f.Name(), err, fault)
		}
	}
}
