// Matches plays pairs of games between players whose strengths are known and reports how often the
// intervals of kifu match cover the truth, near shut-outs and after a sequential test:
// the table of docs/validation.md.
//
//	go run ./bench/simulation/matches -replications 20000
//
// Equal flags give equal tables. Each rate has its Monte-Carlo error.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"

	"kifu/players/match/pentanomial"
)

func main() {
	n := flag.Int("replications", 20000, "matches of each kind")
	tests := flag.Int("tests", 2000, "matches of each kind that a test stops")
	seed := flag.Uint64("seed", 2011, "seed")
	flag.Parse()
	rng := rand.New(rand.NewPCG(*seed, 0))
	fmt.Println("| games | pairs | Elo | score | Elo covered by its 95 % interval | normalised Elo | truth below | above |\n|---|---:|---:|---:|---:|---:|---:|---:|")
	for _, pairs := range []int{16, 43, 200, 1000} {
		for _, elo := range []float64{0, 100, 250, 400, 600} {
			for _, k := range Kinds {
				fmt.Println(Fixed(rng, k, elo, pairs, *n))
			}
		}
	}
	fmt.Println("\n| test | normalised Elo | accepts the second | pairs | bias of the plain estimate | covered | median-unbiased: bias of its median | above the truth | withheld | covered |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, t := range Tests {
		for _, elo := range []float64{t.Elo0 - (t.Elo1-t.Elo0)/2, t.Elo0, (t.Elo0 + t.Elo1) / 2, t.Elo1, 2*t.Elo1 - t.Elo0, 100, 150, 200, 300, 400, 600} {
			fmt.Println(Stopped(rng, t, elo, *tests))
		}
	}
	fmt.Println("\n| match | openings × pairs | Elo ± between openings | covered, errors by opening | by pair |\n|---|---:|---:|---:|---:|")
	for _, k := range Repeats {
		fmt.Println(k.Line(rng, *n))
	}
	fmt.Println("\n| match, no difference in the mean | openings × pairs | Elo ± between openings | 0:20 accepts the second wrongly | all pairs as independent |\n|---|---:|---:|---:|---:|")
	for _, k := range Repeats {
		k.Elo = 0
		fresh, all := k.Accepts(rng, pentanomial.Test{Elo1: 20, Alpha: 0.05, Beta: 0.05}, *tests)
		fmt.Printf("| %s | %.1f %% | %.1f %% |\n", k, 100*fresh, 100*all)
	}
}
