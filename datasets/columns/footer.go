package columns

import (
	"encoding/binary"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"kifu/schemas"
)

// Magic begins and ends a Parquet file.
const Magic = "PAR1"

// footer collects what follows the row groups of a Parquet file: the page index
// and the metadata.
type footer struct {
	meta   format.FileMetaData
	groups [][]chunk
	starts []int64 // where the bytes of each row group begin
	sorted []format.SortingColumn
}

// newFooter takes the schema from the Parquet library; by is the program that writes.
func newFooter(t schemas.Table, schema *parquet.Schema, by string) (*footer, error) {
	w := parquet.NewGenericWriter[any](io.Discard, schema)
	if err := w.Close(); err != nil {
		return nil, err
	}
	meta := w.File().Metadata()
	return &footer{sorted: sortingColumns(t), meta: format.FileMetaData{
		Version: 2, Schema: meta.Schema, ColumnOrders: meta.ColumnOrders, CreatedBy: by,
		KeyValueMetadata: []format.KeyValue{{Key: "kifu.schema", Value: t.ID()}},
	}}, nil
}

// sortingColumns names the leaf columns by which the rows of t ascend.
func sortingColumns(t schemas.Table) []format.SortingColumn {
	var all []format.SortingColumn
	for _, name := range t.Sorted {
		leaf := 0
		for _, c := range t.Columns[:t.Index(name)] {
			leaf += leaves(c.Type)
		}
		all = append(all, format.SortingColumn{ColumnIdx: int32(leaf)})
	}
	return all
}

// add notes a row group whose bytes begin at an offset of the file.
func (f *footer) add(offset int64, rows int64, chunks []chunk) {
	group := format.RowGroup{NumRows: rows, FileOffset: offset, Ordinal: int16(len(f.groups)), SortingColumns: f.sorted}
	for i := range chunks {
		ch := &chunks[i]
		at := offset + int64(ch.offset)
		m := format.ColumnMetaData{
			Type: ch.leaf.kind, PathInSchema: ch.leaf.path, Codec: format.Zstd, NumValues: ch.values,
			TotalUncompressedSize: ch.plainSize, TotalCompressedSize: ch.size,
			DataPageOffset: at + int64(ch.dictionary),
			Statistics:     format.Statistics{NullCount: ch.nulls, MinValue: ch.least, MaxValue: ch.greatest},
		}
		if ch.leaf.maxDef > 0 {
			m.Encoding = append(m.Encoding, format.RLE)
		}
		if ch.dictionary > 0 {
			m.DictionaryPageOffset = at
			m.Encoding = append(m.Encoding, format.Plain)
			m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		}
		m.Encoding = append(m.Encoding, ch.encoding)
		m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DataPageV2, Encoding: ch.encoding, Count: int32(len(ch.pages))})
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: m})
		group.TotalByteSize += ch.plainSize
		group.TotalCompressedSize += ch.size
	}
	f.meta.NumRows += rows
	f.meta.RowGroups = append(f.meta.RowGroups, group)
	f.groups = append(f.groups, chunks)
	f.starts = append(f.starts, offset)
}

// append appends the footer of a file whose row groups end at offset.
func (f *footer) append(dst []byte, offset int64) ([]byte, error) {
	put := func(x any) (at int64, size int32, err error) {
		data, err := thrift.Marshal(new(thrift.CompactProtocol), x)
		at = offset + int64(len(dst))
		dst = append(dst, data...)
		return at, int32(len(data)), err
	}
	var err error
	for g, chunks := range f.groups {
		for i := range chunks {
			c := &f.meta.RowGroups[g].Columns[i]
			if !chunks[i].bounded {
				continue
			}
			if c.ColumnIndexOffset, c.ColumnIndexLength, err = put(chunks[i].columnIndex()); err != nil {
				return nil, err
			}
		}
	}
	for g, chunks := range f.groups {
		for i := range chunks {
			c := &f.meta.RowGroups[g].Columns[i]
			if c.OffsetIndexOffset, c.OffsetIndexLength, err = put(chunks[i].offsetIndex(f.starts[g])); err != nil {
				return nil, err
			}
		}
	}
	f.meta.KeyValueMetadata = append(f.meta.KeyValueMetadata, format.KeyValue{Key: SumsKey, Value: f.sums()})
	_, size, err := put(&f.meta)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	return append(dst, Magic...), err
}

func (ch *chunk) columnIndex() *format.ColumnIndex {
	x := &format.ColumnIndex{}
	for _, p := range ch.pages {
		x.NullPages = append(x.NullPages, p.empty)
		x.MinValues = append(x.MinValues, p.least)
		x.MaxValues = append(x.MaxValues, p.greatest)
		x.NullCounts = append(x.NullCounts, int64(p.nulls))
	}
	switch {
	case ch.ascending:
		x.BoundaryOrder = format.Ascending
	case ch.falls:
		x.BoundaryOrder = format.Descending
	}
	return x
}

func (ch *chunk) offsetIndex(start int64) *format.OffsetIndex {
	x := &format.OffsetIndex{}
	for _, p := range ch.pages {
		x.PageLocations = append(x.PageLocations, format.PageLocation{
			Offset: start + int64(p.offset), CompressedPageSize: int32(p.size), FirstRowIndex: int64(p.row),
		})
	}
	return x
}
