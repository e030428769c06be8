package pentanomial

import (
	"encoding/json"
	"math"
	"testing"

	"kifu/internal/dyads"
)

// published are pairs of a test of fishtest.
var published = Pairs{379, 10170, 21828, 10640, 343}

// The pairs and the figures are those that fishtest prints for a test of its own; the
// second group is from closed forms.
func TestPublished(t *testing.T) {
	m := Measure(published, Openings{})
	near(t, "normalised Elo", m.NormalisedElo().Value, 3.0505, 1e-3)
	near(t, "its error", m.NormalisedElo().High-m.NormalisedElo().Value, 2.3124, 2e-3)
	near(t, "normalised ratio", newSample(published).ratioNormalised(0, 2), 2.9455, 1e-3)
	near(t, "logistic ratio", newSample(published).ratioLogistic(0, 2), 3.1257, 1e-3)

	// 30 wins of 40 in pairs: the difference at which three quarters are expected.
	m = Measure(Pairs{0, 0, 500, 0, 500}, Openings{})
	near(t, "Elo", m.Elo().Value, 400*math.Log10(3), 0.1)
	near(t, "half its interval", (m.Score().High-m.Score().Low)/2, dyads.Normal95*0.25/math.Sqrt(1000), 2e-4)
}

// TestShutOut: the lower end of 86 games won, two by two, is the exact one, and no end is
// beyond what the pairs can tell.
func TestShutOut(t *testing.T) {
	m := Measure(Pairs{0, 0, 0, 0, 43}, Openings{})
	exact := Logistic(math.Pow(0.025, 1.0/43)) // Clopper and Pearson: +419
	near(t, "Elo of 86-0", m.Elo().Low, exact, 1)
	near(t, "upper end", m.Elo().High, mostElo, 0)
	if n := m.NormalisedElo(); !(n.Low > 300 && n.Low < 400 && n.High == mostElo) {
		t.Errorf("normalised Elo of 86-0: %+v", n)
	}
	near(t, "Elo of 0-86", Measure(Pairs{43}, Openings{}).Elo().High, -exact, 1)
	// One pair says next to nothing.
	if m := Measure(Pairs{0, 0, 0, 0, 1}, Openings{}); m.Elo().Low > -200 || m.Superiority() > 0.95 {
		t.Errorf("one pair won: %+v, superiority %.3f", m.Elo(), m.Superiority())
	}
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
	for name, pairs := range map[string]Pairs{
		"all draws": {0, 0, 7, 0, 0}, "each side won": {3, 0, 0, 0, 3}, "one pair": {0, 0, 1, 0, 0},
		"all lost": {9, 0, 0, 0, 0}, "all won": {0, 0, 0, 0, 50000}, "many draws": {0, 0, 100000, 0, 0},
	} {
		m, test := Measure(pairs, Openings{}), Test{Elo1: 2, Alpha: 0.05, Beta: 0.05}
		elo, superiority := m.Elo(), m.Superiority()
		if _, err := json.Marshal([]any{m.Score(), elo, m.NormalisedElo(), superiority, test.Ended(pairs, Openings{})}); err != nil { // an infinite number, or none
			t.Errorf("%s: %v", name, err)
		}
		switch {
		case pairs[0] == pairs[4] && (elo.Value != 0 || math.Abs(superiority-0.5) > 1e-9),
			pairs[4] > pairs[0] && !(elo.Low > 600 && elo.High <= mostElo && superiority > 0.99),
			pairs[4] < pairs[0] && !(elo.High < -100 && elo.Low >= -mostElo && superiority < 0.01):
			t.Errorf("%s: %+v, superiority %.3f", name, elo, superiority)
		}
	}
}

// TestMirrored: seen from the other side everything changes its sign.
func TestMirrored(t *testing.T) {
	p, q := Pairs{3, 14, 15, 9, 2}, Pairs{2, 9, 15, 14, 3}
	a, b := Measure(p, Openings{}), Measure(q, Openings{})
	near(t, "Elo", a.Elo().Low, -b.Elo().High, 1e-9)
	near(t, "normalised Elo", a.NormalisedElo().Low, -b.NormalisedElo().High, 1e-9)
	near(t, "superiority", a.Superiority(), 1-b.Superiority(), 1e-9)
	near(t, "ratio", newSample(p).ratioNormalised(-5, 5), -newSample(q).ratioNormalised(-5, 5), 1e-6)
	test := Test{Elo0: -20, Elo1: 20, Alpha: 0.05, Beta: 0.05}
	near(t, "after the test", test.Ended(p, Openings{}).Estimates.NormalisedElo.Low, -test.Ended(q, Openings{}).Estimates.NormalisedElo.High, 1e-6)
}

// TestWalk: the chances of a Brownian motion between two bounds against its closed forms and
// each other.
func TestWalk(t *testing.T) {
	for _, drift := range []float64{-1.5, -0.1, 0.01, 0.4, 2} {
		w := walk{below: 2, above: 3, drift: drift, time: 1000}
		near(t, "met at last", w.hits(), math.Expm1(2*drift*w.below)/(math.Exp(2*drift*w.below)-math.Exp(-2*drift*w.above)), 1e-9)
		for _, w.time = range []float64{0.01, 0.5, 3, 20} {
			lower := 1 - w.atLeast("elo_0", 0)
			near(t, "all that can happen", w.hits()+lower+w.within(-w.below), 1, 1e-9)
			if at := w.atLeast("", 0.5); !(w.hits() <= at && at <= 1-lower) {
				t.Errorf("drift %g, time %g: order", drift, w.time)
			}
		}
	}
	// Far from the lower bound it is the inverse Gaussian distribution; without drift twice
	// the normal tail.
	near(t, "reflection", walk{below: 1e3, above: 2, time: 4}.hits(), math.Erfc(1/math.Sqrt2), 1e-9)
}
