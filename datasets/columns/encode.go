package columns

import (
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"kifu/schemas"
)

// Row groups are encoded here and not by the Parquet library's writer, which takes values one by
// one. BenchmarkEncodePositions measures both: a processor second encodes 6.7 million positions
// here and 2.4 million there (a ratio of 2.8), without the time and the 24 bytes a value that
// making its values takes. A column is turned into pages straight from the slices of its Vec.
//
// A page ends after so many rows, or earlier, where its values reach so many bytes:
//
//   - what has no dictionary and no bounds is never skipped by page. Hashes repeat far
//     apart and want large pages, boards close by and want small ones.
//   - the rest has pages that a reader can skip.
const (
	pageRows  = 1 << 16
	pageBytes = 1 << 18
	hashBytes = 1 << 20
	fixedRows = 1 << 12
	maxBound  = 256 // bytes of a text in the footer; with a longer one a column has no bounds
)

// The fastest level is within 2 % of the next in size on packed boards and hashes, and within 8 % on features.
// A tenth of the time of kifu label is compression.
var fast = &zstd.Codec{Level: zstd.SpeedFastest}

// The better level makes a tree of 717,487 rows 9 % smaller than the fastest.
var dense = &zstd.Codec{Level: zstd.SpeedBetterCompression}

// chunk is one encoded leaf column of a row group. Carry takes the fields with capitals to other processes.
type chunk struct {
	leaf             *leaf
	Offset           int // of its pages in the row group's bytes
	Dictionary       int // bytes of the dictionary page that comes first
	Size, PlainSize  int64
	Sum              uint64 // of the bytes of all pages
	Values, Nulls    int64
	Encoding         format.Encoding
	Pages            []pageInfo
	Bounded          bool
	Least, Greatest  []byte
	Ascending, Falls bool // the pages' bounds
}

// pageInfo is a page's entry in the page index.
type pageInfo struct {
	Offset, Size    int // from the first byte of the row group
	Row             int
	Nulls           int
	Empty           bool // nulls only
	Least, Greatest []byte
}

// encoder holds the buffers of Encode.
type encoder struct {
	out    []byte
	names  interner
	spans  []span
	levels []uint8
	reps   []byte
	defs   []byte
	body   []byte
	packed []byte
	ints   []int32
	longs  []int64
}

// span is one page: rows, cells, and the cells of its bounds (-1: none).
type span struct {
	row, rows       int
	from, to        int
	nulls           int
	least, greatest int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// column encodes leaf l of the batch's column v and appends it to e.out.
func (e *encoder) column(l *leaf, v *Vec, rows int) (chunk, error) {
	if v.Stored != nil {
		return e.copy(l, v.Stored), nil
	}
	c := cellsOf(v, l.part)
	ch := chunk{leaf: l, Offset: len(e.out), Encoding: l.encoding, Bounded: l.bounded}
	e.split(l, c, rows)
	if l.repeats && e.intern(c) {
		ch.Encoding = format.RLEDictionary
		if numberBits(len(e.names.first)) >= 8 {
			e.names.rank()
		}
		body := e.body[:0]
		for _, i := range e.names.first {
			body = c.appendCell(body, int(i))
		}
		e.body = body
		header := format.PageHeader{Type: format.DictionaryPage}
		header.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(len(e.names.first)), Encoding: format.Plain})
		if err := e.page(&ch, &header, true); err != nil {
			return ch, err
		}
		ch.Dictionary = len(e.out) - ch.Offset
	}
	least, greatest := -1, -1
	indexes := e.names.index
	for _, s := range e.spans {
		e.body, indexes = e.values(l, ch.Encoding, c, s, indexes)
		e.levelsOf(l, v, s)
		present := s.to - s.from - s.nulls
		values := present + s.nulls
		if len(e.levels) > 0 {
			values = len(e.levels)
		}
		nulls := values - present
		header := format.PageHeader{Type: format.DataPageV2}
		header.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{
			NumValues: int32(values), NumNulls: int32(nulls), NumRows: int32(s.rows), Encoding: ch.Encoding,
			DefinitionLevelsByteLength: int32(len(e.defs)), RepetitionLevelsByteLength: int32(len(e.reps)),
		})
		at := len(e.out)
		if err := e.page(&ch, &header, false); err != nil {
			return ch, err
		}
		ch.Values += int64(values)
		ch.Nulls += int64(nulls)
		info := pageInfo{Offset: at, Size: len(e.out) - at, Row: s.row, Nulls: nulls, Empty: present == 0}
		if ch.Bounded && s.least >= 0 {
			info.Least, info.Greatest = c.bound(s.least, true), c.bound(s.greatest, false)
			least, _ = c.widen(least, -1, s.least)
			_, greatest = c.widen(-1, greatest, s.greatest)
		}
		// An index needs the bounds of every page that has values, and of moderate length.
		if !info.Empty && info.Least == nil || max(len(info.Least), len(info.Greatest)) > maxBound {
			ch.Bounded = false
		}
		ch.Pages = append(ch.Pages, info)
	}
	if ch.Bounded && least >= 0 {
		ch.Least, ch.Greatest = c.bound(least, true), c.bound(greatest, false)
	}
	e.order(&ch, c)
	ch.Sum = AddSum(0, e.out[ch.Offset:])
	return ch, nil
}

