package split

import (
	"math"
	"strings"
	"testing"
)

// TestForest: where two columns count only together, the tree and the best pair find them and
// their leaves hold on held-out games, boosting finds more than the total curve, and a search
// that has the pair explains most of it.
func TestForest(t *testing.T) {
	bonus := func(a, b float64) float64 {
		if a > 20 && b > 20 {
			return 1.5
		}
		return 0
	}
	b := lacking(7, 4000, bonus)
	p := Params{FDR: 0.1, Level: 0.1, Top: 10, MinCount: 200, By: ByFall}
	s, splits, _, set := search(t, b, p)
	for _, k := range splits {
		k.Confirmed = !math.IsNaN(k.ShiftP)
	}
	s.sort(splits)
	v, x, _ := axisOf(t, b)
	f := s.above(x, v, set)
	for name, leaves := range map[string][]leaf{"tree": f.Tree, "pair": f.Pair} {
		found := false
		for _, l := range leaves {
			found = found || strings.Contains(l.Condition, "xa > ") && strings.Contains(l.Condition, "xb > ") && l.P < 1e-4 && l.Shift > 0.7
		}
		if !found {
			t.Errorf("%s: %+v", name, leaves)
		}
	}
	t.Logf("named %v, boosting %v, share %v", f.Named, f.Boost, f.Share)
	if f.Boost.Low <= 0 || f.Share.Value < 0.6 || f.Share.Value > 1.4 {
		t.Errorf("named %v, boosting %v, share %v", f.Named, f.Boost, f.Share)
	}
}

// TestForestOfNothing: where nothing is missing, neither leaves nor boosting have anything.
func TestForestOfNothing(t *testing.T) {
	wrong := 0
	const runs = 12
	for seed := range uint64(runs) {
		b := lacking(seed, 1500, func(_, _ float64) float64 { return 0 })
		p := Params{FDR: 0.1, Level: 0.1, Top: 10, MinCount: 200, By: ByFall, Seed: seed}
		s, _, _, set := search(t, b, p)
		v, x, _ := axisOf(t, b)
		f := s.above(x, v, set)
		for _, l := range append(f.Tree, f.Pair...) {
			if l.P < 0.05 {
				wrong++
				break
			}
		}
		if f.Boost.Low > 0 {
			t.Errorf("seed %d: boosting lowers the log-loss by %v", seed, f.Boost)
		}
		if f.Further.Low <= 0 && !math.IsNaN(f.Share.Value) {
			t.Errorf("seed %d: a share %v of what may be nothing: %v, %v", seed, f.Share, f.Boost, f.Further)
		}
	}
	if wrong > 3 {
		t.Errorf("leaves of %d of %d trees pass", wrong, runs)
	}
}
