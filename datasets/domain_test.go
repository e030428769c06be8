package datasets

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/sound"
	"kifu/schemas"
)

// tables are those that kifu writes, with all columns that their schemas name.
func tables() []schemas.Table {
	positions := schemas.Positions(8, []schemas.GameColumn{{Name: "phase"}, {Name: "material"}}, true)
	return []schemas.Table{schemas.Played(true), positions, schemas.Labels(positions, []string{"static_value"}, []string{"material_score"}, ""),
		schemas.Choices(positions, []string{"static_value"}), schemas.Weights, schemas.Changes, schemas.Duplicates, schemas.Players,
		schemas.Generations, schemas.Trajectory, schemas.Conjunctions, schemas.Tables, schemas.Predictions(), schemas.Motifs(8, []schemas.GameColumn{{Name: "fork"}})}
}

// outsiders are values that a column of that domain cannot have, each as what appends it.
func outsiders(c schemas.Column) map[string]func(*columns.Vec) {
	low, high := c.Bounds()
	all := map[string]func(*columns.Vec){}
	switch c.Type {
	case schemas.Int16:
		all["too low"] = func(v *columns.Vec) { v.AppendInt32(int32(low) - 1) }
		all["too high"] = func(v *columns.Vec) { v.AppendInt32(int32(high) + 1) }
	case schemas.Int32, schemas.Int64:
		if c.Domain == (schemas.Domain{}) {
			break
		}
		all["-1"], all["greatest"] = func(v *columns.Vec) { v.AppendInt32(math.MinInt32) }, func(v *columns.Vec) { v.AppendInt32(math.MaxInt32) }
		if c.Type == schemas.Int64 {
			all["-1"], all["greatest"] = func(v *columns.Vec) { v.AppendInt64(-1) }, func(v *columns.Vec) { v.AppendInt64(math.MaxInt64) }
		} else if high == math.MaxInt32 {
			delete(all, "greatest")
		}
	case schemas.Float32, schemas.Float64:
		for name, x := range map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
			all[name] = func(v *columns.Vec) { v.AppendFloat64(x) }
			if c.Type == schemas.Float32 {
				all[name] = func(v *columns.Vec) { v.AppendFloat32(float32(x)) }
			}
		}
	case schemas.String:
		all["not UTF-8"] = func(v *columns.Vec) { v.AppendString("\xff") }
		if c.Domain.Words != "" {
			all["no word"] = func(v *columns.Vec) { v.AppendString("lost") }
			all["empty"] = func(v *columns.Vec) { v.AppendString("") }
		}
	case schemas.StringMap:
		all["not UTF-8"] = func(v *columns.Vec) { v.AppendPair([]byte("a"), []byte("\xc3")); v.EndMap() }
	case schemas.Int32List:
		all["length"] = func(v *columns.Vec) { v.EndList() }
	case schemas.Bytes:
		if c.Domain.Count != "" {
			all["odd"] = func(v *columns.Vec) { v.AppendBytes([]byte{1}) }
			all["length"] = func(v *columns.Vec) { v.AppendBytes([]byte{1, 2, 3, 4}) }
		}
	}
	return all
}

// TestDomains: a value outside the domain of its column is named with part, row, column and value
// by whoever reads it, in every column of every table.
func TestDomains(t *testing.T) {
	tried := 0
	for _, table := range tables() {
		for at, c := range table.Columns {
			for name, hostile := range outsiders(c) {
				tried++
				b := columns.NewBatch(table)
				sound.Fill(b, 3)
				v := &b.Cols[at]
				hostile(v)
				for i := range b.Cols {
					if i != at {
						b.Cols[i].AppendFrom(&b.Cols[i], 0)
					}
				}
				b.Rows++
				d := writeOne(t, table, b)
				_, read := everything(d.Path)
				err := d.VerifyColumns(t.Context(), c.Name)
				for _, err := range []error{read, err} {
					if err == nil || !strings.Contains(err.Error(), manifest.PartName(0)+": row 4, column "+c.Name+": ") {
						t.Errorf("%s.%s, %s: %v", table.Name, c.Name, name, err)
					}
				}
				os.RemoveAll(d.Path)
			}
		}
		b := columns.NewBatch(table)
		sound.Fill(b, 3)
		if _, err := everything(writeOne(t, table, b).Path); err != nil {
			t.Errorf("%s: %v", table.Name, err)
		}
	}
	t.Logf("%d columns with a value outside", tried)
}

// TestSharedLetter: texts that are UTF-8 only together are not.
func TestSharedLetter(t *testing.T) {
	table := schemas.Table{Name: "texts", Version: 1, Columns: []schemas.Column{{Name: "text", Type: schemas.String}}}
	b := columns.NewBatch(table)
	for _, text := range []string{"é", "a\xc3", "\xa9"} {
		b.Cols[0].AppendString(text)
		b.Rows++
	}
	if _, err := everything(writeOne(t, table, b).Path); err == nil || !strings.Contains(err.Error(), `row 2, column text: "a\xc3" is not UTF-8`) {
		t.Error(err)
	}
}

// BenchmarkDomains is what the comparison costs beside the reading.
func BenchmarkDomains(b *testing.B) {
	positions := schemas.Positions(24, []schemas.GameColumn{{Name: "phase"}, {Name: "material"}}, false)
	batch := columns.NewBatch(positions)
	sound.Fill(batch, 1<<16)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range batch.Cols {
		if v := &batch.Cols[i]; v.Column.Name != "result" {
			for k := range v.Int32 {
				v.Int32[k] = int32(r.IntN(100))
			}
		}
	}
	p, err := writeOne(b, positions, batch).OpenPart(0)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if err := p.Read(0, batch); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch.Rows), "ns/row")
	})
	b.Run("domains", func(b *testing.B) {
		for b.Loop() {
			if f := batch.Outside(); f != nil {
				b.Fatal(f)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch.Rows), "ns/row")
	})
}
