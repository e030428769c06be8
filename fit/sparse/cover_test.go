package sparse

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/internal/dyads"
	"kifu/kit/slow"
)

var replications = flag.Int("replications", 0, "data sets of the test of coverage, 0: a few")

// patterned are games of three to two hundred positions with one class of each of six patterns, which change now and then. Classes have
// weights, planted ones, players are stronger or weaker than these say, and like some classes more than others.
func patterned(rng *rand.Rand, planted []float64, schedule []dyads.Pair) (*Store, dyads.ByID) {
	const classes = 10
	b, players := NewBuilder(len(planted)), dyads.ByID{}
	strength, likes := map[int32]float64{}, map[int32][]int{}
	for g, pair := range schedule {
		players[int64(g)] = pair
		for _, p := range [2]int32{pair.A, pair.B} {
			if _, seen := strength[p]; !seen {
				strength[p] = 1.2 * rng.NormFloat64()
				for range len(planted) / classes {
					likes[p] = append(likes[p], rng.IntN(classes/2))
				}
			}
		}
		at := make([]uint32, len(planted)/classes)
		move := func(k int) {
			class := rng.IntN(classes)
			switch rng.IntN(3) { // a half of the classes is of the first player, the other of the second
			case 0:
				class = likes[pair.A][k]
			case 1:
				class = classes/2 + likes[pair.B][k]
			}
			at[k] = uint32(k*classes + class)
		}
		for k := range at {
			move(k)
		}
		luck := rng.Float64() // one number for the whole game: its positions depend on each other
		for range 3 + int(math.Exp(math.Log(12)+0.8*rng.NormFloat64())) {
			if rng.IntN(3) == 0 {
				move(rng.IntN(len(at)))
			}
			z := strength[pair.A] - strength[pair.B]
			for _, a := range at {
				z += planted[a]
			}
			y := 0.0
			if luck < losses.Win(z) {
				y = 1
			}
			if err := b.Add(&Row{Game: int64(g), Y: y, Weight: 1, At: at}); err != nil {
				panic(err)
			}
		}
	}
	return b.Finish(), players
}

// TestErrorsCover: Student's t with the errors and degrees of freedom holds the mean of the shrunk weight, of patterns with effects and in games of
// unequal length, where players return, too; errors by game alone hold it far less often.
//
//	go test ./fit/sparse -run TestErrorsCover -v -replications 100
func TestErrorsCover(t *testing.T) {
	slow.Test(t, "hundreds of fits")
	runs := max(12, *replications)
	planted := make([]float64, 60)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range planted {
		planted[i] = 0.3 * r.NormFloat64()
	}
	for _, kind := range []struct {
		name     string
		schedule func(rng *rand.Rand) []dyads.Pair
	}{{"nobody returns, 300 games", fittest.Fresh(300)}, {"60 players by Zipf's law, 400 games", fittest.Zipf(60, 400)}, {"100 players, 400 games", fittest.Anyone(100, 400)}, {"6 engines, 240 games", fittest.Anyone(6, 240)}} {
		estimates, spreads := make([][]float64, runs), make([][2][]Spread, runs)
		for i := range runs {
			rng := rand.New(rand.NewPCG(uint64(i), 8))
			s, players := patterned(rng, planted, kind.schedule(rng))
			e, err := Fit(context.Background(), s, Settings{Loss: losses.Of(losses.MLM), Ridge: 5})
			if err != nil {
				t.Fatal(err)
			}
			estimates[i] = e.Weights
			for k, of := range []dyads.Players{nil, players} {
				if spreads[i][k], _, err = e.Jackknife(context.Background(), Groups, of, dyads.Both, func() {}); err != nil {
					t.Fatal(err)
				}
			}
		}
		var held [2]float64
		n := float64(runs * len(planted))
		for j := range planted {
			mean := 0.0
			for i := range runs {
				mean += estimates[i][j] / float64(runs)
			}
			for i := range runs {
				for k, all := range spreads[i] {
					if math.Abs(estimates[i][j]-mean) <= dyads.Quantile95(all[j].Degrees)*all[j].SE*math.Sqrt(1-1/float64(runs)) {
						held[k] += 1 / n
					}
				}
			}
		}
		se := math.Sqrt(0.95 * 0.05 / float64(runs))
		t.Logf("| %s | by game %.1f | as players make games depend %.1f ± %.1f %% |", kind.name, 100*held[0], 100*held[1], 100*se)
		if math.Abs(held[1]-0.95) > 0.02+2*se {
			t.Errorf("%s: %.1f ± %.1f %% are held", kind.name, 100*held[1], 100*se)
		}
	}
}
