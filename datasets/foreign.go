package datasets

import (
	"fmt"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

const (
	mostColumns = 1 << 14
	mostPage    = 256 << 20 // bytes that a short column chunk can stand for
)

// CheckParquet reads a Parquet file of another program whole, in Go, before a reader in C++ gets it: its
// footer, every page header, every page in its codec. An error names the file.
func CheckParquet(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer func() {
		if err = damaged(recover(), err); err != nil {
			err = fmt.Errorf("%s: damaged, or no Parquet file: %w", path, err)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("not a plain file")
	}
	pf, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	return checkGroups(pf, info.Size())
}

// checkGroups reads the row groups of a file of that size, column by column.
func checkGroups(pf *parquet.File, size int64) error {
	columns := len(pf.Schema().Columns())
	if columns > mostColumns {
		return fmt.Errorf("%d columns: at most %d are read", columns, mostColumns)
	}
	rows := int64(0)
	for i, g := range pf.Metadata().RowGroups {
		if len(g.Columns) != columns || g.NumRows < 0 {
			return fmt.Errorf("row group %d has %d columns and %d rows; the schema has %d columns", i, len(g.Columns), g.NumRows, columns)
		}
		rows += g.NumRows
		for k, chunk := range pf.RowGroups()[i].ColumnChunks() {
			if err := checkChunk(&g.Columns[k].MetaData, size); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i, k, err)
			}
			seen := int64(0)
			if err := EachPage(chunk, func(p parquet.Page) error { seen += p.NumValues(); return nil }); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i, k, err)
			}
			if want := g.Columns[k].MetaData.NumValues; seen != want {
				return fmt.Errorf("row group %d, column %d: %d values; the footer says %d", i, k, seen, want)
			}
		}
	}
	if rows != pf.NumRows() {
		return fmt.Errorf("%d rows in its groups; the footer says %d", rows, pf.NumRows())
	}
	return nil
}

// checkChunk compares what the footer says of a column chunk with the size of the file.
func checkChunk(m *format.ColumnMetaData, size int64) error {
	from := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		from = min(from, m.DictionaryPageOffset)
	}
	switch {
	case from < int64(len(magic)) || m.TotalCompressedSize < 0 || from > size-m.TotalCompressedSize:
		return fmt.Errorf("bytes %d to %d of a file of %d", from, from+m.TotalCompressedSize, size)
	case m.TotalUncompressedSize < 0 || m.TotalUncompressedSize > max(mostPage, 1000*m.TotalCompressedSize):
		return fmt.Errorf("%d bytes that stand for %d", m.TotalCompressedSize, m.TotalUncompressedSize)
	}
	return nil
}
