package player

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/schemas"
)

var replications = flag.Int("replications", 0, "players of the test of coverage of losses, 0: a few")

// record is how the games of players in a simulation are lost.
type record struct {
	opponents, more int                      // against so many and up to so many more
	games           int                      // against each, at most
	back            float64                  // share of a value that the next move keeps
	loss            func(*rand.Rand) float64 // of a move
}

// TestLossCoverage: the 95 % intervals of the value that a player loses by a move, by phase, opening and time left, of the seconds that a move
// takes, and of their differences from others', hold the mean over players who are all alike, and lose more and think longer against some
// opponents and in some games.
// The figures of docs/validation.md are
//
//	go test ./report/player -run TestLossCoverage -v -replications 100
func TestLossCoverage(t *testing.T) {
	slow.Test(t, "a hundred queries")
	even := record{12, 14, 4, 0.8, func(r *rand.Rand) float64 { return 25 * r.ExpFloat64() }}
	for name, c := range covered(t, even) {
		if math.Abs(c.share-0.95) > 0.02+3*c.se {
			t.Errorf("%s: %.1f ± %.1f %% are held", name, 100*c.share, 100*c.se)
		}
	}
}

// TestSkewedLossCoverage: in few games, with most moves without loss and a few that lose much, the intervals of a mean hold the mean over
// players more often than Student's around it, which go below 0, do. The figures of docs/validation.md are
//
//	go test ./report/player -run TestSkewedLossCoverage -v -replications 200
func TestSkewedLossCoverage(t *testing.T) {
	slow.Test(t, "a hundred queries")
	rare := record{6, 4, 2, 1, func(r *rand.Rand) float64 {
		if r.Float64() < 0.8 {
			return 0
		}
		return 60 * math.Exp(r.NormFloat64())
	}}
	held, student := 0.0, 0.0
	for name, c := range covered(t, rare) {
		if strings.HasPrefix(name, "time") {
			continue // is not rare
		}
		difference := strings.Contains(name, "difference")
		if c.least < 0 && !difference {
			t.Errorf("%s: an interval begins at %g", name, c.least)
		}
		if c.share < 0.9-3*c.se {
			t.Errorf("%s: %.1f ± %.1f %% are held", name, 100*c.share, 100*c.se)
		}
		if !difference {
			held, student = held+c.share/3, student+c.student/3
		}
	}
	if held < student+0.02 {
		t.Errorf("%.1f %% are held, by Student's intervals %.1f %%", 100*held, 100*student)
	}
}

// coverage is the share of intervals that hold the mean over all players, with its error.
type coverage struct {
	share, se float64
	student   float64 // of a mean: share of symmetric intervals of the same error
	least     float64 // lower end of an interval
}

// covered simulates players and returns the coverage by section.
// Estimates without an interval do not count.
func covered(t *testing.T, of record) map[string]coverage {
	players := max(16, *replications)
	random := rand.New(rand.NewPCG(15, 8))
	var rows, positions []map[string]string
	for p := range players {
		for o := range of.opponents + random.IntN(of.more) {
			suits := math.Exp(0.4 * random.NormFloat64()) // what he loses against this one
			theirs := math.Exp(0.4 * random.NormFloat64())
			pace := [2]float64{4000 * math.Exp(0.4*random.NormFloat64()), 4000 * math.Exp(0.4*random.NormFloat64())} // milliseconds a move
			for range 1 + random.IntN(of.games) {
				id := fmt.Sprint(len(rows))
				wild, value := math.Exp(0.3*random.NormFloat64()), 0.0
				left, slow, clocks := [2]int{6e6, 6e6}, math.Exp(0.3*random.NormFloat64()), make([]string, 24)
				for ply := range clocks {
					left[ply%2] -= int(pace[ply%2] * slow * random.ExpFloat64())
					clocks[ply] = strconv.Itoa(left[ply%2])
				}
				rows = append(rows, map[string]string{"game_id": id, "first_player": fmt.Sprintf("P%d", p), "second_player": fmt.Sprintf("O%d %d", p, o), "first_elo": "1600", "second_elo": "1600", "result": "draw", "ply_count": "24", "opening": fmt.Sprintf("B0%d", random.IntN(2)),
					"time_control": "6000", "base_ms": "6000000", "increment_ms": "0", "clocks_ms": strings.Join(clocks, ",")})
				for ply := range 25 {
					positions = append(positions, map[string]string{"game_id": id, "ply": fmt.Sprint(ply), "first_to_move": fmt.Sprint(ply%2 == 0), "phase": fmt.Sprint(ply / 13), "clock_ms": fmt.Sprint(random.IntN(2) * 20_000), "quiescence_value": fmt.Sprint(math.Round(value))})
					loss := wild * of.loss(random)
					if ply%2 == 0 {
						value = of.back*value - suits*loss
					} else {
						value = of.back*value + theirs*loss
					}
				}
			}
		}
	}
	games := reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
	table := schemas.Positions(1, []schemas.GameColumn{{Name: "phase", Doc: "phase"}}, false)
	labels := reporttest.WriteTable(t, schemas.Labels(table, []string{"quiescence_value"}, nil, "quiescence_value"), positions, manifest.Counts{})
	labels.Manifest.Meta["leaf"], labels.Manifest.Meta["unit"] = "quiescence_value", "centipawns"
	db, err := query.Open(context.Background(), query.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, d := range map[string]*datasets.Dir{"g": games, "l": labels} {
		if err := db.Attach(context.Background(), name, d); err != nil {
			t.Fatal(err)
		}
	}
	type number struct{ value, low, high float64 }
	all := map[string][]number{}
	for p := range players {
		r, err := Ask(context.Background(), db, Data{Games: "g", Labels: "l", Column: "quiescence_value", Phase: true, Game: "chess", Others: 400}, []string{fmt.Sprintf("P%d", p)})
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range []string{"loss", "lost opening", "lost clock", "time"} {
			for _, f := range r.sections[section] {
				all[section] = append(all[section], number{f.Number("estimate"), f.OrNaN("low"), f.OrNaN("high")})
				all[section+", difference"] = append(all[section+", difference"], number{f.Number("difference"), f.OrNaN("difference_low"), f.OrNaN("difference_high")})
			}
		}
	}
	found := map[string]coverage{}
	for name, numbers := range all {
		// The two phases of a player depend on each other: the error is that of as many players.
		c, truth := coverage{se: math.Sqrt(0.95 * 0.05 / float64(players)), least: math.Inf(1)}, 0.0
		for _, x := range numbers {
			truth += x.value / float64(len(numbers))
		}
		numbers = slices.DeleteFunc(numbers, func(x number) bool { return math.IsNaN(x.low) })
		one := 1 / float64(len(numbers))
		for _, x := range numbers {
			if x.low <= truth && truth <= x.high {
				c.share += one
			}
			if reach := x.value * math.Log(x.high/x.value); math.Abs(truth-x.value) <= reach {
				c.student += one
			}
			c.least = min(c.least, x.low)
		}
		t.Logf("%s: %.1f ± %.1f %% of %d intervals hold %.1f, Student's %.1f %%", name, 100*c.share, 100*c.se, len(numbers), truth, 100*c.student)
		found[name] = c
	}
	return found
}
