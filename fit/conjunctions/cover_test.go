package conjunctions

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/fit/sparse"
	"kifu/kit/slow"
)

var replications = flag.Int("replications", 0, "data sets of the test of coverage, 0: a few")

// noise returns games of ten positions of four squares, which change slowly and have nothing to do with the
// result that all positions of a game share.
func noise(rng *rand.Rand, a *Atoms, games int) *Sample {
	s := newSample(len(a.List))
	var contents [4]int
	for game := range games {
		won := rng.IntN(2) == 0
		for g := range contents {
			contents[g] = rng.IntN(3)
		}
		for range 10 {
			contents[rng.IntN(len(contents))] = rng.IntN(3)
			var at []uint16
			for g, c := range contents {
				at = append(at, uint16(a.first[g]+c))
			}
			y := 0.0
			if won {
				y = 1
			}
			s.add(at, int64(game), y, won)
		}
	}
	return s
}

// TestErrorsCover: ± 1.96 errors hold the weight, 0, of conjunctions that nobody chose, and the gain on games
// that were held out; of those that CMIM chose they hold far fewer, so that these have no errors.
// The table of docs/conjunctions.md is
//
//	go test ./fit/conjunctions -run TestErrorsCover -v -replications 400
func TestErrorsCover(t *testing.T) {
	slow.Test(t, "dozens of fits")
	runs := max(8, *replications)
	a := &Atoms{}
	for g := range 4 {
		a.group(-1, 3, func(i int) (name, sql string) { return fmt.Sprintf("%c%d", 'a'+g, i), "" })
	}
	ctx, p := context.Background(), Defaults()
	p.Size, p.Support = 2, 50
	hits, of := map[string]float64{}, map[string]float64{}
	for i := range runs {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		s, held, all := noise(rng, a, 400), noise(rng, a, 200), noise(rng, a, 2000)
		found, err := Mine(ctx, s, a, Limits{Support: p.Support, Size: p.Size, Merge: 1, Most: p.Most}, 1)
		if err != nil {
			t.Fatal(err)
		}
		sets := found.Sets()
		chosen, err := CMIM(ctx, s, sets, 5, 1)
		if err != nil {
			t.Fatal(err)
		}
		var few []Set
		for _, c := range chosen {
			few = append(few, sets[c.Set])
		}
		for name, list := range map[string][]Set{"all conjunctions": sets, "five chosen by CMIM": few} {
			w, e, err := fitted(ctx, s, list, p, 1)
			if err != nil {
				t.Fatal(err)
			}
			for j, weight := range w.Of {
				se, err := e.Error(ctx, []sparse.Entry{{Weight: j + 1, Share: 1}})
				if err != nil {
					t.Fatal(err)
				}
				of[name]++
				if math.Abs(weight) <= 1.96*se {
					hits[name]++
				}
			}
			gain := func(s *Sample) (float64, float64) {
				z, err := w.scores(ctx, s, list, 1)
				if err != nil {
					t.Fatal(err)
				}
				q := s.gain(s.measure(p.Method, func(i int) float64 { return z[i] }), s.measure(p.Method, func(int) float64 { return w.Constant }))
				return q.Loss, q.LossSE
			}
			got, se := gain(held)
			truth, more := gain(all)
			of["held-out gain"]++
			if math.Abs(got-truth) <= 1.96*math.Hypot(se, more) {
				hits["held-out gain"]++
			}
		}
	}
	for name, want := range map[string][2]float64{"all conjunctions": {0.93, 0.97}, "five chosen by CMIM": {0, 0.9}, "held-out gain": {0.92, 0.97}} {
		share, se := hits[name]/of[name], math.Sqrt(0.95*0.05/float64(runs))
		t.Logf("| %s | %.1f ± %.1f %% |", name, 100*share, 100*se)
		if share < want[0]-3*se || share > want[1]+3*se {
			t.Errorf("%s: %.1f ± %.1f %% are held, want %.0f to %.0f %%", name, 100*share, 100*se, 100*want[0], 100*want[1])
		}
	}
}
