package datasets

import (
	"os"
	"path/filepath"

	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/part"
	"kifu/schemas"
)

// OpenFile opens a Parquet file that this process wrote itself as a dataset of one part: its columns
// are t's, which may be nullable in the file. It compares no checksums, and the dataset has no key.
func OpenFile(path string, t schemas.Table) (*Dir, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	pf, err := part.Parquet(f, info.Size())
	if err != nil {
		return nil, err
	}
	one := manifest.Part{File: checked.File{Name: filepath.Base(path), Bytes: info.Size()}, Rows: pf.NumRows()}
	dir, m := filepath.Dir(path), &manifest.Manifest{Schema: t.ID(), Parts: []manifest.Part{one}}
	d, err := newDir(dir, m, folder(dir), m.Entries(dir))
	if err != nil {
		return nil, err
	}
	d.Table = t
	d.checked[0].Store(&part.Sums{})
	return d, nil
}
