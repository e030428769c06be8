package columns

import "github.com/parquet-go/parquet-go/format"

// Stored is a column of a row group as the bytes that a file of kifu has of it. Encode copies them
// where a column passes from one dataset to the next.
type Stored struct {
	rows   int
	leaves []storedLeaf
}

// storedLeaf is one leaf column. The offsets of its chunk count from the first of its bytes.
type storedLeaf struct {
	chunk
	data []byte
}

// NewStored returns a column of that many rows, without its leaf columns.
func NewStored(rows int) *Stored { return &Stored{rows: rows} }

// Add appends the next leaf column: its bytes from its first page on, their offset in the file, and its
// entries in the footer and the page index. bounds is nil for a column without bounds.
func (s *Stored) Add(data []byte, from int64, m *format.ColumnMetaData, bounds *format.ColumnIndex, pages *format.OffsetIndex) {
	ch := chunk{
		Size: m.TotalCompressedSize, PlainSize: m.TotalUncompressedSize, Sum: AddSum(0, data),
		Values: m.NumValues, Nulls: m.Statistics.NullCount, Encoding: m.Encoding[len(m.Encoding)-1],
		Bounded: bounds != nil, Least: m.Statistics.MinValue, Greatest: m.Statistics.MaxValue,
	}
	if m.DictionaryPageOffset > 0 {
		ch.Dictionary = int(m.DataPageOffset - from)
	}
	for i, at := range pages.PageLocations {
		info := pageInfo{Offset: int(at.Offset - from), Size: int(at.CompressedPageSize), Row: int(at.FirstRowIndex)}
		if bounds != nil {
			info.Nulls, info.Empty = int(bounds.NullCounts[i]), bounds.NullPages[i]
			info.Least, info.Greatest = bounds.MinValues[i], bounds.MaxValues[i]
		}
		ch.Pages = append(ch.Pages, info)
	}
	if bounds != nil {
		ch.Ascending, ch.Falls = bounds.BoundaryOrder == format.Ascending, bounds.BoundaryOrder == format.Descending
	}
	s.leaves = append(s.leaves, storedLeaf{ch, data})
}

// Sum returns the checksum of the last leaf column added.
func (s *Stored) Sum() uint64 { return s.leaves[len(s.leaves)-1].Sum }

// copy appends a leaf column's bytes to e.out.
func (e *encoder) copy(l *leaf, s *Stored) chunk {
	from := &s.leaves[l.part]
	ch := from.chunk
	ch.leaf, ch.Offset = l, len(e.out)
	for i := range ch.Pages {
		ch.Pages[i].Offset += ch.Offset
	}
	e.out = append(e.out, from.data...)
	return ch
}
