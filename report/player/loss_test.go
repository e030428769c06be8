package player

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/schemas"
)

var replications = flag.Int("replications", 0, "players of the test of coverage of losses, 0: a few")

// TestLossCoverage: the 95 % intervals of the value that a player loses by a move, by phase, opening and time left, and of its difference from
// others', hold the mean over players who are all alike and lose more against some opponents and in some games.
// The figures of docs/validation.md are
//
//	go test ./report/player -run TestLossCoverage -v -replications 100
func TestLossCoverage(t *testing.T) {
	slow.Test(t, "a hundred queries")
	players := max(16, *replications)
	random := rand.New(rand.NewPCG(15, 8))
	var rows, positions []map[string]string
	for p := range players {
		for o := range 12 + random.IntN(14) {
			suits := math.Exp(0.4 * random.NormFloat64()) // what he loses against this one
			theirs := math.Exp(0.4 * random.NormFloat64())
			for range 1 + random.IntN(4) {
				id := fmt.Sprint(len(rows))
				rows = append(rows, map[string]string{"game_id": id, "first_player": fmt.Sprintf("P%d", p), "second_player": fmt.Sprintf("O%d %d", p, o), "first_elo": "1600", "second_elo": "1600", "result": "draw", "ply_count": "24", "opening": fmt.Sprintf("B0%d", random.IntN(2))})
				wild, value := math.Exp(0.3*random.NormFloat64()), 0.0
				for ply := range 25 {
					positions = append(positions, map[string]string{"game_id": id, "ply": fmt.Sprint(ply), "first_to_move": fmt.Sprint(ply%2 == 0), "phase": fmt.Sprint(ply / 13), "clock_ms": fmt.Sprint(random.IntN(2) * 20_000), "quiescence_value": fmt.Sprint(math.Round(value))})
					loss := 25 * wild * random.ExpFloat64()
					if ply%2 == 0 {
						value = 0.8*value - suits*loss
					} else {
						value = 0.8*value + theirs*loss
					}
				}
			}
		}
	}
	games := reporttest.WriteTable(t, schemas.Games, rows, datasets.Counts{})
	table := schemas.Positions(1, []schemas.GameColumn{{Name: "phase", Doc: "phase"}}, false)
	labels := reporttest.WriteTable(t, schemas.Labels(table, []string{"quiescence_value"}, nil, "quiescence_value"), positions, datasets.Counts{})
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
		for _, section := range []string{"loss", "lost opening", "lost clock"} {
			for _, f := range r.sections[section] {
				all[section] = append(all[section], number{f.Number("estimate"), f.Number("low"), f.Number("high")})
				all[section+", difference"] = append(all[section+", difference"], number{f.Number("difference"), f.Number("difference_low"), f.Number("difference_high")})
			}
		}
	}
	for name, numbers := range all {
		truth, held := 0.0, 0.0
		for _, x := range numbers {
			truth += x.value / float64(len(numbers))
		}
		for _, x := range numbers {
			if x.low <= truth && truth <= x.high {
				held++
			}
		}
		// The two phases of a player depend on each other: the error is that of as many players.
		share, se := held/float64(len(numbers)), math.Sqrt(0.95*0.05/float64(players))
		t.Logf("%s: %.1f ± %.1f %% of %d intervals hold %.1f", name, 100*share, 100*se, len(numbers), truth)
		if math.Abs(share-0.95) > 0.02+3*se {
			t.Errorf("%s: %.1f ± %.1f %% are held", name, 100*share, 100*se)
		}
	}
}
