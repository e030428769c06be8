// Performance measures what kifu performance reports of players whose levels are known: the spread of z over honest players who are
// held out, how often intervals hold the level, false discoveries, and how often help is found that was planted.
//
//	go run ./bench/simulation/performance -replications 40
//
// Equal flags give equal tables. Each rate has its Monte-Carlo error, over leagues.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"kifu/internal/multiple"
	"kifu/internal/skill"
	"kifu/kit/skillsim"
)

var leagues = []struct {
	name string
	skillsim.League
}{
	{"players alike", skillsim.League{Players: 200, Games: 6, Moves: 15}},
	{"players differ by 150", skillsim.League{Players: 200, Games: 6, Moves: 15, Own: 150}},
	{"and days by 200", skillsim.League{Players: 200, Games: 6, Moves: 15, Own: 150, Day: 200}},
	{"likewise, 20 games", skillsim.League{Players: 100, Games: 20, Moves: 15, Own: 150, Day: 200}},
	{"likewise, a tenth of the moves of one in ten helped", skillsim.League{Players: 200, Games: 20, Moves: 15, Own: 150, Day: 200, Help: 0.1, Nth: 10}},
	{"likewise, three tenths", skillsim.League{Players: 200, Games: 20, Moves: 15, Own: 150, Day: 200, Help: 0.3, Nth: 10}},
}

// rate is a share over leagues.
type rate struct{ sum, squares, n float64 }

func (r *rate) add(x float64) { r.sum, r.squares, r.n = r.sum+x, r.squares+x*x, r.n+1 }

func (r *rate) text(times float64, decimals int) string {
	mean := r.sum / r.n
	return fmt.Sprintf("%.*f ± %.*f", decimals, times*mean, decimals, times*math.Sqrt(max(0, r.squares/r.n-mean*mean)/max(1, r.n-1)))
}

func main() {
	n := flag.Int("replications", 40, "leagues of each kind")
	seed := flag.Uint64("seed", 2011, "seed")
	only := flag.String("only", "", "the league of this name alone")
	flag.Parse()
	fmt.Println("| league | values of | spread of z, honest | within 1.96 % | level held % | false at q 5 % | z of the helped | expected | above 3.09 % | power % |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, l := range leagues {
		if *only != "" && l.name != *only {
			continue
		}
		for _, all := range []bool{true, false} {
			rng := rand.New(rand.NewPCG(*seed, 38))
			var r results
			var refused int
			for range *n {
				if err := r.league(rng, l.League, all); err != nil {
					refused++
				}
			}
			if refused > 0 {
				fmt.Fprintf(os.Stderr, "%s: %d of %d leagues cannot be calibrated, and are left out\n", l.name, refused, *n)
			}
			values := "the moves played"
			if all {
				values = "all moves"
			}
			fmt.Printf("| %s | %s | %s | %s | %s | %s |", l.name, values, r.spread.text(1, 3), r.within.text(100, 1), r.held.text(100, 1), r.untrue.text(100, 1))
			if l.Help > 0 {
				fmt.Printf(" %s | %s | %s | %s |\n", r.helped.text(1, 2), r.expected.text(1, 2), r.found.text(100, 1), r.power.text(100, 1))
			} else {
				fmt.Println(" | | | |")
			}
		}
	}
}

type results struct{ spread, within, held, untrue, helped, expected, found, power rate }

// league plays a league, and judges its players in two halves, each by a calibration on the honest ones of the other. A league
// without a calibration is an error.
func (r *results) league(rng *rand.Rand, l skillsim.League, all bool) error {
	m := l.Play(rng, all)
	var models [2]*skill.Model
	for half := range models {
		var err error
		if models[half], err = skill.Calibrate(m, func(p int) bool { return p/2%2 != half && !l.Helped(p) }, 1); err != nil {
			return err
		}
	}
	turns := make([][]int, l.Players)
	for i, turn := range m.Turns {
		turns[turn.Player] = append(turns[turn.Player], i)
	}
	var squares, honest, within, held, helped, mean, found float64
	p, of := []float64{}, []int{}
	for player, mine := range turns {
		if len(mine) == 0 {
			continue
		}
		got := models[player/2%2].Rate(m, skill.Performance{Turns: mine})
		p, of = append(p, got.P), append(of, player)
		if l.Helped(player) {
			if helped, mean = helped+1, mean+got.Z; got.Z > 3.09 {
				found++
			}
			continue
		}
		honest++
		squares += got.Z * got.Z
		if math.Abs(got.Z) < 1.96 {
			within++
		}
		if level := l.Levels[player]; got.Low <= level && level <= got.High {
			held++
		}
	}
	var discovered, untrue float64
	for i, q := range multiple.FalseDiscovery(p) {
		if q <= 0.05 {
			discovered++
			if !l.Helped(of[i]) {
				untrue++
			}
		}
	}
	r.spread.add(math.Sqrt(squares / honest))
	r.within.add(within / honest)
	r.held.add(held / honest)
	r.untrue.add(untrue / max(1, discovered))
	if l.Help > 0 {
		z, power := models[0].Power(l.Games, l.Help, 3.09)
		r.helped.add(mean / helped)
		r.found.add(found / helped)
		r.expected.add(z)
		r.power.add(power)
	}
	return nil
}
