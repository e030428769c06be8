package columns

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"kifu/schemas"
)

// Read appends the values of a column, whose first leaf column is the first of chunks, page by page.
func (v *Vec) Read(chunks []parquet.ColumnChunk) error {
	if v.Column.Type == schemas.StringMap {
		return readMap(chunks[0], chunks[1], v)
	}
	v.expect(int(chunks[0].NumValues()))
	return EachPage(chunks[0], v.appendRows)
}

// expect makes room for n values, as far as their sizes are known: by appending, the slices would be copied
// several times.
func (v *Vec) expect(n int) {
	n = min(n, 1<<20) // a damaged chunk may claim any number
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		v.Int32 = slices.Grow(v.Int32, n)
	case schemas.Int64:
		v.Int64 = slices.Grow(v.Int64, n)
	case schemas.Uint64:
		v.Uint64 = slices.Grow(v.Uint64, n)
	case schemas.Float32:
		v.Float32 = slices.Grow(v.Float32, n)
	case schemas.Float64:
		v.Float64 = slices.Grow(v.Float64, n)
	case schemas.FixedBytes:
		v.Bytes, v.Ends = slices.Grow(v.Bytes, n*v.Column.Size), slices.Grow(v.Ends, n)
	case schemas.String, schemas.Bytes:
		v.Ends = slices.Grow(v.Ends, n)
	}
}

// appendRows appends the rows of a page.
func (v *Vec) appendRows(page parquet.Page) error {
	if v.Column.Type == schemas.Int32List {
		return v.appendLists(page)
	}
	if v.Column.Nullable {
		return v.appendOptional(page)
	}
	return v.appendPage(page)
}

// ReadRows appends the values of rows of a column, which ascend, from the pages that have them. Of maps and of truth values, whose
// pages the library cannot cut between two bytes, it reads the whole column.
func (v *Vec) ReadRows(chunks []parquet.ColumnChunk, rows []int) error {
	if v.Column.Type == schemas.StringMap || v.Column.Type == schemas.Bool {
		whole := Vec{Column: v.Column}
		if err := whole.Read(chunks); err != nil {
			return err
		}
		for _, row := range rows {
			v.AppendFrom(&whole, row)
		}
		return nil
	}
	chunk := chunks[0]
	if _, err := chunk.OffsetIndex(); err != nil { // by which pages are found
		return err
	}
	pages := chunk.Pages()
	defer pages.Close()
	for len(rows) > 0 {
		first := rows[0]
		if err := pages.SeekToRow(int64(first)); err != nil {
			return err
		}
		page, err := pages.ReadPage()
		if err != nil {
			return err
		}
		has := int(page.NumRows())
		if has == 0 {
			parquet.Release(page)
			return fmt.Errorf("no row %d", first)
		}
		for err == nil && len(rows) > 0 && rows[0]-first < has {
			at := int64(rows[0] - first)
			err = v.appendRows(page.Slice(at, at+1))
			rows = rows[1:]
		}
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
	return nil
}

// EachPage calls f for every page of a column chunk, and releases the page after it.
func EachPage(chunk parquet.ColumnChunk, f func(parquet.Page) error) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = f(page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

// appendPage appends the values that the page holds, which leaves the nulls out.
func (v *Vec) appendPage(page parquet.Page) error {
	data := page.Data()
	if dict := page.Dictionary(); dict != nil {
		return v.appendIndexed(data.Int32(), dict)
	}
	switch v.Column.Type {
	case schemas.Bool:
		// Bits, least significant first; the page has the number in use.
		bits := data.Boolean()
		for i := range int(page.NumValues() - page.NumNulls()) {
			v.Bool = append(v.Bool, bits[i>>3]>>(i&7)&1 != 0)
		}
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		v.Int32 = append(v.Int32, data.Int32()...)
	case schemas.Int64:
		v.Int64 = append(v.Int64, data.Int64()...)
	case schemas.Uint64:
		v.Uint64 = append(v.Uint64, data.Uint64()...)
	case schemas.Float32:
		v.Float32 = append(v.Float32, data.Float()...)
	case schemas.Float64:
		v.Float64 = append(v.Float64, data.Double()...)
	case schemas.FixedBytes:
		bytes, size := data.FixedLenByteArray()
		for i := size; i <= len(bytes); i += size {
			v.Ends = append(v.Ends, int32(len(v.Bytes)+i))
		}
		v.Bytes = append(v.Bytes, bytes...)
	default:
		bytes, offsets := data.ByteArray()
		if len(offsets) == 0 {
			return nil
		}
		base := len(v.Bytes) - int(offsets[0])
		for _, o := range offsets[1:] {
			v.Ends = append(v.Ends, int32(base+int(o)))
		}
		v.Bytes = append(v.Bytes, bytes[offsets[0]:offsets[len(offsets)-1]]...)
	}
	return nil
}

func (v *Vec) appendIndexed(indexes []int32, dict parquet.Dictionary) error {
	data := dict.Page().Data()
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32, schemas.Int32List:
		v.Int32 = gather(v.Int32, data.Int32(), indexes)
	case schemas.Int64:
		v.Int64 = gather(v.Int64, data.Int64(), indexes)
	case schemas.Uint64:
		v.Uint64 = gather(v.Uint64, data.Uint64(), indexes)
	case schemas.Float32:
		v.Float32 = gather(v.Float32, data.Float(), indexes)
	case schemas.Float64:
		v.Float64 = gather(v.Float64, data.Double(), indexes)
	case schemas.String, schemas.Bytes, schemas.StringMap:
		bytes, offsets := data.ByteArray()
		for from, to := 0, 0; from < len(indexes); from = to {
			i := indexes[from]
			for to = from + 1; to < len(indexes) && indexes[to] == i; to++ {
			}
			if text := bytes[offsets[i]:offsets[i+1]]; (to-from)*len(text) > mostBytes-len(v.Bytes) {
				return fmt.Errorf("texts of more than %d MB", mostBytes>>20)
			} else {
				v.appendRun(text, to-from)
			}
		}
	case schemas.FixedBytes:
		bytes, size := data.FixedLenByteArray()
		for _, i := range indexes {
			v.Bytes = append(v.Bytes, bytes[int(i)*size:(int(i)+1)*size]...)
			v.Ends = append(v.Ends, int32(len(v.Bytes)))
		}
	default:
		return fmt.Errorf("a column of type %s cannot have a dictionary", v.Column.Type)
	}
	return nil
}

// appendRun appends n texts of one content. What is there is copied over and over, as runs are long where
// a game has a value for all its positions.
func (v *Vec) appendRun(text []byte, n int) {
	begun := len(v.Bytes)
	v.Bytes = slices.Grow(v.Bytes, n*len(text))[:begun+n*len(text)]
	run := v.Bytes[begun:]
	for done := copy(run, text); done > 0 && done < len(run); {
		done += copy(run[done:], run[:done])
	}
	v.Ends = slices.Grow(v.Ends, n)
	for i := range n {
		v.Ends = append(v.Ends, int32(begun+(i+1)*len(text)))
	}
}

// gather appends the values of the indexes.
func gather[T any](dst, values []T, indexes []int32) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(indexes))[:n+len(indexes)]
	for k, i := range indexes {
		dst[n+k] = values[i]
	}
	return dst
}

