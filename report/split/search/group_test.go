package search

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/internal/logit"
	"kifu/kit/slow"
)

// found are the conditions shown, a mirrored one after a slash.
func found(leaders []*Split) (all []string) {
	for _, k := range leaders {
		text := k.Condition.Name
		if k.Mirror != nil {
			text += " / " + k.Mirror.Condition.Name
		}
		all = append(all, text)
	}
	return all
}

// lacking are games of an evaluator that does not know a condition on two columns: where
// it holds, log-odds are higher or lower by bonus. Values of a game are nearly the same.
func lacking(seed uint64, games int, bonus func(a, b float64) float64) *rowBlock {
	r := rand.New(rand.NewPCG(seed, 3))
	b := &rowBlock{columns: make([][]float64, 2)}
	for id := range games {
		columns := []float64{math.Round(30 * r.NormFloat64()), math.Round(30 * r.NormFloat64())}
		mean, won, from := 150*r.NormFloat64(), uint8(0), len(b.value)
		if r.Float64() < logit.Probability(mean/150+bonus(columns[0], columns[1])) {
			won = 2
		}
		for range 5 {
			b.value, b.won, b.number = append(b.value, mean+3*r.NormFloat64()), append(b.won, won), append(b.number, len(b.number))
			for k := range columns {
				b.columns[k] = append(b.columns[k], columns[k]+r.NormFloat64())
			}
		}
		side := Train
		if id%3 == 0 {
			side = Held
		}
		b.games = append(b.games, gameRows{int64(id), side, from, len(b.value)})
	}
	return b
}

// TestSplitPairs: where one column is missing, no pair with another is shown beside it;
// where the two count only together, their pair is first.
func TestSplitPairs(t *testing.T) {
	slow.Test(t, "searches with pairs")
	step := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	idle, together := 0, 0
	const runs = 20
	for seed := range uint64(runs) {
		p := Params{FDR: 0.05, Top: 10, MinCount: 200}
		_, one, _, set := search(t, lacking(seed, 4000, func(a, _ float64) float64 { return 0.8 * step(a > 25) }), p)
		for _, k := range one {
			if len(set.Of(k.Condition)) == 2 {
				idle++
			}
		}
		if len(one) == 0 || !strings.HasPrefix(one[0].Condition.SQL, "xa >= ") || len(set.Of(one[0].Condition)) == 2 {
			t.Errorf("seed %d: %q of one condition", seed, found(one))
		}
		_, two, _, set := search(t, lacking(seed, 4000, func(a, b float64) float64 { return 1.2 * step(a > 25 && b > 25) }), p)
		if len(two) > 0 && len(set.Of(two[0].Condition)) == 2 {
			together++
		}
	}
	t.Logf("%d pairs that say nothing, %d of %d that do", idle, together, runs)
	if idle > runs/10 {
		t.Errorf("%d pairs shown that add nothing", idle)
	}
	if together < runs-2 {
		t.Errorf("the pair that is missing is first in %d of %d searches", together, runs)
	}
}

// TestSplitMirrors: what is missing for both colours is one finding, with the other
// colour's after it.
func TestSplitMirrors(t *testing.T) {
	b := lacking(4, 6000, func(a, _ float64) float64 {
		switch {
		case a > 25:
			return 0.8
		case a < -25:
			return -0.8
		}
		return 0
	})
	_, all, _, _ := search(t, b, Params{FDR: 0.05, Top: 10, MinCount: 200})
	if len(all) == 0 || all[0].Mirror == nil {
		t.Fatalf("found %q", found(all))
	}
	one, other := all[0].Condition.SQL, all[0].Mirror.Condition.SQL
	if !strings.HasPrefix(one, "xa ") || !strings.HasPrefix(other, "xa ") || strings.Contains(one, ">=") == strings.Contains(other, ">=") {
		t.Errorf("found %q", found(all))
	}
}
