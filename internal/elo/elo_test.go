package elo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRatingSteps: one win, by hand, in each band; and the classes of table 1.
func TestRatingSteps(t *testing.T) {
	r, orders := Rate(2, []Game{{[2]int{0, 1}, 2}}, 7, rand.New(rand.NewPCG(1, 0)))
	if math.Abs(r[0].Mean-1616) > 1e-9 || math.Abs(r[1].Mean-1584) > 1e-9 || orders != 7 || r[0].SD != 0 {
		t.Errorf("%d orders, %+v", orders, r)
	}
	for rating, want := range map[float64]float64{2099: 32, 2100: 24, 2399: 24, 2400: 16} {
		if step(rating) != want {
			t.Errorf("C of %g is %g", rating, step(rating))
		}
	}
	if got := expected(400); math.Abs(got-10.0/11) > 1e-12 {
		t.Errorf("expected %v", got)
	}
	for r, want := range map[Rating]string{{Mean: 1188.94, SD: 28.94, Class: "E"}: "1188.9 ± 28.9 (class E)", {Mean: 2100, SD: 5, Class: "Expert"}: "2100.0 ± 5.0 (Expert)"} {
		if r.String() != want {
			t.Errorf("%v, want %s", r, want)
		}
	}
	for rating, want := range map[float64]string{2400: "Senior Master", 2399: "Master", 2000: "Expert", 1999: "A", 1600: "B", 1599: "C", 1188.94: "E", 1206: "D", 200: "I", 199: "J", -50: "J"} {
		if class(rating) != want {
			t.Errorf("class of %g is %s, want %s", rating, class(rating), want)
		}
	}
	if r, orders := Rate(2, nil, 5000, rand.New(rand.NewPCG(1, 0))); r != nil || orders != 0 {
		t.Errorf("no games: %v in %d orders", r, orders)
	}
	if _, orders := Rate(2, make([]Game, 50_000), 5000, rand.New(rand.NewPCG(1, 0))); orders != 200 {
		t.Errorf("%d orders of 50,000 games", orders)
	}
}
