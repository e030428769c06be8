package main

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"kifu/internal/dyads"
	"kifu/kit/slow"
)

// TestPlantedRates: in a few data sets no interval of report calibration, depth, moves and database holds
// what was planted less often than one that holds it in 95 of 100 would by a chance of one in five hundred:
// some 36 intervals are looked at, so that one in forty would fail by chance alone. Intervals by game, where
// players have their habits, hold it in a quarter to a half.
func TestPlantedRates(t *testing.T) {
	slow.Test(t, "games of planted players")
	const trials = 4
	least := distuv.Binomial{N: trials, P: 0.95}
	for _, d := range playedDesigns {
		if !d.short {
			continue
		}
		names, held, err := d.measure(trials, 3)
		if err != nil {
			t.Fatal(err)
		}
		for j, name := range names {
			if strings.HasSuffix(name, dyads.ByGame) {
				continue
			}
			t.Logf("%s: %s: %v of %d", d.name, name, held[j], trials)
			if least.CDF(held[j]) < 1.0/500 {
				t.Errorf("%s: %s holds what was planted in %v of %d", d.name, name, held[j], trials)
			}
		}
	}
}
