package bygame_test

import (
	"math"
	"slices"
	"testing"

	"kifu/datasets/bygame"
)

// TestIndex: rows are found by ids in any order, and others are not, whatever the distances.
func TestIndex(t *testing.T) {
	ids := []int64{128, 1, 2, 3, 0, -300, -1, 1 << 40, math.MaxInt64, math.MinInt64, 4, 5}
	var x bygame.Index
	x.Add(0, ids[:4])
	var later bygame.Index
	later.Add(4, ids[4:])
	x.Join(later)
	x.Sort()
	for row, id := range ids {
		if got := x.Row(id); got != int64(row) {
			t.Errorf("%d is in row %d, want %d", id, got, row)
		}
		if got := x.Row(id - 1); got != int64(slices.Index(ids, id-1)) {
			t.Errorf("%d is in row %d", id-1, got)
		}
	}
	if (&bygame.Index{}).Row(0) != -1 {
		t.Error("an id among none")
	}
}
