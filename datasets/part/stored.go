package part

import (
	"errors"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
)

// copies reports whether the bytes of p's columns can be those of another part: kifu wrote them with
// checksums, and all values are wanted unchanged.
func (p *File) copies() bool {
	_, sums := p.pf.Lookup(columns.SumsKey)
	return sums && p.GamesFrom == 0
}

// stored returns the column of a row group whose first leaf column is leaf as the file has it.
func (p *File) stored(rowGroup, leaf int) (*columns.Stored, error) {
	group := &p.pf.Metadata().RowGroups[rowGroup]
	s := columns.NewStored(int(group.NumRows))
	for at := leaf; at < leaf+p.leavesFrom(leaf); at++ {
		c := &group.Columns[at]
		data, err := p.bytes(begin(&c.MetaData), c.MetaData.TotalCompressedSize)
		if err != nil {
			return nil, err
		}
		var bounds *format.ColumnIndex
		if c.ColumnIndexOffset > 0 {
			bounds = new(format.ColumnIndex)
			if err := p.index(c.ColumnIndexOffset, c.ColumnIndexLength, bounds); err != nil {
				return nil, err
			}
		}
		var pages format.OffsetIndex
		if err := p.index(c.OffsetIndexOffset, c.OffsetIndexLength, &pages); err != nil {
			return nil, err
		}
		s.Add(data, begin(&c.MetaData), &c.MetaData, bounds, &pages)
		if p.Sums.known() && s.Sum() != p.Sums.sums[rowGroup*len(group.Columns)+at] {
			return nil, errSum
		}
	}
	return s, nil
}

// index reads an index of pages, which may claim more than it has.
func (p *File) index(from int64, size int32, x any) error {
	text, err := p.bytes(from, int64(size))
	if err == nil {
		err = (&claims{text}).structure(0)
	}
	if err == nil {
		err = thrift.Unmarshal(new(thrift.CompactProtocol), text, x)
	}
	return err
}

// bytes reads size bytes of the file.
func (p *File) bytes(from, size int64) ([]byte, error) {
	if from < 0 || size < 0 || from > p.size || size > p.size-from {
		return nil, errors.New("bytes beyond the file")
	}
	data := make([]byte, size)
	_, err := p.file.ReadAt(data, from)
	return data, err
}
