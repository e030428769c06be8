package columns

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
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
		at := offset + int64(ch.Offset)
		m := format.ColumnMetaData{
			Type: ch.leaf.kind, PathInSchema: ch.leaf.path, Codec: format.Zstd, NumValues: ch.Values,
			TotalUncompressedSize: ch.PlainSize, TotalCompressedSize: ch.Size,
			DataPageOffset: at + int64(ch.Dictionary),
			Statistics:     format.Statistics{NullCount: ch.Nulls, MinValue: ch.Least, MaxValue: ch.Greatest},
		}
		if ch.leaf.maxDef > 0 {
			m.Encoding = append(m.Encoding, format.RLE)
		}
		if ch.Dictionary > 0 {
			m.DictionaryPageOffset = at
			m.Encoding = append(m.Encoding, format.Plain)
			m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: 1})
		}
		m.Encoding = append(m.Encoding, ch.Encoding)
		m.EncodingStats = append(m.EncodingStats, format.PageEncodingStats{PageType: format.DataPageV2, Encoding: ch.Encoding, Count: int32(len(ch.Pages))})
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: m})
		group.TotalByteSize += ch.PlainSize
		group.TotalCompressedSize += ch.Size
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
			if !chunks[i].Bounded {
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
	for _, p := range ch.Pages {
		x.NullPages = append(x.NullPages, p.Empty)
		x.MinValues = append(x.MinValues, p.Least)
		x.MaxValues = append(x.MaxValues, p.Greatest)
		x.NullCounts = append(x.NullCounts, int64(p.Nulls))
	}
	switch {
	case ch.Ascending:
		x.BoundaryOrder = format.Ascending
	case ch.Falls:
		x.BoundaryOrder = format.Descending
	}
	return x
}

func (ch *chunk) offsetIndex(start int64) *format.OffsetIndex {
	x := &format.OffsetIndex{}
	for _, p := range ch.Pages {
		x.PageLocations = append(x.PageLocations, format.PageLocation{
			Offset: start + int64(p.Offset), CompressedPageSize: int32(p.Size), FirstRowIndex: int64(p.Row),
		})
	}
	return x
}

// SumsKey is the key in the footer for the sums of the column chunks, row group
// after row group, in base64: eight bytes each, the least first.
const SumsKey = "kifu.sums"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AddSum adds bytes to the checksum of a column chunk, which begins at 0: in its
// upper half the CRC of IEEE, in its lower half Castagnoli's. Every run of damaged
// bits up to 32 changes both, and processors have instructions for them, so that they cost
// a tenth of what decoding does.
func AddSum(sum uint64, p []byte) uint64 {
	return uint64(crc32.Update(uint32(sum>>32), crc32.IEEETable, p))<<32 | uint64(crc32.Update(uint32(sum), castagnoli, p))
}

// sums is the value of SumsKey.
func (f *footer) sums() string {
	var all []byte
	for _, chunks := range f.groups {
		for _, ch := range chunks {
			all = binary.LittleEndian.AppendUint64(all, ch.Sum)
		}
	}
	return base64.StdEncoding.EncodeToString(all)
}
