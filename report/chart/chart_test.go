package chart

import (
	"testing"

	"kifu/internal/human"
)

func TestTicks(t *testing.T) {
	for _, test := range []struct {
		low, high float64
		n         int
		first     string
		count     int
	}{
		{-575, 700, 12, "−400", 6}, {0, 1, 10, "0", 11}, {-64, 64, 12, "−60", 7}, {-0.3, 0.2, 5, "−0.3", 6},
	} {
		ticks := AxisTicks(test.low, test.high, test.n, human.Number)
		if len(ticks) != test.count || ticks[0].Label != test.first {
			t.Errorf("%v to %v: %v", test.low, test.high, ticks)
		}
	}
}
