package clean

import (
	"fmt"
	"iter"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/schemas"
)

// stream reads the rows of a table one after the other, a row group in memory.
type stream struct {
	more  func() (bool, error) // reads the next row group, if there is one
	close func()
	batch *columns.Batch
	row   int
	n     int64 // rows of a table next to the parts
}

// streamOf reads the parts of a dataset.
func streamOf(d *datasets.Dir) *stream {
	s := &stream{batch: columns.NewBatch(d.Table)}
	next, stop := iter.Pull2(d.Groups(s.batch))
	s.more, s.close = func() (bool, error) {
		_, err, ok := next()
		return ok, err
	}, stop
	return s
}

// openTable reads a table next to the parts.
func openTable(d *datasets.Dir, name string, t schemas.Table) (*stream, error) {
	part, err := d.OpenTable(name, t)
	if err != nil {
		return nil, fmt.Errorf("%w (only datasets made by kifu clean can be undone)", err)
	}
	group := -1
	s := &stream{batch: columns.NewBatch(t), n: part.NumRows(), close: func() { part.Close() }}
	s.more = func() (bool, error) {
		if group++; group >= part.RowGroups() {
			return false, nil
		}
		return true, part.Read(group, s.batch)
	}
	return s, nil
}

// at returns the present row, a nil batch at the end.
func (s *stream) at() (*columns.Batch, int, error) {
	for s.row >= s.batch.Rows {
		if ok, err := s.more(); !ok || err != nil {
			return nil, 0, err
		}
		s.row = 0
	}
	return s.batch, s.row, nil
}

// next goes on to the next row.
func (s *stream) next() { s.row++ }