// order finds whether the bounds of the pages rise or fall.
func (e *encoder) order(ch *chunk, c cells) {
	ch.Ascending, ch.Falls = true, true
	last := -1
	for i, s := range e.spans {
		if s.least < 0 {
			continue
		}
		if last >= 0 {
			l := e.spans[last]
			low, high := c.compare(l.least, s.least), c.compare(l.greatest, s.greatest)
			ch.Ascending = ch.Ascending && low <= 0 && high <= 0
			ch.Falls = ch.Falls && low >= 0 && high >= 0
		}
		last = i
	}
}

// split divides the rows into pages and finds the bounds of those without a dictionary.
func (e *encoder) split(l *leaf, c cells, rows int) {
	e.spans = e.spans[:0]
	v := c.v
	for row := 0; row < rows; {
		end := l.pageEnd(v, row, rows)
		s := span{row: row, rows: end - row, from: row, to: end, least: -1, greatest: -1}
		if l.maxRep > 0 {
			s.from, s.to = int(start(v.ListEnds, row)), int(v.ListEnds[end-1])
			if c.stride != 0 {
				s.from, s.to = s.from/c.stride, s.to/c.stride
			}
		}
		s.nulls = c.nulls(s.from, s.to)
		if l.bounded && !l.repeats {
			s.least, s.greatest = c.bounds(s.from, s.to)
		}
		e.spans = append(e.spans, s)
		row = end
	}
}

// intern numbers the values of all pages; false when they shall have no dictionary.
func (e *encoder) intern(c cells) bool {
	e.names.reset()
	ok := true
	for i := range e.spans {
		s := &e.spans[i]
		if ok {
			s.least, s.greatest, ok = e.names.add(c, s.from, s.to, i+1)
		}
	}
	if !ok {
		for i := range e.spans {
			s := &e.spans[i]
			s.least, s.greatest = c.bounds(s.from, s.to)
		}
	}
	return ok && len(e.names.first) > 0
}

// values encodes the values of a page. indexes belong to this page and to later
// ones; the later ones are returned.
func (e *encoder) values(l *leaf, encoding format.Encoding, c cells, s span, indexes []uint32) ([]byte, []uint32) {
	body := e.body[:0]
	present := s.to - s.from - s.nulls
	switch v := c.v; {
	case encoding == format.RLEDictionary:
		width := numberBits(len(e.names.first))
		body = append(body, byte(width))
		return appendHybrid(body, indexes[:present], width), indexes[present:]
	case present == 0 && encoding != format.DeltaBinaryPacked:
	case encoding == format.DeltaBinaryPacked && v.Column.Type == schemas.Int64:
		e.longs = grown(e.longs, s)
		body, _ = new(delta.BinaryPackedEncoding).EncodeInt64(body, compact(v.Int64, c.present, s.from, s.to, s.nulls, e.longs))
	case encoding == format.DeltaBinaryPacked && v.Column.Type == schemas.Uint64:
		e.longs = e.longs[:0]
		for _, x := range v.Uint64[s.from:s.to] {
			e.longs = append(e.longs, int64(x))
		}
		body, _ = new(delta.BinaryPackedEncoding).EncodeInt64(body, e.longs)
	case encoding == format.DeltaBinaryPacked:
		e.ints = grown(e.ints, s)
		body, _ = new(delta.BinaryPackedEncoding).EncodeInt32(body, compact(v.Int32, c.present, s.from, s.to, s.nulls, e.ints))
	default:
		body = c.appendPlain(body, s.from, s.to)
	}
	return body, indexes
}

