package query

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// numbers builds two parts of some row groups of columns with nulls.
func numbers(t *testing.T) *datasets.Dir {
	t.Helper()
	table := schemas.Table{Name: "labels", Version: 1, Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "small", Type: schemas.Int16, Nullable: true},
		{Name: "whole", Type: schemas.Int32}, {Name: "real", Type: schemas.Float32, Nullable: true},
	}}
	dir := t.TempDir()
	return datasettest.Build(t, dir, datasets.Step{Stage: "label", Output: table.ID(), Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
		b.SetTable(table)
		rng := rand.New(rand.NewPCG(1, 2))
		for part := range 2 {
			w, err := b.Part(part)
			if err != nil {
				return err
			}
			for range 3 {
				batch := columns.NewBatch(table)
				for range 501 {
					batch.Rows++
					batch.Cols[0].AppendInt64(int64(part))
					batch.Cols[2].AppendInt32(rng.Int32N(7) - 3)
					if rng.IntN(5) == 0 {
						batch.Cols[1].AppendNull()
						batch.Cols[3].AppendNull()
						continue
					}
					batch.Cols[1].AppendInt32(rng.Int32N(7) - 3)
					batch.Cols[3].AppendFloat32(float32(rng.IntN(70)-35) / 10)
				}
				g, err := w.Encode(batch)
				if err == nil {
					err = w.Append(g)
				}
				if err != nil {
					return err
				}
			}
			if err := w.Close(manifest.Counts{Written: 3 * 501}, nil); err != nil {
				return err
			}
		}
		return nil
	}})
}

// TestCompared: comparisons that are made here hold in the rows in which the database finds them true. Others are left to it.
func TestCompared(t *testing.T) {
	ctx := context.Background()
	db, d := open(t), numbers(t)
	if err := db.Attach(ctx, "l", d); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, column := range []string{"small", "whole", "real", "l.whole"} {
		for _, op := range []string{"=", "<", "<=", ">", ">="} {
			for _, at := range []string{"1", "-2", "0", "0.5", "100000"} {
				texts = append(texts, column+" "+op+" "+at, at+" "+op+" "+column)
			}
		}
		texts = append(texts, column+" BETWEEN -1 AND 2", "("+column+" > 0) AND whole <= 1 and small BETWEEN 0 AND 3")
	}
	texts = append(texts, "small > 0.1", "whole > 1e0", "small = 0.1")
	named := func(texts []string) (all []Named) {
		for i, text := range texts {
			all = append(all, Named{Name: fmt.Sprintf("c%d", i), SQL: text})
		}
		return all
	}
	var plain []string // the same as an expression of the database
	for _, text := range texts {
		if db.compared(ctx, db.viewOf(d), text) == nil {
			t.Errorf("%s is left to the database", text)
		}
		plain = append(plain, "("+text+") IS TRUE")
	}
	for _, text := range append(plain, "real > 0.1", "small <> 1", "small > whole", "whole > 1 OR small > 1", "game_id = 1", "small NOT BETWEEN 0 AND 1", "small > NULL", "small > '1'") {
		if db.compared(ctx, db.viewOf(d), text) != nil {
			t.Errorf("%s is not left to the database", text)
		}
	}
	here, err := db.Bits(ctx, d, append(named(texts), Named{Name: "database", SQL: "small <> 1"}))
	if err != nil {
		t.Fatal(err)
	}
	there, err := db.Bits(ctx, d, append(named(plain), Named{Name: "database", SQL: "small <> 1"}))
	if err != nil {
		t.Fatal(err)
	}
	for part := range 2 {
		got, err := here(ctx, part)
		if err != nil {
			t.Fatal(err)
		}
		want, err := there(ctx, part)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			for row := range 3 * 501 {
				if got[i].Has(row) != want[i].Has(row) {
					t.Errorf("%s, row %d of part %d: %v, by the database %v", append(texts, "small <> 1")[i], row, part, got[i].Has(row), want[i].Has(row))
					break
				}
			}
		}
	}
}
