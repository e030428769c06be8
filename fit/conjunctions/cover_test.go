package conjunctions

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/internal/dyads"
	"kifu/kit/slow"
)

var replications = flag.Int("replications", 0, "data sets of the test of coverage, 0: a few")

// noise returns games of four squares, which have nothing to do with the result that all positions of a game
// share. Games have ten positions whose squares change at each ply; or, few, three to a hundred whose squares
// rarely change: what many positions tell, few games tell.
func noise(rng *rand.Rand, a *Atoms, games int, few bool) *Sample {
	s := newSample(len(a.List))
	var contents [4]int
	for game := range games {
		won := rng.IntN(2) == 0
		for g := range contents {
			contents[g] = rng.IntN(3)
		}
		length := 10
		if few {
			length = int(3 * math.Pow(100./3, rng.Float64()))
		}
		for range length {
			if !few || rng.IntN(10) == 0 {
				contents[rng.IntN(len(contents))] = rng.IntN(3)
			}
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

// returning returns games of players who are stronger or weaker, by nothing that is on the squares, and like to have some contents on them.
func returning(rng *rand.Rand, a *Atoms, schedule []dyads.Pair) (*Sample, dyads.ByID) {
	s, players := newSample(len(a.List)), dyads.ByID{}
	strength, likes := map[int32]float64{}, map[int32][4]int{}
	for game, pair := range schedule {
		players[int64(game)] = pair
		for _, p := range [2]int32{pair.A, pair.B} {
			if _, seen := strength[p]; !seen {
				strength[p], likes[p] = rng.NormFloat64(), [4]int{rng.IntN(3), rng.IntN(3), rng.IntN(3), rng.IntN(3)}
			}
		}
		won := rng.Float64() < 1/(1+math.Exp(strength[pair.B]-strength[pair.A]))
		for range 10 {
			var at []uint16
			for g := range 4 { // two squares are the first player's, two the second's
				c := rng.IntN(3)
				if rng.IntN(2) == 0 {
					c = likes[[2]int32{pair.A, pair.B}[g/2]][g]
				}
				at = append(at, uint16(a.first[g]+c))
			}
			s.add(at, int64(game), map[bool]float64{true: 1}[won], won)
		}
	}
	return s, players
}

// tally counts what is held, by its name.
type tally map[string][2]float64

func (t tally) add(name string, held bool) {
	x := t[name]
	if x[1]++; held {
		x[0]++
	}
	t[name] = x
}

// errors counts how often errors hold the weights, 0, of list, of the five largest, and whether q finds one of them.
func (t tally) errors(test *testing.T, name string, e *sparse.Estimate, w Weights, players dyads.Players) {
	order := byWeight(w.Of)
	all, _, err := judged(context.Background(), e, w, players, dyads.Both, func() {})
	if err != nil || len(all) != len(order) {
		test.Fatal(len(all), err)
	}
	found := false
	for k, i := range order {
		x := all[i]
		t.add(name, x.p >= 0.05)
		t.add(name+", 1.96 errors", math.Abs(w.Of[i]) <= 1.96*x.se)
		if k < 5 {
			t.add(name+", the five largest", x.p >= 0.05)
		}
		found = found || x.q <= 0.05
	}
	t.add(name+", data sets without q of 5 % or less", !found)
}

// TestErrorsCover: where nothing decides the games, Student's t with the errors and degrees of freedom holds the weight, 0, of
// conjunctions that nobody chose, q finds nothing in 95 % of data sets, and the gain on games held out is held; of weights that are
// the largest, or that CMIM chose, far fewer are held. The table of docs/validation.md is
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
	kept := tally{}
	for i := range runs {
		for kind, few := range map[string]bool{"": false, "few games: ": true} {
			rng, games := rand.New(rand.NewPCG(11, uint64(i))), 400
			if few {
				games = 100
			}
			s := noise(rng, a, games, few)
			found, err := mine(ctx, s, a, Limits{Support: p.Support, Size: p.Size, Merge: 1, Most: p.Most}, 1)
			if err != nil {
				t.Fatal(err)
			}
			sets := found.Sets()
			w, e, err := fitted(ctx, s, sets, p, 1)
			if err != nil {
				t.Fatal(err)
			}
			kept.errors(t, kind+"all conjunctions", e, w, nil)
			if few {
				continue
			}
			chosen, err := cmim(ctx, s, sets, 5, 1)
			if err != nil {
				t.Fatal(err)
			}
			var five []Set
			for _, c := range chosen {
				five = append(five, sets[c.Set])
			}
			of, e, err := fitted(ctx, s, five, p, 1)
			if err != nil {
				t.Fatal(err)
			}
			kept.errors(t, "five chosen by CMIM", e, of, nil)
			kept.gain(t, w, sets, noise(rng, a, 200, false), noise(rng, a, 2000, false))
		}
	}
	for i := range runs {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		s, players := returning(rng, a, fittest.Zipf(60, 400)(rng))
		found, err := mine(ctx, s, a, Limits{Support: p.Support, Size: p.Size, Merge: 1, Most: p.Most}, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, e, err := fitted(ctx, s, found.Sets(), p, 1)
		if err != nil {
			t.Fatal(err)
		}
		kept.errors(t, "players return: all conjunctions", e, w, players)
		kept.errors(t, "players return, by game: all conjunctions", e, w, nil)
	}
	kept.check(t, runs, map[string][2]float64{"all conjunctions": {0.94, 0.97}, "few games: all conjunctions": {0.94, 0.98}, "players return: all conjunctions": {0.94, 0.99},
		"players return: all conjunctions, data sets without q of 5 % or less": {0.95, 1},
		"all conjunctions, data sets without q of 5 % or less":                 {0.95, 1}, "few games: all conjunctions, data sets without q of 5 % or less": {0.95, 1},
		"all conjunctions, the five largest": {0, 0.9}, "five chosen by CMIM": {0, 0.9}, "held-out gain": {0.92, 0.97}})
}

// gain counts whether the error on held games holds the gain of w over its constant on many others.
func (t tally) gain(test *testing.T, w Weights, sets []Set, held, all *Sample) {
	of := func(s *Sample) (float64, float64) {
		z, err := w.scores(context.Background(), s, sets, 1)
		if err != nil {
			test.Fatal(err)
		}
		q := s.gain(s.measure(losses.MLM, func(i int) float64 { return z[i] }), s.measure(losses.MLM, func(int) float64 { return w.Constant }))
		return q.Loss, q.LossSE
	}
	got, se := of(held)
	truth, more := of(all)
	t.add("held-out gain", math.Abs(got-truth) <= 1.96*math.Hypot(se, more))
}

// check holds the shares to what they should be, within three of their errors.
func (t tally) check(test *testing.T, runs int, want map[string][2]float64) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		share := t[name][0] / t[name][1]
		se := math.Sqrt(max(share*(1-share), 0.05*0.95) / float64(runs))
		test.Logf("| %s | %.1f ± %.1f %% |", name, 100*share, 100*se)
		if w, ok := want[name]; ok && (share < w[0]-3*se || share > w[1]+3*se) {
			test.Errorf("%s: %.1f ± %.1f %% are held, want %.0f to %.0f %%", name, 100*share, 100*se, 100*w[0], 100*w[1])
		}
	}
}
