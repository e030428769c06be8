package aix

import (
	"slices"
	"testing"
)

// TestEvals: values and mates as Aix's function eval_to_mate and eval_to_centipawns take them apart: 32767 is mate in one, -32768
// the other side's.
func TestEvals(t *testing.T) {
	for v, want := range map[int32]int16{0: 0, -123: -123, 30999: 30999, 31999: 32767, 31998: 32766, -31999: -32768, -31997: -32766, 32000: 32767} {
		if got := evalOf(v); got != want {
			t.Errorf("%d: %d, want %d", v, got, want)
		}
	}
}

// TestFill: what is missing is as before, and 0 at the beginning, as in the lists of pgn-to-aix.
func TestFill(t *testing.T) {
	list := fill(fill(fill([]int16(nil), 2, 5), 3, 7), 6, 8)
	if want := []int16{0, 0, 5, 7, 7, 7, 8}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}
