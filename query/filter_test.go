package query_test

import (
	"context"
	"math"
	"testing"

	"kifu/datasets/columns"
	"kifu/query"
	"kifu/schemas"
)

// TestFilterNumbers: a condition on one column holds in the same rows whether its numbers are few or many, new or seen before, also of several batches and of
// nulls, 0 and -0.
func TestFilterNumbers(t *testing.T) {
	for _, of := range []schemas.Type{schemas.Float64, schemas.Int64, schemas.Int32} {
		table := schemas.Table{Name: "moves", Columns: []schemas.Column{{Name: "x", Type: of, Nullable: true}, {Name: "y", Type: schemas.Float64}}}
		filter, err := query.NewFilter(context.Background(), "--when", "x IS NULL OR x % 3 = 0 AND x < 4000", table)
		if err != nil {
			t.Fatal(err)
		}
		defer filter.Close()
		for _, numbers := range []int{5, 11, 5, 20_000, 5} {
			var all []*columns.Batch
			var want []bool
			for range 3 {
				b := columns.NewBatch(table)
				for row := range 10_000 {
					x := (row*7919 + len(all)) % numbers
					v := &b.Cols[0]
					switch {
					case row%11 == 0:
						v.AppendNull()
					case of == schemas.Float64 && x == 0 && row%2 == 0:
						v.AppendFloat64(math.Copysign(0, -1))
					case of == schemas.Float64:
						v.AppendFloat64(float64(x))
					case of == schemas.Int64:
						v.AppendInt64(int64(x))
					default:
						v.AppendInt32(int32(x))
					}
					b.Cols[1].AppendFloat64(0)
					want = append(want, row%11 == 0 || x%3 == 0 && x < 4000)
				}
				b.Rows = 10_000
				all = append(all, b)
			}
			got, err := filter.SelectAll(context.Background(), all)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("type %v, %d numbers: row %d: %v", of, numbers, i, got[i])
				}
			}
		}
	}
}
