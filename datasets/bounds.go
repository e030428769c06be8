package datasets

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"
)

// OpenPartUnchecked is OpenPart for who wants a few rows: a part that would have to be compared as a
// whole is not, only its columns and the number of its rows.
func (d *Dir) OpenPartUnchecked(i int) (*Part, error) {
	if d.of != nil {
		return d.openMember(i, (*Dir).OpenPartUnchecked)
	}
	info, err := d.Info(i)
	if err != nil {
		return nil, err
	}
	if info.Footer.SHA256 != "" {
		return d.OpenPart(i)
	}
	return d.openFitting(info)
}

// Bounds returns the least and the greatest value of a column of 64 unsigned bits in a row group,
// as the footer has them. It has none (ok is false) where the rows are in another order.
func (p *Part) Bounds(rowGroup int, column string) (least, greatest uint64, ok bool) {
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
	if column == gameID {
		from = uint64(p.gamesFrom)
	}
	return from + binary.LittleEndian.Uint64(s.MinValue), from + binary.LittleEndian.Uint64(s.MaxValue), true
}
