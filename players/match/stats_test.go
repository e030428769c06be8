package match

import (
	"encoding/json"
	"math"
	"testing"
)

// The pairs and the figures are those that fishtest prints for a test of its own; the
// second and third line are from closed forms.
func TestPairStatistics(t *testing.T) {
	s := newPairStats([5]int64{379, 10170, 21828, 10640, 343})
	near(t, "normalised Elo", s.normalisedElo().Value, 3.0505, 1e-3)
	near(t, "its error", s.normalisedElo().High-s.normalisedElo().Value, 2.3124, 1e-4)
	near(t, "normalised ratio", s.ratioNormalised(0, 2), 2.9455, 1e-3)
	near(t, "logistic ratio", s.ratioLogistic(0, 2), 3.1257, 1e-3)

	// 30 wins of 40 in pairs: the difference at which three quarters are expected.
	s = newPairStats([5]int64{0, 0, 10, 0, 10})
	near(t, "Elo", s.elo().Value, 400*math.Log10(3), 0.1)
	near(t, "standard error", s.spread(), 0.25/math.Sqrt(20), 1e-4)
	near(t, "superiority", s.superiority(), 0.5*math.Erfc(-math.Sqrt(20)/math.Sqrt2), 1e-5)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.6f; want %.6f", what, got, want)
	}
}

// TestDegenerate: results that leave nothing to estimate, or no variance, have an
// answer all the same.
func TestDegenerate(t *testing.T) {
	for name, pairs := range map[string][5]int64{
		"no games": {}, "all draws": {0, 0, 7, 0, 0}, "each side won": {3, 0, 0, 0, 3},
		"all lost": {9, 0, 0, 0, 0}, "all won": {0, 0, 0, 0, 50000},
	} {
		r := newResult([2]string{}, Tally{Pairs: pairs}, &Test{Elo1: 2, Alpha: 0.05, Beta: 0.05})
		text, err := json.Marshal(r)
		if err != nil { // an infinite number, or none
			t.Errorf("%s: %v", name, err)
		}
		switch {
		case name == "no games":
			if r.Elo != nil || r.SPRT.LLR != 0 || r.SPRT.Accepted != "" {
				t.Errorf("%s: %s", name, text)
			}
		case pairs[0] == pairs[4] && r.Elo.Value != 0, pairs[0] == pairs[4] && math.Abs(*r.Superiority-0.5) > 1e-12:
			t.Errorf("%s: %s", name, text)
		case pairs[4] > pairs[0] && !(r.Elo.Value > 600 && r.Elo.High <= mostElo && *r.Superiority > 0.99):
			t.Errorf("%s: %s", name, text)
		case pairs[4] < pairs[0] && !(r.Elo.Value < -600 && r.Elo.Low >= -mostElo && *r.Superiority < 0.01):
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestMirrored: seen from the other side everything changes its sign.
func TestMirrored(t *testing.T) {
	a := newPairStats([5]int64{3, 14, 15, 9, 2})
	b := newPairStats([5]int64{2, 9, 15, 14, 3})
	near(t, "Elo", a.elo().Low, -b.elo().High, 1e-9)
	near(t, "normalised Elo", a.normalisedElo().Low, -b.normalisedElo().High, 1e-9)
	near(t, "superiority", a.superiority(), 1-b.superiority(), 1e-12)
	near(t, "ratio", a.ratioNormalised(-5, 5), -b.ratioNormalised(-5, 5), 1e-6)
}
