package columns

import (
	"slices"
	"testing"
)

// TestRank: the most frequent value comes first, and every cell keeps its value.
func TestRank(t *testing.T) {
	n := interner{first: []int32{0, 1, 3, 7}, index: []uint32{0, 1, 0, 2, 2, 1, 2, 3}}
	n.rank()
	if !slices.Equal(n.first, []int32{3, 0, 1, 7}) || !slices.Equal(n.index, []uint32{1, 2, 1, 0, 0, 2, 0, 3}) {
		t.Errorf("values of the cells %v, numbered %v", n.first, n.index)
	}
}
