package pentanomial

import (
	"math"
	"testing"
)

// TestUsual: the normalised Elo is what fishtest prints for a test of its own; the other numbers
// are those of the formulas, worked out by hand below.
func TestUsual(t *testing.T) {
	u, _ := Usually(published)
	near(t, "normalised Elo", u.NormalisedElo, 3.0505, 1e-3)
	near(t, "its error", u.NormalisedError, 2.3124, 1e-3)
	// 100 pairs: 10 of 0, 20 of ½, 30 of 1, 25 of 1½, 15 of 2 points. Mean (5+15+18.75+15)/100.
	u, ok := Usually(Pairs{10, 20, 30, 25, 15})
	const mean = 0.5375
	variance := (10*mean*mean + 20*(mean-.25)*(mean-.25) + 30*(mean-.5)*(mean-.5) + 25*(.75-mean)*(.75-mean) + 15*(1-mean)*(1-mean)) / 100
	want := Usual{
		Elo:           400 * math.Log10(mean/(1-mean)),
		NormalisedElo: (mean - .5) / math.Sqrt(2*variance) * 800 / math.Ln10,
		Superiority:   0.5 + math.Erf((mean-.5)*10/math.Sqrt(2*variance))/2,
		DrawRatio:     0.3, PairsRatio: 40.0 / 30,
	}
	want.NormalisedError = 1.959963984540054 / 10 / math.Sqrt2 * 800 / math.Ln10
	half := 1.959963984540054 * math.Sqrt(variance/100)
	want.EloError = 200 * (math.Log10((mean+half)/(1-mean-half)) - math.Log10((mean-half)/(1-mean+half)))
	for _, c := range [][2]float64{{u.Elo, want.Elo}, {u.EloError, want.EloError}, {u.NormalisedElo, want.NormalisedElo},
		{u.NormalisedError, want.NormalisedError}, {u.Superiority, want.Superiority}, {u.DrawRatio, want.DrawRatio}, {u.PairsRatio, want.PairsRatio}} {
		if !ok || math.Abs(c[0]-c[1]) > 1e-9 {
			t.Errorf("%+v, want %+v", u, want)
		}
	}
	for _, none := range []Pairs{{}, {0, 0, 5, 0, 0}, {0, 0, 0, 0, 9}, {0, 0, 0, 1, 1}} {
		if u, ok := Usually(none); ok {
			t.Errorf("%v: %+v of no variance or beyond a shut-out", none, u)
		}
	}
}

// TestHypotheses: the greatest that are allowed have a ratio for any pairs, and greater ones are an
// error.
func TestHypotheses(t *testing.T) {
	test := Test{Elo0: -mostNormalised, Elo1: mostNormalised, Alpha: 0.05, Beta: 0.05}
	for _, p := range []Pairs{{0, 1, 7, 1, 11}, {0, 0, 0, 0, 9}, {9}, {0, 0, 9}} {
		if r := test.SPRT(p, Openings{}); test.Validate() != nil || math.IsNaN(r.LLR) || math.IsInf(r.LLR, 0) {
			t.Errorf("%v: ratio %v, %v", p, r.LLR, test.Validate())
		}
	}
	for _, elo := range []float64{mostNormalised + 1, 1000} {
		if test.Elo1 = elo; test.Validate() == nil {
			t.Errorf("0 against %g is taken", elo)
		}
		if test.Logistic = true; test.Validate() != nil {
			t.Errorf("%g in Elo is not taken", elo)
		}
		test.Logistic = false
	}
}
