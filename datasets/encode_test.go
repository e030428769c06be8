package datasets

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/schemas"
)

// writeOne makes a dataset of one part, a row group a batch.
func writeOne(t testing.TB, table schemas.Table, batches ...*columns.Batch) *Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "d")
	_, _, err := Build(context.Background(), dir, Step{Stage: "test", Output: table.ID(), Run: func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(table)
		w, err := out.Part(0)
		if err != nil {
			return err
		}
		for _, b := range batches {
			g, err := w.Encode(b)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
		}
		return w.Close(manifest.Counts{}, nil)
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// openOne opens the part with its page index.
func openOne(t *testing.T, d *Dir) *parquet.File {
	t.Helper()
	p, err := os.Open(d.PartPaths()[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	f, err := parquet.OpenFile(p, d.Manifest.Parts[0].Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Columns of many pages, with and without nulls, with small dictionaries and with such
// as are given up.
func TestManyPagesComeBack(t *testing.T) {
	b := manyPages()
	table := b.Table
	d := writeOne(t, table, b)
	p, err := d.OpenPart(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	got := columns.NewBatch(table)
	if err := p.Read(0, got); err != nil {
		t.Fatal(err)
	}
	for i := range b.Cols {
		if got, want := got.Cols[i], b.Cols[i]; !slices.Equal(got.Int32, want.Int32) ||
			!slices.Equal(got.Bool, want.Bool) || !slices.Equal(got.Int64, want.Int64) || !slices.Equal(got.Uint64, want.Uint64) ||
			!slices.Equal(got.Float32, want.Float32) || !slices.Equal(got.Float64, want.Float64) ||
			!slices.Equal(got.Bytes, want.Bytes) || !slices.Equal(got.Ends, want.Ends) ||
			!slices.Equal(got.ListEnds, want.ListEnds) || !slices.Equal(got.ItemOK, want.ItemOK) || !slices.Equal(got.Valid, want.Valid) {
			t.Errorf("column %s came back otherwise", want.Column.Name)
		}
	}
}

// TestFloatsWithDictionaries: values that recur have a dictionary, also where a page is short, distinct ones have none; both come back to
// the bit, -0 too.
func TestFloatsWithDictionaries(t *testing.T) {
	table := schemas.Table{Name: "t", Version: 1, Columns: []schemas.Column{{Name: "recurs", Type: schemas.Float32}, {Name: "distinct", Type: schemas.Float32}}}
	b := columns.NewBatch(table)
	b.Rows = 1<<16 + 3
	for i := range b.Rows {
		x := float32(i*7919%5000) / 100
		switch {
		case i%5000 == 0:
			x = float32(math.Copysign(0, -1))
		case i >= 1<<16: // new in the second page
			x = float32(-i)
		}
		b.Cols[0].AppendFloat32(x)
		b.Cols[1].AppendFloat32(float32(i) / 3)
	}
	d := writeOne(t, table, b)
	for i, c := range openOne(t, d).Metadata().RowGroups[0].Columns {
		if has := slices.Contains(c.MetaData.Encoding, format.RLEDictionary); has != (i == 0) {
			t.Errorf("column %s has a dictionary: %v", table.Columns[i].Name, has)
		}
	}
	got := columns.NewBatch(table)
	p, err := d.OpenPart(0)
	if err == nil {
		err = p.Read(0, got)
		p.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.Cols {
		if !slices.Equal(lists.Of(got.Cols[i].Float32, math.Float32bits), lists.Of(b.Cols[i].Float32, math.Float32bits)) {
			t.Errorf("column %s came back otherwise", table.Columns[i].Name)
		}
	}
}

// manyPages returns a batch of such columns.
func manyPages() *columns.Batch {
	table := every()
	r := rand.New(rand.NewPCG(5, 6))
	const n = 3*(1<<16) + 17
	b := columns.NewBatch(table)
	b.Rows = n
	for i := range b.Cols {
		v := &b.Cols[i]
		for k := range n {
			x := int64(k * 7919) // distinct: no dictionary holds them
			switch {
			case v.Column.Nullable && (k < (1<<16)+5 || r.IntN(4) == 0):
				v.AppendNull()
				continue
			case i%2 == 0:
				x = int64(k / 50 % 40)
			}
			switch v.Column.Type {
			case schemas.Bool:
				v.AppendBool(x&1 == 0)
			case schemas.Int16:
				v.AppendInt32(int32(int16(x)))
			case schemas.Int32:
				v.AppendInt32(int32(x))
			case schemas.Int64:
				v.AppendInt64(x)
			case schemas.Uint64:
				v.AppendUint64(uint64(x))
			case schemas.Float32:
				v.AppendFloat32(float32(x))
			case schemas.Float64:
				v.AppendFloat64(float64(x))
			case schemas.FixedBytes:
				v.AppendBytes([]byte{byte(x), byte(x >> 8), byte(x >> 16)})
			case schemas.Int32List:
				for j := range k % 3 {
					v.AppendItem(int32(x)*int32(1-j), j == 0) // nulls come back as 0
				}
				v.EndList()
			case schemas.StringMap:
				if k%5 == 0 {
					v.AppendPair([]byte("key"), fmt.Append(nil, x))
				}
				v.EndMap()
			default:
				v.AppendBytes(fmt.Append(nil, "value ", x))
			}
		}
	}
	return b
}

// The bounds in the footer and in the page index are those of the values.
func TestBounds(t *testing.T) {
	table := schemas.Table{Name: "t", Version: 1, Columns: []schemas.Column{
		{Name: "ply", Type: schemas.Int32}, {Name: "elo", Type: schemas.Int16, Nullable: true, Repeats: true},
		{Name: "value", Type: schemas.Float32}, {Name: "name", Type: schemas.String, Repeats: true}, {Name: "text", Type: schemas.String},
		{Name: "hash", Type: schemas.Uint64},
	}}
	b := columns.NewBatch(table)
	b.Rows = 2*(1<<16) + 1
	for i := range b.Rows {
		b.Cols[0].AppendInt32(int32(i - 5))
		if i < (1 << 16) {
			b.Cols[1].AppendNull()
		} else {
			b.Cols[1].AppendInt32(int32(-3 + i%2000))
		}
		b.Cols[2].AppendFloat32([]float32{float32(math.NaN()), 0, 7}[i%3])
		b.Cols[3].AppendString([]string{"b", "ab", "abc"}[i%3])
		b.Cols[4].AppendString(fmt.Sprint(i == 9, string(make([]byte, i%400))))
		b.Cols[5].AppendUint64(uint64(i))
	}
	f := openOne(t, writeOne(t, table, b))
	var got []string
	for i, c := range f.Metadata().RowGroups[0].Columns {
		s := c.MetaData.Statistics
		got = append(got, fmt.Sprintf("%s: %x to %x, %d nulls, index %v", c.MetaData.PathInSchema[0], s.MinValue, s.MaxValue, s.NullCount, c.ColumnIndexLength > 0))
		if c.ColumnIndexLength == 0 {
			continue
		}
		x, err := f.RowGroups()[0].ColumnChunks()[i].ColumnIndex()
		if err != nil {
			t.Fatal(err)
		}
		for p := range x.NumPages() {
			got = append(got, fmt.Sprint(" ", x.NullPage(p), x.NullCount(p), x.MinValue(p), x.MaxValue(p), x.IsAscending()))
		}
	}
	want := []string{
		"ply: fbffffff to fbff0100, 0 nulls, index true",
		" false 0 -5 65530 true", " false 0 65531 131066 true", " false 0 131067 131067 true",
		"elo: fdffffff to cc070000, 65536 nulls, index true",
		" true 65536 <null> <null> false", " false 0 -3 1996 false", " false 0 1069 1069 false",
		"value: 00000080 to 0000e040, 0 nulls, index true",
		" false 0 -0 7 true", " false 0 -0 7 true", " false 0 7 7 true",
		"name: 6162 to 62, 0 nulls, index true",
		" false 0 ab b false", " false 0 ab b false", " false 0 abc abc false",
		"text:  to , 0 nulls, index false",
		"hash:  to , 0 nulls, index false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("bounds (-want +got):", diff)
	}
}

// Encoding a second time, with buffers that were in use, gives the same bytes.
func TestEncodeDoesNotDependOnWhatWasBefore(t *testing.T) {
	table := every()
	r := rand.New(rand.NewPCG(7, 8))
	w, err := columns.NewWriter(table, "test", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	small, large := columns.NewBatch(table), columns.NewBatch(table)
	fill(small, 100, r)
	fill(large, 20_000, r)
	var first []byte
	for i := range 4 {
		g, err := w.Encode(small)
		if err != nil {
			t.Fatal(err)
		}
		data, err := g.Carry()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = data
		} else if !slices.Equal(first, data) {
			t.Fatal("the same rows became other bytes")
		}
		if _, err := w.Encode(large); err != nil {
			t.Fatal(err)
		}
	}
}
