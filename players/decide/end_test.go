package decide

import (
	"math"
	"testing"
)

// TestEnd95: shares of all and none have the end of Clopper and Pearson's interval at the number of clusters
// (of 20 of 20: 83.16 %, as R's binom.test(20, 20) has it), and others have none.
func TestEnd95(t *testing.T) {
	ones := make([]float64, 60)
	for i := range ones {
		ones[i] = 1
	}
	three := func(i int) int64 { return int64(i / 3) }
	near := func(what string, got *float64, want float64) {
		t.Helper()
		if got == nil || math.Abs(*got-want) > 5e-5 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("all of 20 clusters", End95(ones, three), 0.8316)
	near("none", End95(make([]float64, 60), three), 0.1684)
	near("clusters of 40 and 20", End95(ones, func(i int) int64 { return int64(i / 40) }), math.Pow(0.025, 5.0/9))
	ones[7] = 0
	if got := End95(ones, three); got != nil {
		t.Errorf("59 of 60: %v", *got)
	}
	if End95(nil, three) != nil || End95([]float64{0.5, 0.5}, three) != nil {
		t.Error("an end of nothing, or of halves")
	}
	half := 0.02
	two := Within95([]float64{1, 0}, func(i int) int64 { return int64(i) }) // t of one degree is 12.7: ± 635.3 %
	for want, got := range map[string]string{
		"100.0 (from 83.2) %": Percent(1, &half, End95([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, func(i int) int64 { return int64(i) })),
		"0.0 (to 97.5) %":     Percent(0, nil, End95([]float64{0}, three)),
		"40.0 ± 2.0 %":        Percent(0.4, &half, nil),
		"40.0 %":              Percent(0.4, nil, nil),
		"50.0 %":              Percent(0.5, two, nil),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