// grown returns a buffer for compact.
func grown[T any](buf []T, s span) []T {
	if s.nulls > 0 && cap(buf) < s.to-s.from {
		return make([]T, 0, s.to-s.from)
	}
	return buf
}

// levelsOf encodes the levels of a page. e.levels is left with a level for each value
// and null of the page, and empty when the column has none.
func (e *encoder) levelsOf(l *leaf, v *Vec, s span) {
	e.levels, e.reps, e.defs = e.levels[:0], e.reps[:0], e.defs[:0]
	switch {
	case l.maxRep > 0:
		e.nested(l, v, s)
	case l.maxDef > 0:
		for _, ok := range v.Valid[s.from:s.to] {
			level := uint8(0)
			if ok {
				level = 1
			}
			e.levels = append(e.levels, level)
		}
		e.defs = appendHybrid(e.defs, e.levels, 1)
	}
}

// nested makes the levels of a list or map: null, empty, null element, element; a map
// has no null elements.
func (e *encoder) nested(l *leaf, v *Vec, s span) {
	outer := uint8(0)
	if v.Column.Nullable {
		outer = 1
	}
	for row := s.row; row < s.row+s.rows; row++ {
		from, to := v.List(row)
		if v.Column.Type == schemas.StringMap {
			from, to = from/2, to/2
		}
		switch {
		case v.IsNull(row):
			e.levels = append(e.levels, 0)
		case from == to:
			e.levels = append(e.levels, outer)
		}
		for i := from; i < to; i++ {
			level := l.maxDef
			if v.Column.Type == schemas.Int32List && !v.ItemOK[i] {
				level--
			}
			e.levels = append(e.levels, level)
		}
	}
	e.defs = appendHybrid(e.defs, e.levels, widthOf(int(l.maxDef)+1))
	// The repetition levels: 0 begins a row.
	reps := e.packed[:0]
	for row := s.row; row < s.row+s.rows; row++ {
		from, to := v.List(row)
		if v.Column.Type == schemas.StringMap {
			from, to = from/2, to/2
		}
		reps = append(reps, 0)
		for i := from + 1; i < to; i++ {
			reps = append(reps, 1)
		}
	}
	e.packed = reps
	e.reps = appendHybrid(e.reps, reps, 1)
}

// page compresses e.body and appends the page to e.out.
func (e *encoder) page(ch *chunk, header *format.PageHeader, dictionary bool) error {
	if dictionary {
		e.reps, e.defs = e.reps[:0], e.defs[:0]
	}
	levels := len(e.reps) + len(e.defs)
	body := e.body
	if dictionary || len(body) >= ch.leaf.tooShort {
		var err error
		if e.packed, err = ch.leaf.codec.Encode(e.packed[:0], body); err != nil {
			return err
		}
		body = e.packed
	}
	if !dictionary {
		if len(body) >= len(e.body) {
			body = e.body
		}
		header.DataPageHeaderV2.V.IsCompressed = thrift.New(len(body) < len(e.body))
	}
	if len(e.body)+levels > 1<<30 {
		return fmt.Errorf("a page of %d bytes is too large", len(e.body)+levels)
	}
	header.UncompressedPageSize = int32(levels + len(e.body))
	header.CompressedPageSize = int32(levels + len(body))
	sum := crc32.ChecksumIEEE(e.reps)
	sum = crc32.Update(sum, crc32.IEEETable, e.defs)
	header.CRC = int32(crc32.Update(sum, crc32.IEEETable, body))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), header)
	if err != nil {
		return err
	}
	e.out = append(e.out, head...)
	e.out = append(e.out, e.reps...)
	e.out = append(e.out, e.defs...)
	e.out = append(e.out, body...)
	ch.Size += int64(len(head) + levels + len(body))
	ch.PlainSize += int64(len(head) + levels + len(e.body))
	return nil
}
