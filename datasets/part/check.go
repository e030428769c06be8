package part

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
)

const (
	mostColumns = 1 << 14
	mostPage    = 256 << 20 // bytes that a short column chunk can mean
)

// Check reads a Parquet file that may be anybody's whole, in Go, before a reader in C++ gets it: its
// footer, every page header, every page in its codec. An error names the file.
func Check(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer func() {
		if err = damaged(recover(), err); err != nil {
			err = fmt.Errorf("%s: damaged, or not a Parquet file: %w", path, err)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("not a plain file")
	}
	pf, err := Parquet(f, info.Size())
	if err != nil {
		return err
	}
	return checkGroups(pf, f, info.Size())
}

// checkGroups reads the row groups of a file of that size, column by column.
func checkGroups(pf *parquet.File, f io.ReaderAt, size int64) error {
	width := len(pf.Schema().Columns())
	if width > mostColumns {
		return fmt.Errorf("%d columns: at most %d are read", width, mostColumns)
	}
	rows := int64(0)
	for i, g := range pf.Metadata().RowGroups {
		if len(g.Columns) != width || g.NumRows < 0 {
			return fmt.Errorf("row group %d has %d columns and %d rows; the schema has %d columns", i, len(g.Columns), g.NumRows, width)
		}
		rows += g.NumRows
		for k, chunk := range pf.RowGroups()[i].ColumnChunks() {
			err := checkChunk(&g.Columns[k].MetaData, size)
			if err == nil {
				err = checkPages(f, &g.Columns[k].MetaData)
			}
			if err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i, k, err)
			}
			seen := int64(0)
			if err := columns.EachPage(chunk, func(p parquet.Page) error { seen += p.NumValues(); return nil }); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i, k, err)
			}
			if want := g.Columns[k].MetaData.NumValues; seen != want {
				return fmt.Errorf("row group %d, column %d: %d values; the footer has %d", i, k, seen, want)
			}
		}
	}
	if rows != pf.NumRows() {
		return fmt.Errorf("%d rows in its groups; the footer has %d", rows, pf.NumRows())
	}
	return nil
}

// checkChunk compares a column chunk's entry in the footer with the size of the file.
func checkChunk(m *format.ColumnMetaData, size int64) error {
	from := begin(m)
	switch {
	case from < int64(len(columns.Magic)) || m.TotalCompressedSize < 0 || from > size-m.TotalCompressedSize:
		return fmt.Errorf("bytes %d to %d of a file of %d", from, from+m.TotalCompressedSize, size)
	case m.TotalUncompressedSize < 0 || m.TotalUncompressedSize > max(mostPage, 1000*m.TotalCompressedSize):
		return fmt.Errorf("%d bytes that would unpack to %d", m.TotalCompressedSize, m.TotalUncompressedSize)
	}
	return nil
}

// begin returns where the pages of a column chunk begin.
func begin(m *format.ColumnMetaData) int64 {
	if m.DictionaryPageOffset > 0 {
		return min(m.DataPageOffset, m.DictionaryPageOffset)
	}
	return m.DataPageOffset
}

// checkPages compares the page headers of a column chunk with the footer's entry for all
// of them: a reader makes room for as much.
func checkPages(f io.ReaderAt, m *format.ColumnMetaData) error {
	at, end, left := begin(m), begin(m)+m.TotalCompressedSize, m.TotalUncompressedSize
	for page := 0; at < end; page++ {
		h, n, err := pageHeader(f, at, end)
		if err != nil {
			return fmt.Errorf("page %d: %w", page, err)
		}
		left -= int64(n) + int64(h.UncompressedPageSize)
		at += int64(n) + int64(h.CompressedPageSize)
		if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || at > end || left < 0 {
			return fmt.Errorf("page %d: %d bytes that would unpack to %d", page, h.CompressedPageSize, h.UncompressedPageSize)
		}
	}
	return nil
}

// pageHeader reads the header of a page at an offset, of a chunk that ends at end, and its length.
func pageHeader(f io.ReaderAt, at, end int64) (h format.PageHeader, length int, err error) {
	for size := int64(1 << 10); ; size *= 16 {
		text := make([]byte, min(size, end-at))
		if _, err := f.ReadAt(text, at); err != nil {
			return h, 0, err
		}
		r := new(thrift.CompactProtocol).NewReaderFromBytes(text) // which makes no room for what is not there
		if err = thrift.NewDecoder(r).Decode(&h); err == nil {
			return h, r.BytesRead(), nil
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) || size >= end-at {
			return h, 0, err
		}
		h = format.PageHeader{}
	}
}
