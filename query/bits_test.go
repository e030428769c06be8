package query

import (
	"context"
	"testing"
)

// TestBits: a bit for every row of every part, those of a null are not set, and conditions may name the
// dataset.
func TestBits(t *testing.T) {
	ctx := context.Background()
	parts := []int{300_000, 1, 7, 8, 70_001}
	db, d := attached(t, parts...)
	of, err := db.Bits(ctx, d, []Named{{Name: "thirds", SQL: "ply % 3 = 0 -- of all"}, {Name: "never", SQL: "ply < 0"}, {Name: "named", SQL: "l.king_safety > 50"}})
	if err != nil {
		t.Fatal(err)
	}
	safety, err := db.Columns(ctx, d, []Named{{Name: "x", SQL: "coalesce(king_safety > 50, false)"}})
	if err != nil {
		t.Fatal(err)
	}
	row := 0
	for i, n := range parts {
		bits, err := of(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			if bits[0].Has(k) != (row%3 == 0) || bits[1].Has(k) || bits[2].Has(k) != (safety[0][row] != 0) {
				t.Fatalf("row %d of part %d: %v %v %v", k, i, bits[0].Has(k), bits[1].Has(k), bits[2].Has(k))
			}
			row++
		}
	}
	if _, err := db.Bits(ctx, build(t, t.TempDir(), 1), nil); err == nil {
		t.Error("of a dataset that is not attached")
	}
}
