package opening

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/fit/fittest"
	"kifu/games/board"
	"kifu/games/othello"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/report/sheet"
	"kifu/schemas"
)

var replications = flag.Int("replications", 25, "data sets of TestHeadline")

// TestHeadline: where players of different strength return, the interval of the score of the first move
// holds that of all players in 95 % of data sets, and in far fewer if games are taken for independent.
//
//	go test ./report/opening -run TestHeadline$ -v -replications 200
func TestHeadline(t *testing.T) {
	slow.Test(t, "dozens of reports")
	for _, kind := range []struct {
		name     string
		schedule func(rng *rand.Rand) []dyads.Pair
	}{
		{"12 players with either side", fittest.Sides(fittest.Anyone(24, 300), 24)},
		{"6 engines", fittest.Anyone(6, 240)},
		{"60 players by Zipf's law", fittest.Zipf(60, 300)},
		{"five hubs", fittest.Hubs(5, 60, 300)},
	} {
		t.Run(kind.name, func(t *testing.T) { headlines(t, kind.schedule) })
	}
}

// headlines counts how often the interval holds the score. One game in ten is a copy of the one before.
func headlines(t *testing.T, schedule func(rng *rand.Rand) []dyads.Pair) {
	random := rand.New(rand.NewPCG(15, 4))
	var held, alone int
	for range *replications {
		strength := [2]map[int32]float64{{}, {}}
		of := func(side int, player int32) float64 {
			if _, seen := strength[side][player]; !seen {
				strength[side][player] = 0.5 + 0.4*(2*random.Float64()-1)
			}
			return strength[side][player]
		}
		var rows, positions []map[string]string
		result := ""
		pairs := schedule(random)
		for g, pair := range pairs {
			if g%10 == 9 {
				pair = pairs[g-1]
			} else if result = "second"; random.Float64() < (of(0, pair.A)+1-of(1, pair.B))/2 {
				result = "first"
			}
			id := fmt.Sprint(g)
			rows = append(rows, map[string]string{"game_id": id, "first_player": fmt.Sprint(pair.A), "second_player": fmt.Sprint(pair.B), "result": result, "ply_count": "1"})
			for ply, move := range []string{"e2e4", ""} {
				positions = append(positions, map[string]string{"game_id": id, "ply": fmt.Sprint(ply), "hash": fmt.Sprint(ply + 1), "move": move, "first_to_move": fmt.Sprint(ply == 0), "result": result})
			}
		}
		in := []*datasets.Dir{reporttest.WriteTable(t, schemas.Positions(1, nil, false), positions, manifest.Counts{}), reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})}
		for _, way := range []struct {
			name string
			n    *int
		}{{"", &held}, {"games", &alone}} {
			o, err := ask(t, Params{Sources: []string{"positions", "games"}, Depth: 1, MinGames: 1, Clusters: sheet.Clusters{Way: way.name}}, in...)
			if err != nil {
				t.Fatal(err)
			}
			if o.Headline.low <= 0.5 && 0.5 <= o.Headline.high {
				*way.n++
			}
		}
	}
	t.Logf("of %d: by player %d, by game %d", *replications, held, alone)
	// 95 % less three standard errors of the simulation
	if n := *replications; held < n*82/100 || alone > n*90/100 {
		t.Errorf("of %d the interval holds %d, with games alone %d", n, held, alone)
	}
}

// TestHeadlineOfMirrors: where mirror images are one position, the headline's games are all that
// begin so. Wilson's interval for 45 of 45 begins at 45 / (45 + 1.96²).
func TestHeadlineOfMirrors(t *testing.T) {
	o := treeOf(t, board.Of(othello.Rules{}), slices.Repeat(lines, 3))
	if lead := o.lead(); !strings.Contains(lead, "score 100.0\u00a0%, 92.1\u00a0% to 100.0\u00a0%") {
		t.Error(lead)
	}
	if !strings.Contains(strings.Join(o.notes(), "\n"), "the players are unknown") {
		t.Error("who played is not known, and the notes do not say so")
	}
}
