package main

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/kit/slow"
)

// TestStudies: in a few trials of each kind no rate is further from what is wanted than one in five
// hundred would be by chance.
func TestStudies(t *testing.T) {
	slow.Test(t, "learns from planted players")
	const trials = 4
	for _, s := range studies {
		for _, k := range s.kinds {
			hits, err := k.measure(trials, 1)
			if err != nil {
				t.Fatalf("%s: %v", k.name, err)
			}
			for c, want := range k.want {
				least, most := distuv.Binomial{N: trials, P: want[1]}, distuv.Binomial{N: trials, P: want[0]}
				h := float64(hits[c])
				if want[1] < 1 && 1-least.CDF(h-1) < 2e-3 || want[0] > 0 && most.CDF(h) < 2e-3 {
					t.Errorf("%s: %s in %d of %d, want %.0f to %.0f %%", k.name, s.columns[c], hits[c], trials, 100*want[0], 100*want[1])
				}
			}
		}
	}
}
