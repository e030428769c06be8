package datasets

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/cpu"
	"kifu/schemas"
)

// every has a column of every type, nullable and not.
func every() schemas.Table {
	t := schemas.Table{Name: "every", Version: 1}
	for typ := schemas.Bool; typ <= schemas.StringMap; typ++ {
		for _, nullable := range []bool{false, true} {
			for _, repeats := range []bool{false, true} {
				if repeats && (typ == schemas.Bool || typ >= schemas.Int32List) {
					continue
				}
				size := 0
				if typ == schemas.FixedBytes {
					size = 3
				}
				t.Columns = append(t.Columns, schemas.Column{Name: fmt.Sprintf("%02d_%v_%v_%v", 30-len(t.Columns), typ, nullable, repeats),
					Type: typ, Nullable: nullable, Repeats: repeats, Size: size, Doc: "test"})
			}
		}
	}
	return t
}

func fill(b *columns.Batch, rows int, r *rand.Rand) {
	b.Reset()
	b.Rows = rows
	for i := range b.Cols {
		v := &b.Cols[i]
		for range rows {
			if v.Column.Nullable && r.IntN(3) == 0 {
				v.AppendNull()
				continue
			}
			n := r.Int64() >> r.IntN(64)
			text := fmt.Sprint(n % 100)
			switch v.Column.Type {
			case schemas.Bool:
				v.AppendBool(n&1 == 0)
			case schemas.Int16:
				v.AppendInt32(int32(int16(n)))
			case schemas.Int32:
				v.AppendInt32(int32(n))
			case schemas.Int64:
				v.AppendInt64(-n)
			case schemas.Uint64:
				v.AppendUint64(uint64(n) << 1)
			case schemas.Float32:
				v.AppendFloat32(float32(n) / 7)
			case schemas.Float64:
				v.AppendFloat64(float64(n) / 7)
			case schemas.FixedBytes:
				v.AppendBytes([]byte{byte(n), byte(n >> 8), 7})
			case schemas.Int32List:
				for range n % 4 {
					v.AppendItem(int32(n), true)
					v.AppendItem(0, false)
				}
				v.EndList()
			case schemas.StringMap:
				for j := range n % 3 {
					v.AppendPair([]byte(fmt.Sprint("k", j)), []byte(text))
				}
				v.EndMap()
			default:
				v.AppendString(text)
			}
		}
	}
}

func rows(b *columns.Batch) []string {
	var out []string
	for i := range b.Rows {
		var s strings.Builder
		for j := range b.Cols {
			v := columns.Vec{Column: b.Cols[j].Column}
			v.AppendFrom(&b.Cols[j], i)
			fmt.Fprint(&s, v.Bool, v.Int32, v.Int64, v.Uint64, v.Float32, v.Float64, string(v.Bytes), v.Ends, v.ListEnds, v.ItemOK, v.Valid)
		}
		out = append(out, s.String())
	}
	return out
}

