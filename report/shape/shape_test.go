package shape

import (
	"math"
	"testing"
)

// sigmoidBins are bins on a sigmoid that is moved to the right by shift.
func sigmoidBins(scale, shift float64) []Bin {
	var bins []Bin
	for v := -500.0; v <= 500; v += 25 {
		p := 1 / (1 + math.Exp(-(v-shift)/scale))
		bins = append(bins, Bin{V: v, P: p, Positions: 1000, Won: 1000 * p, Low: p - 0.02, High: p + 0.02})
	}
	return bins
}

func TestSigmoidIsGivenBack(t *testing.T) {
	for _, scale := range []float64{5, 180, 3000, -200} {
		s := FitSigmoid(sigmoidBins(scale, 0))
		if !s.OK || math.Abs(s.Scale()/scale-1) > 1e-9 {
			t.Errorf("scale %v came back as %+v", scale, s)
		}
	}
	separated := []Bin{{V: -50, Positions: 100}, {V: 50, Positions: 100, Won: 100}}
	if s := FitSigmoid(separated); s.OK {
		t.Errorf("wins and losses that do not overlap: %+v", s)
	}
	if s := FitSigmoid([]Bin{{V: 0, Positions: 10, Won: 5}}); s.OK {
		t.Errorf("one bin at 0: %+v", s)
	}
}

func TestGapIsTheShift(t *testing.T) {
	g := GapBetween(sigmoidBins(120, 0), sigmoidBins(120, -60))
	for i, got := range append(g.Levels[:], g.Mean, g.Largest) {
		if math.Abs(got-60) > 2 {
			t.Errorf("gap %d is %v, want 60", i, got)
		}
	}
	if g.Signed <= 0 || math.Abs(g.Signed-g.Area) > 1e-12 {
		t.Errorf("area %v, signed %v", g.Area, g.Signed)
	}
	apart := GapBetween([]Bin{{V: 0, P: 0.1, Positions: 1}, {V: 1, P: 0.2, Positions: 1}}, []Bin{{V: 5, P: 0.8, Positions: 1}})
	if !math.IsNaN(apart.Mean) || !math.IsNaN(apart.Levels[1]) || !math.IsNaN(apart.Area) {
		t.Errorf("curves that share no height: %+v", *apart)
	}
}

func TestStepsDown(t *testing.T) {
	at := func(p ...float64) (bins []Bin) {
		for i, p := range p {
			bins = append(bins, Bin{V: float64(i), P: p, Low: p - 0.02, High: p + 0.02})
		}
		return bins
	}
	for _, test := range []struct {
		bins         []Bin
		down, beyond int
		at           float64
	}{
		{at(0.1, 0.2, 0.3), 0, 0, 0},
		{at(0.1, 0.2, 0.19, 0.3), 1, 0, 0},
		{at(0.1, 0.2, 0.1, 0.3, 0.29), 2, 1, 2},
		{at(0.1), 0, 0, 0},
		{nil, 0, 0, 0},
	} {
		if s := StepsOf(test.bins); s.Down != test.down || s.Beyond != test.beyond || s.At != test.at {
			t.Errorf("%v: %+v", test.bins, s)
		}
	}
}

func TestRisingCurve(t *testing.T) {
	r := RisingCurve([]Bin{{V: 0, P: 0.2, Positions: 1}, {V: 1, P: 0.5, Positions: 1}, {V: 2, P: 0.2, Positions: 2}, {V: 3, P: 0.6, Positions: 1}})
	if len(r.v) != 3 || math.Abs(r.p[1]-0.3) > 1e-12 || math.Abs(r.v[1]-5.0/3) > 1e-12 {
		t.Errorf("%+v", r)
	}
	if v, ok := r.Invert(0.45); !ok || math.Abs(v-(5.0/3+(3-5.0/3)/2)) > 1e-12 {
		t.Errorf("%v %v", v, ok)
	}
	for _, p := range []float64{0.1, 0.61} {
		if v, ok := r.Invert(p); ok {
			t.Errorf("%v is read at %v", p, v)
		}
	}
}

// TestWilsonOfNone: no games leave every share possible, as the formula's limit has it.
func TestWilsonOfNone(t *testing.T) {
	for _, share := range []float64{0, 0.5, 1} {
		if low, high := Wilson(share, 0); low != 0 || high != 1 {
			t.Errorf("share %v of no games: %v to %v, want 0 to 1", share, low, high)
		}
		if low, high := Wilson(share, 1e-9); low > 1e-9 || high < 1-1e-9 {
			t.Errorf("share %v of nearly no games: %v to %v", share, low, high)
		}
	}
}
