package pentanomial

import (
	"math"
	"testing"
)

// TestSPRTPublished: fishtest's ratios of its published pairs, and answers where there is
// nothing to divide by.
func TestSPRTPublished(t *testing.T) {
	test := Test{Elo0: 0, Elo1: 2, Alpha: 0.05, Beta: 0.05}
	r := test.SPRT(published, Openings{})
	near(t, "normalised", r.LLR, 2.9455, 1e-3)
	near(t, "upper bound", r.Upper, math.Log(19), 1e-12)
	near(t, "lower bound", r.Lower, -math.Log(19), 1e-12)
	if r.Accepted != "elo_1" { // 2.9455 is above ln 19 = 2.9444
		t.Errorf("%+v", r)
	}
	test.Logistic = true
	if r = test.SPRT(published, Openings{}); r.Accepted != "elo_1" {
		t.Errorf("%+v", r)
	}
	near(t, "logistic", r.LLR, 3.1257, 1e-3)
	for name, c := range map[string]struct {
		pairs Pairs
		want  string
	}{
		"no games": {}, "too few": {Pairs{0, 0, 0, 0, LeastPairs - 1}, ""}, "all won": {Pairs{0, 0, 0, 0, 500}, "elo_1"},
		"all lost": {Pairs{500}, "elo_0"}, "equal": {Pairs{100, 0, 0, 0, 100}, ""},
	} {
		for _, logistic := range []bool{false, true} {
			test := Test{Elo0: -5, Elo1: 5, Logistic: logistic, Alpha: 0.05, Beta: 0.05}
			if r := test.SPRT(c.pairs, Openings{}); r.Accepted != c.want || math.IsNaN(r.LLR) || math.IsInf(r.LLR, 0) {
				t.Errorf("%s: %+v, want %q", name, r, c.want)
			}
		}
	}
	if r := (Test{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}).SPRT(Pairs{0, 0, 1000, 0, 0}, Openings{}); math.IsNaN(r.LLR) || r.LLR >= 0 {
		t.Errorf("all draws: %+v", r)
	}
	for _, bad := range []Test{{Elo0: 2, Elo1: 2, Alpha: 0.1, Beta: 0.1}, {Elo1: math.NaN(), Alpha: 0.1, Beta: 0.1}, {Elo1: 1, Beta: 0.1}, {Elo1: 1, Alpha: 0.5, Beta: 0.5}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is a test", bad)
		}
	}
}
