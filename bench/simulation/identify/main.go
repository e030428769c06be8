// Identify measures whether the posteriors of kifu identify are true, with planted players
// whose games are anything but what the posterior takes them for. The table of docs/validation.md:
//
//	go run ./bench/simulation/identify -replications 100
//
// Equal flags give equal tables. Each replication draws players, plays 150 games of each to fit
// and 150 to test, and asks for the player of 1, 5 and 20 games.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"gonum.org/v1/gonum/stat"

	"kifu/players/identify"
	"kifu/players/identify/identifysim"
)

func main() {
	n := flag.Int("replications", 100, "libraries of each kind")
	seed := flag.Uint64("seed", 1907, "seed")
	flag.Parse()
	fmt.Println("| players | games | right | claimed | claimed too much | untempered: claimed | too much | interval of right holds its mean | of claimed too much, 0 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, kind := range []struct {
		name string
		identifysim.Planted
	}{
		{"as the models are, moves independent", identifysim.Planted{Players: 12, Decisions: 8, Spread: 0.3, Repeat: 1}},
		{"every move counted three times", identifysim.Planted{Players: 12, Decisions: 8, Spread: 0.3, Repeat: 3}},
		{"the models are wrong about each player in all games", identifysim.Planted{Players: 12, Decisions: 8, Spread: 0.3, Repeat: 1, Habit: 0.5}},
		{"both, and half of the moves are no evidence", identifysim.Planted{Players: 12, Decisions: 8, Spread: 0.3, Repeat: 3, Habit: 0.5, Blank: 0.5}},
	} {
		sums, within := map[int]*[6][]float64{}, map[int]*[2][]float64{}
		sizes := []int{1, 5, 20}
		for i := range *n {
			rng := rand.New(rand.NewPCG(*seed, uint64(i)))
			w := kind.New(rng)
			a := identify.Assess(context.Background(), w.Games(rng, 150), w.Games(rng, 150), w.Players, sizes, 40, uint64(i), runtime.GOMAXPROCS(0))
			for _, t := range a.Trials {
				if t.Evidence != "both" {
					continue
				}
				s := sums[t.Games]
				if s == nil {
					s = &[6][]float64{}
					sums[t.Games], within[t.Games] = s, &[2][]float64{}
				}
				at := 0
				if !t.Tempered {
					at = 3
				} else {
					w := within[t.Games]
					w[0], w[1] = append(w[0], *t.AccuracyWithin), append(w[1], *t.OverWithin)
				}
				s[at] = append(s[at], t.Accuracy)
				s[at+1] = append(s[at+1], t.Confidence)
				s[at+2] = append(s[at+2], t.Over)
			}
		}
		for _, size := range sizes {
			s := sums[size]
			fmt.Printf("| %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", kind.name, size, mean(s[0]), mean(s[1]), mean(s[2]), mean(s[4]), mean(s[5]),
				mean(held(s[0], within[size][0], stat.Mean(s[0], nil))), mean(held(s[2], within[size][1], 0)))
		}
	}
}

// held returns 1 for each value that is within its half interval of the truth, else 0.
func held(values, within []float64, truth float64) []float64 {
	is := make([]float64, len(values))
	for i, v := range values {
		if math.Abs(v-truth) <= within[i] {
			is[i] = 1
		}
	}
	return is
}

// mean formats a mean of shares with its Monte-Carlo error.
func mean(x []float64) string {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += v
	}
	sum /= float64(len(x))
	for _, v := range x {
		squares += (v - sum) * (v - sum)
	}
	n := float64(len(x))
	return fmt.Sprintf("%.1f ± %.1f %%", 100*sum, 100*math.Sqrt(squares/(n-1)/n))
}
