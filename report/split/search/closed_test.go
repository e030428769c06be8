package search

import (
	"math"
	"strings"
	"testing"

	"kifu/kit/slow"
	"kifu/report/split/conditions"
)

// missingKind says which columns are missing, and how far columns that are missing are alike.
type missingKind struct {
	columns string
	alike   float64
}

// missing are games in which columns are higher in games that are won, by 0.2 to either side.
func (m missingKind) play(seed uint64, games int) *rowBlock {
	b := simulated(seed, games, 30, 8, 0)
	for i, won := range b.won {
		for column := range m.columns {
			if column > 0 {
				b.columns[column][i] = m.alike*b.columns[0][i] + math.Sqrt(1-m.alike*m.alike)*b.columns[column][i]
			}
		}
		for column := range m.columns {
			b.columns[column][i] += 0.2 * (float64(won) - 1)
		}
	}
	return b
}

// odds is what a condition on one column adds to the logarithm of the odds, beside columns that it has nothing in common with.
func (b *rowBlock) odds(a conditions.Atom) float64 {
	var n [2][2]float64 // lost and won, without and with
	for i, won := range b.won {
		n[won/2][int(conditions.Compare(b.columns[a.Column][i:i+1], a.Op, a.At))]++
	}
	return math.Log(n[1][1] * n[0][0] / n[0][1] / n[1][0])
}

// TestHalvesPass: a missing column is not shown in a pair with one that means nothing, with three columns missing what
// is shown seldom has none of them, and what is said of a shift beside others is right.
//
//	go test ./report/split/search -run TestHalvesPass -v -replications 100
func TestHalvesPass(t *testing.T) {
	slow.Test(t, "three dozen searches")
	const rate = 0.05
	runs := max(12, *replications)
	for _, missing := range []missingKind{{"a", 0}, {"abc", 0}, {"abc", 0.5}} {
		many := missing.play(1_000_000, 20_000)
		right, mixed, wrong, held, beside := 0, 0, 0, 0, 0
		for seed := range uint64(runs) {
			_, found, _, set := search(t, missing.play(seed, 600), Params{FDR: rate, Top: 20, MinCount: 300})
			var some, half, none bool
			before := map[int]bool{} // columns, which later cuts of them have much in common with
			for _, k := range withMirrors(found) {
				if math.IsNaN(k.ShiftP) {
					continue
				}
				parts, of := strings.Split(k.Condition.SQL, " AND "), 0
				for _, part := range parts {
					of += one(strings.HasPrefix(part, "x") && strings.Contains(missing.columns, part[1:2]))
				}
				some, half, none = some || of > 0, half || of > 0 && of < len(parts), none || of == 0
				a := set.Atoms[k.Condition.Atoms[0]]
				if !math.IsNaN(k.Given.Value) && len(parts) == 1 && of == 1 && missing.alike == 0 && !before[a.Column] {
					truth := many.odds(a)
					held, beside = held+one(k.Given.Low <= truth && truth <= k.Given.High), beside+1
				}
				before[a.Column] = true
			}
			right, mixed, wrong = right+one(some), mixed+one(half), wrong+one(none)
		}
		t.Logf("%s missing, alike by %v: found in %d, a pair with noise in %d, wholly false in %d of %d searches; %d of %d weights beside others are held", missing.columns, missing.alike, right, mixed, wrong, runs, held, beside)
		most := rate*float64(runs) + 3*math.Sqrt(rate*(1-rate)*float64(runs))
		if 4*right < 3*runs || float64(mixed) > most || float64(wrong) > most {
			t.Errorf("%s missing, alike by %v: found in %d, a pair with noise in %d, wholly false in %d of %d searches", missing.columns, missing.alike, right, mixed, wrong, runs)
		}
		if n := float64(beside); float64(held) < 0.95*n-3*math.Sqrt(0.95*0.05*n)-1 {
			t.Errorf("%s missing: %d of %d weights beside others are held", missing.columns, held, beside)
		}
	}
}
