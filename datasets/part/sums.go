package part

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
	"kifu/schemas"
)

// The footer of a part has, under the key kifu.sums, a checksum of each of its column chunks, in the footer's
// order and in base64. Each has eight bytes, least first: the upper four are the CRC of IEEE, the lower four
// the CRC of Castagnoli. Other readers of Parquet ignore the key. The manifest has the checksum of the footer.
// So a reader of some columns compares these alone, and the footer, with what was written. Parts of earlier
// versions have no such sums: they are compared whole.

// Sums are the checksums of the column chunks, row group after row group, each of which is compared once, whoever reads the file.
// Without any, nothing is compared.
type Sums struct {
	sums   []uint64
	chunks []atomic.Bool
}

func (s *Sums) known() bool { return s != nil && s.sums != nil }

// ReadSums returns the checksums in the footer of p.
func (p *File) ReadSums() (*Sums, error) {
	text, _ := p.pf.Lookup(columns.SumsKey)
	all, err := base64.StdEncoding.DecodeString(text)
	groups := p.pf.Metadata().RowGroups
	if n := len(groups) * len(p.pf.Schema().Columns()); err == nil && len(all) != 8*n {
		err = fmt.Errorf("checksums of %d bytes for %d column chunks", len(all), n)
	}
	for _, g := range groups {
		if err == nil && len(g.Columns) != len(p.pf.Schema().Columns()) {
			err = errors.New("a row group with other columns")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: damaged: %w", p.name, err)
	}
	s := &Sums{sums: make([]uint64, len(all)/8), chunks: make([]atomic.Bool, len(all)/8)}
	for i := range s.sums {
		s.sums[i] = binary.LittleEndian.Uint64(all[8*i:])
	}
	return s, nil
}

var sumBuffers = sync.Pool{New: func() any { return new([1 << 18]byte) }}

var errSum = errors.New("its checksum does not match what was written (build it again with --force)")

// checkColumn compares the column of a row group whose first leaf column is leaf with its checksums,
// each of them once.
func (p *File) checkColumn(rowGroup, leaf int) error {
	if !p.Sums.known() {
		return nil
	}
	columns := p.pf.Metadata().RowGroups[rowGroup].Columns
	for n := p.leavesFrom(leaf); n > 0; leaf, n = leaf+1, n-1 {
		at := rowGroup*len(columns) + leaf
		if p.Sums.chunks[at].Load() {
			continue
		}
		sum, err := p.sum(&columns[leaf].MetaData)
		if err == nil && sum != p.Sums.sums[at] {
			err = errSum
		}
		if err != nil {
			return fmt.Errorf("%s: damaged: row group %d, column %s: %w", p.name, rowGroup, columns[leaf].MetaData.PathInSchema[0], err)
		}
		p.Sums.chunks[at].Store(true)
	}
	return nil
}

// sum returns the checksum that the bytes of a column chunk have.
func (p *File) sum(m *format.ColumnMetaData) (sum uint64, err error) {
	from, size := begin(m), m.TotalCompressedSize
	buf := sumBuffers.Get().(*[1 << 18]byte)
	defer sumBuffers.Put(buf)
	for size > 0 {
		n, err := p.file.ReadAt(buf[:min(size, int64(len(buf)))], from)
		if n == 0 {
			return 0, err
		}
		sum, from, size = columns.AddSum(sum, buf[:n]), from+int64(n), size-int64(n)
	}
	return sum, nil
}

// CheckColumns compares the columns of t of those names with their checksums in all row groups, and
// their values with their domains. It reads them, so that what comes after it gets no file that a
// reader of Parquet trips over.
func (p *File) CheckColumns(t schemas.Table, names []string) error {
	for _, name := range names {
		at := t.Index(name)
		if at < 0 {
			return fmt.Errorf("%s: no column %s", p.name, name)
		}
		b := columns.NewBatch(t, name, t.Columns[at].Domain.Count)
		for g := range p.RowGroups() {
			if err := p.Read(g, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// leavesFrom returns how many leaf columns the column has whose first is at.
func (p *File) leavesFrom(at int) int {
	paths := p.pf.Schema().Columns()
	n := 1
	for at+n < len(paths) && paths[at+n][0] == paths[at][0] {
		n++
	}
	return n
}
