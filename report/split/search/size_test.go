package search

import (
	"flag"
	"math"
	"slices"
	"testing"

	"kifu/kit/slow"
	"kifu/report/split/conditions"
	"kifu/schemas"
)

var replications = flag.Int("replications", 0, "data sets of the tests of rates, 0: a few")

// slopeTests are the p-values of all conditions' slopes in the held-out games of b, where nothing
// is missing: by the moments of the model, and by a t-test.
func slopeTests(t *testing.T, b *rowBlock) (model, student []float64) {
	v := b.survey(25, len(b.columns), 1)
	v.types = slices.Repeat([]schemas.Type{schemas.Float64}, len(b.columns))
	for _, g := range b.games {
		v.sides[g.side].Games++
	}
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	set := conditions.New([]string{"xa", "xb", "xc", "xd", "xe", "xf", "xg", "xh"}[:len(b.columns)], v.types, v.sample, nil)
	verdicts := b.screen(x, set, Held)
	k := &sloper{axis: x, set: set, side: Held, lift: x.lift(Held, verdicts)}
	sum := k.run(x.blockOf(b, set, nil))
	for c, s := range sum {
		if p := s.p(); verdicts[c].Tested() && verdicts[c].Games >= FewestGames && verdicts[c].slopeSquare > 0 && !math.IsNaN(p) {
			model, student = append(model, p), append(student, verdicts[c].SlopeP)
		}
	}
	return model, student
}

// TestSlopeSize: where nothing is missing, the test that confirms a slope rejects no more often
// than it says, down to 1e-4, where a t-test rejects many times too often.
//
//	go test ./report/split/search -run TestSlopeSize -v -replications 400
func TestSlopeSize(t *testing.T) {
	slow.Test(t, "thousands of tests")
	runs := max(10, *replications)
	levels := []float64{0.05, 0.01, 1e-3, 1e-4}
	for _, d := range []struct{ games, plies int }{{600, 30}, {1500, 30}} {
		below := [2][]float64{make([]float64, len(levels)), make([]float64, len(levels))}
		squares := [2][]float64{make([]float64, len(levels)), make([]float64, len(levels))}
		n := 0.0
		for seed := range uint64(runs) {
			model, student := slopeTests(t, simulated(seed, d.games, d.plies, 6, 0))
			n += float64(len(model))
			for i, all := range [2][]float64{model, student} {
				for j, level := range levels {
					hits := 0.0
					for _, p := range all {
						if p <= level {
							hits++
						}
					}
					below[i][j] += hits
					squares[i][j] += hits * hits
				}
			}
		}
		for i, name := range []string{"model", "t"} {
			for j, level := range levels {
				share := below[i][j] / n
				// Tests of one data set are not independent, data sets are.
				error := math.Sqrt(math.Max(0, squares[i][j]-below[i][j]*below[i][j]/float64(runs))) / n
				t.Logf("%d games, a third of them held out: %-5s at %g rejects %.2f ± %.2f times as often", d.games, name, level, share/level, error/level)
				if i == 0 && share > level*1.3+4*error+4/n {
					t.Errorf("at %v %v of the slopes are found where there is none", level, share)
				}
			}
		}
	}
}
