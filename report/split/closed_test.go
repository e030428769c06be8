package split

import (
	"math"
	"strings"
	"testing"

	"kifu/kit/slow"
)

// TestHalvesPass: a missing column is not shown in a pair with one that means nothing, and with three columns missing what
// is shown seldom has none of them.
//
//	go test ./report/split -run TestHalvesPass -v -replications 100
func TestHalvesPass(t *testing.T) {
	slow.Test(t, "two dozen searches")
	const rate = 0.1
	runs := max(12, *replications)
	for _, missing := range []string{"a", "abc"} {
		right, mixed, wrong := 0, 0, 0
		for seed := range uint64(runs) {
			b := simulated(seed, 600, 30, 8, 0)
			for column := range missing {
				for i, won := range b.won {
					b.columns[column][i] += 0.2 * (float64(won) - 1)
				}
			}
			_, found, _, _ := search(t, b, Params{FDR: rate, Top: 20, MinCount: 300})
			var some, half, none bool
			for _, k := range withMirrors(found) {
				if math.IsNaN(k.ShiftP) {
					continue
				}
				parts, of := strings.Split(k.Condition.sql, " AND "), 0
				for _, part := range parts {
					of += one(strings.HasPrefix(part, "x") && strings.Contains(missing, part[1:2]))
				}
				some, half, none = some || of > 0, half || of > 0 && of < len(parts), none || of == 0
			}
			right, mixed, wrong = right+one(some), mixed+one(half), wrong+one(none)
		}
		t.Logf("%d missing: found in %d, a pair with noise in %d, wholly false in %d of %d searches", len(missing), right, mixed, wrong, runs)
		most := rate*float64(runs) + 3*math.Sqrt(rate*(1-rate)*float64(runs))
		if 4*right < 3*runs || mixed > runs/20 || float64(wrong) > most {
			t.Errorf("%d missing: found in %d, a pair with noise in %d, wholly false in %d of %d searches", len(missing), right, mixed, wrong, runs)
		}
	}
}
