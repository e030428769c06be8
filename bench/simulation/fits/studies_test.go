package main

import (
	"testing"

	"kifu/kit/slow"
)

// TestStudies: in a few data sets of each case, rates are within four errors of the
// simulation of what is wanted.
func TestStudies(t *testing.T) {
	slow.Test(t, "small simulations of fits")
	for _, s := range studies {
		for _, k := range s.cases {
			if k.cost > 1 || k.slow {
				continue
			}
			rates, err := k.measure(s.name, 8, 1)
			if err != nil {
				t.Fatalf("%s, %s: %v", s.name, k.name, err)
			}
			for _, r := range rates {
				if p, se := r.share(); r.want != [2]float64{} && (p < r.want[0]-4*se || p > r.want[1]+4*se) {
					t.Errorf("%s, %s: %s %.1f ± %.1f %%, want %.1f to %.1f %%", s.name, k.name, r.name, 100*p, 100*se, 100*r.want[0], 100*r.want[1])
				}
			}
		}
	}
}
