package order

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"sort"

	"kifu/internal/spill"
)

// sorter sorts any number of records on disk. A sample of the keys divides them into ranges of
// about equal size, and every record goes to the file of its range. Then the keys of each range are
// sorted, while the records stay on disk. Memory holds the write buffers and the keys of one range
// per worker.
//
// Keys must be distinct, so that the result does not depend on the order of writing.
type sorter struct {
	splitters  [][]byte // range i holds the keys below splitter i that no earlier range holds
	keys, rows *spill.File
	buffer     int // bytes of rows of one range that a writer buffers
}

const (
	rangeRecords  = 1 << 13
	maxRanges     = 1 << 12
	bufferBytes   = 64 << 20 // of all writers
	samplesNeeded = 1 << 16
)

// rangesFor returns the number of ranges into which n records are divided, each of about size.
func rangesFor(n, size int64) int {
	return int(min(max(1, (n+size-1)/size), maxRanges))
}

// newSorter makes a sorter in a directory. It takes sample over and sorts it.
func newSorter(path string, sample [][]byte, ranges, writers int) (*sorter, error) {
	s := &sorter{splitters: splitters(sample, ranges), buffer: min(max(bufferBytes/(ranges*writers), 1<<10), 1<<16)}
	var err error
	if s.keys, err = spill.Create(path+".keys", ranges); err != nil {
		return nil, err
	}
	s.rows, err = spill.Create(path+".rows", ranges)
	return s, err
}

// splitters returns the quantiles of sample.
func splitters(sample [][]byte, ranges int) [][]byte {
	slices.SortFunc(sample, bytes.Compare)
	var all [][]byte
	for i := 1; i < ranges && len(sample) > 0; i++ {
		all = append(all, sample[i*len(sample)/ranges])
	}
	return all
}

func (s *sorter) close() {
	s.keys.Close()
	if s.rows != nil {
		s.rows.Close()
	}
}

// record is the place of one record.
type record struct {
	key    []byte
	offset int64
	length int
}

// sortWriter collects one worker's records by range.
type sortWriter struct {
	to     *sorter
	ranges []pending
	keys   []byte
}

// pending holds the unwritten records of one range.
type pending struct {
	rows []byte
	keys []byte // as spilled, but offsets count from the first row
}

func (s *sorter) newWriter() *sortWriter {
	return &sortWriter{to: s, ranges: make([]pending, s.keys.Buckets())}
}

// add adds a record; both slices may be reused.
func (w *sortWriter) add(key, row []byte) error {
	i := sort.Search(len(w.to.splitters), func(i int) bool { return bytes.Compare(key, w.to.splitters[i]) < 0 })
	p := &w.ranges[i]
	p.keys = appendRecord(p.keys, record{key, int64(len(p.rows)), len(row)})
	p.rows = append(p.rows, row...)
	if len(p.rows)+len(p.keys) < w.to.buffer {
		return nil
	}
	return w.flush(i)
}

// flush spills the rows of a range, then its keys with the places of the rows.
func (w *sortWriter) flush(i int) error {
	p := &w.ranges[i]
	if len(p.keys) == 0 {
		return nil
	}
	base, err := w.to.rows.Put(i, p.rows)
	if err != nil {
		return err
	}
	w.keys = w.keys[:0]
	for left := p.keys; len(left) > 0; {
		var r record
		if r, left, err = nextRecord(left); err != nil {
			return err
		}
		r.offset += base
		w.keys = appendRecord(w.keys, r)
	}
	_, err = w.to.keys.Put(i, w.keys)
	p.keys = p.keys[:0]
	if p.rows = p.rows[:0]; cap(p.rows) > 2*w.to.buffer {
		p.rows = nil // do not keep a large buffer per range because of one long record
	}
	return err
}

func (w *sortWriter) close() error {
	for i := range w.ranges {
		if err := w.flush(i); err != nil {
			return err
		}
	}
	w.ranges = nil
	return nil
}

func appendRecord(dst []byte, r record) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(r.key)))
	dst = append(dst, r.key...)
	dst = binary.AppendUvarint(dst, uint64(r.offset))
	return binary.AppendUvarint(dst, uint64(r.length))
}

var errSpill = errors.New("the scratch file is damaged")

func nextRecord(data []byte) (record, []byte, error) {
	var r record
	size, n := binary.Uvarint(data)
	if n <= 0 || uint64(len(data)-n) < size {
		return r, nil, errSpill
	}
	r.key, data = data[n:n+int(size)], data[n+int(size):]
	offset, n := binary.Uvarint(data)
	length, k := binary.Uvarint(data[max(n, 0):])
	if n <= 0 || k <= 0 {
		return r, nil, errSpill
	}
	r.offset, r.length = int64(offset), int(length)
	return r, data[n+k:], nil
}

// sizes counts the records of each range.
func (s *sorter) sizes() ([]int64, error) {
	sizes := make([]int64, s.keys.Buckets())
	var buf []byte
	for i := range sizes {
		var err error
		if buf, err = s.keys.Read(i, buf); err != nil {
			return nil, err
		}
		for left := buf; len(left) > 0; sizes[i]++ {
			if _, left, err = nextRecord(left); err != nil {
				return nil, err
			}
		}
	}
	return sizes, nil
}

// sortReader reads ranges in the order of their keys, with memory of its own.
type sortReader struct {
	from    *sorter
	buf     []byte
	records []record
	row     []byte
}

// load reads the keys of a range and returns their number.
func (r *sortReader) load(i int) (int, error) {
	var err error
	if r.buf, err = r.from.keys.Read(i, r.buf); err != nil {
		return 0, err
	}
	r.records = r.records[:0]
	for left := r.buf; len(left) > 0; {
		var next record
		if next, left, err = nextRecord(left); err != nil {
			return 0, err
		}
		r.records = append(r.records, next)
	}
	slices.SortFunc(r.records, func(a, b record) int { return bytes.Compare(a.key, b.key) })
	return len(r.records), nil
}

// at reads record k of the range. The row belongs to r.
func (r *sortReader) at(k int) (row []byte, err error) {
	rec := r.records[k]
	r.row = slices.Grow(r.row[:0], rec.length)[:rec.length]
	return r.row, r.from.rows.ReadAt(r.row, rec.offset)
}