// appendOptional appends a page with nulls: the present values are moved apart, from
// the back, to the rows they belong to.
func (v *Vec) appendOptional(page parquet.Page) error {
	before := v.Len()
	if err := v.appendPage(page); err != nil {
		return err
	}
	levels := page.DefinitionLevels()
	present := v.Len() - before
	if present == len(levels) {
		for range levels {
			v.Valid = append(v.Valid, true)
		}
		return nil
	}
	for _, l := range levels {
		v.Valid = append(v.Valid, l != 0)
	}
	valid := v.Valid[before:]
	switch v.Column.Type {
	case schemas.Bool:
		v.Bool = spread(v.Bool, before, valid)
	case schemas.Int16, schemas.Int32:
		v.Int32 = spread(v.Int32, before, valid)
	case schemas.Int64:
		v.Int64 = spread(v.Int64, before, valid)
	case schemas.Uint64:
		v.Uint64 = spread(v.Uint64, before, valid)
	case schemas.Float32:
		v.Float32 = spread(v.Float32, before, valid)
	case schemas.Float64:
		v.Float64 = spread(v.Float64, before, valid)
	default:
		v.Ends = spread(v.Ends, before, valid)
		last := start(v.Ends, before)
		for i, ok := range valid {
			if !ok {
				v.Ends[before+i] = last
			}
			last = v.Ends[before+i]
		}
	}
	return nil
}

// spread moves the values after from to the places where valid is true and zeroes
// the others.
func spread[T any](values []T, from int, valid []bool) []T {
	at := len(values) - 1
	values = append(values, make([]T, from+len(valid)-len(values))...)
	var zero T
	for i := len(valid) - 1; i >= 0; i-- {
		if valid[i] {
			values[from+i] = values[at]
			at--
		} else {
			values[from+i] = zero
		}
	}
	return values
}

// appendLists appends a page of LIST rows from their levels (encoder.nested).
func (v *Vec) appendLists(page parquet.Page) error {
	before := len(v.Int32)
	if err := v.appendPage(page); err != nil {
		return err
	}
	present := append([]int32(nil), v.Int32[before:]...)
	v.Int32 = v.Int32[:before]
	outer := byte(0)
	if v.Column.Nullable {
		outer = 1
	}
	reps := page.RepetitionLevels()
	next := 0
	for i, def := range page.DefinitionLevels() {
		if reps[i] == 0 {
			v.ListEnds = append(v.ListEnds, 0)
			if v.Column.Nullable {
				v.Valid = append(v.Valid, def >= outer)
			}
		}
		switch {
		case def == outer+2:
			v.AppendItem(present[next], true)
			next++
		case def == outer+1:
			v.AppendItem(0, false)
		}
		v.ListEnds[len(v.ListEnds)-1] = int32(len(v.Int32))
	}
	return nil
}

// readMap joins the key and the value column of a MAP.
func readMap(keys, values parquet.ColumnChunk, v *Vec) error {
	var texts [2]Vec
	var defs, reps []byte
	for k, chunk := range []parquet.ColumnChunk{keys, values} {
		texts[k].Column = schemas.Column{Name: v.Column.Name, Type: schemas.String}
		err := EachPage(chunk, func(page parquet.Page) error {
			if k == 0 {
				defs = append(defs, page.DefinitionLevels()...)
				reps = append(reps, page.RepetitionLevels()...)
			}
			return texts[k].appendPage(page)
		})
		if err != nil {
			return err
		}
	}
	if texts[0].Len() != texts[1].Len() {
		return fmt.Errorf("a map of %d keys and %d values", texts[0].Len(), texts[1].Len())
	}
	outer := byte(0)
	if v.Column.Nullable {
		outer = 1
	}
	next := 0
	for i, def := range defs {
		if reps[i] == 0 {
			v.ListEnds = append(v.ListEnds, 0)
			if v.Column.Nullable {
				v.Valid = append(v.Valid, def >= outer)
			}
		}
		if def > outer {
			v.AppendPair(texts[0].Value(next), texts[1].Value(next))
			next++
		}
		v.ListEnds[len(v.ListEnds)-1] = int32(len(v.Ends))
	}
	return nil
}