func TestBatchesComeBackFromParquet(t *testing.T) {
	table := every()
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []int{1, 5000, 0, 77}
	var want []string
	dir := filepath.Join(t.TempDir(), "d")
	_, _, err := Build(context.Background(), dir, Step{Stage: "test", Output: table.ID(), Run: func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(table)
		w, err := out.Part(0)
		if err != nil {
			return err
		}
		b := columns.NewBatch(table)
		for _, n := range sizes {
			fill(b, n, r)
			want = append(want, rows(b)...)
			g, err := w.Encode(b)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
		}
		return w.Close(manifest.Counts{Written: 5078}, nil)
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, d.Table); diff != "" {
		t.Error("table (-written +read):", diff)
	}
	p, err := d.OpenPart(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var got []string
	b := columns.NewBatch(d.Table)
	for i := range p.RowGroups() {
		if err := p.Read(i, b); err != nil {
			t.Fatal(err)
		}
		got = append(got, rows(b)...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("rows (-written +read):", diff)
	}
	if cols := openOne(t, d).Schema().Columns(); cols[0][0] != table.Columns[0].Name {
		t.Errorf("first column in the file is %s, want %s", cols[0][0], table.Columns[0].Name)
	}
}

func TestEncodeRefusesShortColumns(t *testing.T) {
	table := schemas.Table{Name: "t", Version: 1, Columns: []schemas.Column{{Name: "a", Type: schemas.Int32}, {Name: "b", Type: schemas.Int32}}}
	_, _, err := Build(context.Background(), filepath.Join(t.TempDir(), "d"), Step{Stage: "test", Output: "t/v1", Run: func(_ context.Context, _ []*Dir, out *Builder) error {
		out.SetTable(table)
		w, err := out.Part(0)
		if err != nil {
			return err
		}
		defer w.Abort()
		b := columns.NewBatch(table)
		b.Cols[0].AppendInt32(1)
		b.Rows = 1
		_, err = w.Encode(b)
		return err
	}}, Options{})
	if err == nil || !strings.Contains(err.Error(), "column b has 0 of 1 rows") {
		t.Errorf("error %v, want one that names column b", err)
	}
}

// benchPositions returns 100,000 positions.
func benchPositions() *columns.Batch {
	batch := columns.NewBatch(schemas.Positions(32, []schemas.GameColumn{{Name: "phase"}, {Name: "white_pawns"}, {Name: "black_pawns"}, {Name: "in_check"}}, false))
	batch.Rows = 100_000
	r := rand.New(rand.NewPCG(1, 2))
	for i := range batch.Rows {
		for j := range batch.Cols {
			v := &batch.Cols[j]
			switch v.Column.Name {
			case "hash":
				v.AppendUint64(r.Uint64())
			case "board":
				board := make([]byte, 32)
				board[i%32] = byte(i / 32)
				v.AppendBytes(board)
			case "move":
				v.AppendString([]string{"e2e4", "d7d5", "g1f3", "b8c6"}[i&3])
			case "result":
				v.AppendString("first")
			default:
				switch v.Column.Type {
				case schemas.Bool:
					v.AppendBool(i&1 == 0)
				case schemas.Int64:
					v.AppendInt64(int64(i / 80))
				default:
					v.AppendInt32(int32(i % 80))
				}
			}
		}
	}
	return batch
}

// BenchmarkEncodePositions encodes positions here, and by the library's writer from columns of its values.
func BenchmarkEncodePositions(b *testing.B) {
	batch := benchPositions()
	run := func(name string, encode func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			begun := cpu.Time()
			for b.Loop() {
				if err := encode(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(batch.Rows)*float64(b.N)/(cpu.Time()-begun).Seconds(), "rows/cpu-s")
		})
	}
	run("kifu", func() error {
		w, err := columns.NewWriter(batch.Table, "", io.Discard)
		if err != nil {
			return err
		}
		_, err = w.Encode(batch)
		return err
	})
	schema := columns.Schema(batch.Table)
	values := make([][]parquet.Value, len(batch.Cols))
	for j := range batch.Cols {
		v := &batch.Cols[j]
		level := 0
		if v.Column.Nullable {
			level = 1
		}
		for i := range batch.Rows {
			values[j] = append(values[j], parquetValue(v, i).Level(0, level, j))
		}
	}
	run("parquet-go", func() error {
		w := parquet.NewWriter(io.Discard, schema)
		for j, c := range w.ColumnWriters() {
			if _, err := c.WriteRowValues(values[j]); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// parquetValue returns value i of v, of a type that positions have.
func parquetValue(v *columns.Vec, i int) parquet.Value {
	switch v.Column.Type {
	case schemas.Bool:
		return parquet.BooleanValue(v.Bool[i])
	case schemas.Int64:
		return parquet.Int64Value(v.Int64[i])
	case schemas.Uint64:
		return parquet.Int64Value(int64(v.Uint64[i]))
	case schemas.Int16, schemas.Int32:
		return parquet.Int32Value(v.Int32[i])
	case schemas.FixedBytes:
		return parquet.FixedLenByteArrayValue(v.Value(i))
	}
	return parquet.ByteArrayValue(v.Value(i))
}
