package clean

import (
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/schemas"
)

// stream reads the rows of a table one after the other, a row group in memory.
type stream struct {
	parts []func() (*datasets.Part, error) // still to be opened
	part  *datasets.Part
	group int // of part, the next to be read
	batch *columns.Batch
	row   int
	n     int64 // rows of a table next to the parts
}

// streamOf reads the parts of a dataset.
func streamOf(d *datasets.Dir) *stream {
	s := &stream{batch: columns.NewBatch(d.Table)}
	for i := range d.NumParts() {
		s.parts = append(s.parts, func() (*datasets.Part, error) { return d.OpenPart(i) })
	}
	return s
}

// openTable reads a table next to the parts.
func openTable(d *datasets.Dir, name string, t schemas.Table) (*stream, error) {
	part, err := d.OpenTable(name, t)
	if err != nil {
		return nil, fmt.Errorf("%w (only datasets made by kifu clean can be undone)", err)
	}
	s := &stream{part: part, batch: columns.NewBatch(t)}
	for g := range part.RowGroups() {
		s.n += part.Rows(g)
	}
	return s, nil
}

// at returns the present row, a nil batch at the end.
func (s *stream) at() (*columns.Batch, int, error) {
	for s.row >= s.batch.Rows {
		switch {
		case s.part != nil && s.group < s.part.RowGroups():
			if err := s.part.Read(s.group, s.batch); err != nil {
				return nil, 0, err
			}
			s.group++
			s.row = 0
		case len(s.parts) > 0:
			s.close()
			var err error
			if s.part, err = s.parts[0](); err != nil {
				return nil, 0, err
			}
			s.parts, s.group = s.parts[1:], 0
		default:
			return nil, 0, nil
		}
	}
	return s.batch, s.row, nil
}

// next goes on to the next row.
func (s *stream) next() { s.row++ }

func (s *stream) close() {
	if s.part != nil {
		s.part.Close()
		s.part = nil
	}
}
