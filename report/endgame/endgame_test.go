package endgame

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/internal/dyads"
	"kifu/kit/sample"
	"kifu/query"
	"kifu/query/boards"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

var replications = flag.Int("replications", 200, "databases of the test of coverage")

// read returns the report of the labels of the sample, and their rows.
func read(t *testing.T) (*Report, []sheet.Fields) {
	t.Helper()
	ctx := query.With(context.Background(), boards.Of([]board.Game{board.Of(chess.Rules{})}))
	db, err := query.Open(ctx, query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p, in := Usual, sample.Labels(t.TempDir())
	p.Source, p.MinGames, p.Phase = "positions", 1, 8
	r, err := run(ctx, db, p, []*datasets.Dir{in})
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _, err := sheet.Run(ctx, db, "rows", "SELECT game_id, ply, phase, result, split_part(fen(board), ' ', 1) AS text, quiescence_value AS value FROM positions ORDER BY game_id, ply", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, rows
}

// textOf returns the ending of a FEN's first field, and whether the second player is ahead, by counting letters.
func textOf(text string) (ending string, turned bool) {
	count := func(letter string) int { return strings.Count(text, letter) }
	own, other := "", ""
	differs := false
	for _, k := range []string{"K", "Q", "R", "B", "N", "P"} {
		a, b := count(k), count(strings.ToLower(k))
		if a != b && !differs {
			differs, turned = true, a < b
		}
		if k == "P" {
			a, b = min(a, 1), min(b, 1)
		}
		own, other = own+strings.Repeat(k, a), other+strings.Repeat(k, b)
	}
	if turned {
		own, other = other, own
	}
	return own + strings.ToLower(other), turned
}

// TestEndings: games and results of each ending are those that counting the letters of the positions' texts gives.
func TestEndings(t *testing.T) {
	r, rows := read(t)
	type counts struct{ games, won, drawn, lost int }
	want := map[string]counts{}
	for len(rows) > 0 {
		game := rows[0].Whole("game_id")
		n := slices.IndexFunc(rows, func(f sheet.Fields) bool { return f.Whole("game_id") != game })
		if n < 0 {
			n = len(rows)
		}
		seen := map[string]bool{}
		for i := 0; i < n; {
			ending, turned := textOf(rows[i].Text("text"))
			j := i
			for ; j < n && rows[j].Whole("phase") <= 8; j++ {
				if same, _ := textOf(rows[j].Text("text")); same != ending {
					break
				}
			}
			if j-i >= 4 && !seen[ending] {
				seen[ending] = true
				c := want[ending]
				c.games++
				switch result := rows[i].Text("result"); {
				case result == "draw":
					c.drawn++
				case (result == "second") == turned:
					c.won++
				default:
					c.lost++
				}
				want[ending] = c
			}
			i = max(j, i+1)
		}
		rows = rows[n:]
	}
	if len(r.Endings) != len(want) || len(want) < 20 {
		t.Errorf("%d endings, want %d", len(r.Endings), len(want))
	}
	for _, e := range r.Endings {
		if got := (counts{e.Games, e.Won, e.Drawn, e.Lost}); got != want[e.Name] {
			t.Errorf("%s: %v, want %v", e.Name, got, want[e.Name])
		}
		if e.Low < 0 || e.High > 1 || e.AboveLow < -1 || e.AboveTop > 1 {
			t.Errorf("%s: intervals of %v to %v and %v to %v", e.Name, e.Low, e.High, e.AboveLow, e.AboveTop)
		}
	}
}

// quantile interpolates between sorted numbers.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	return sorted[i] + (at-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
}

// TestExpected: an ending's expectation is the mean of those of its games' first positions, which are the mean scores of all positions in
// the same band of values.
func TestExpected(t *testing.T) {
	r, rows := read(t)
	var sizes []float64
	for _, f := range rows {
		if size := math.Abs(f.Number("value")); size <= schemas.Decided {
			sizes = append(sizes, size)
		}
	}
	slices.Sort(sizes)
	limit := quantile(sizes, 0.95)
	band := func(f sheet.Fields) int {
		return int(math.Floor(20*max(-1, min(1, f.Number("value")/limit)) + 0.5))
	}
	points := map[string]float64{"first": 1, "draw": 0.5, "second": 0}
	sum, n, at := map[int]float64{}, map[int]float64{}, map[[2]int64]sheet.Fields{}
	for _, f := range rows {
		sum[band(f)] += points[f.Text("result")]
		n[band(f)]++
		at[[2]int64{f.Whole("game_id"), f.Whole("ply")}] = f
	}
	checked := 0
	for _, e := range r.Endings {
		if e.Games > 1 {
			continue
		}
		f := at[e.Example]
		want := sum[band(f)] / n[band(f)]
		if _, turned := textOf(f.Text("text")); turned {
			want = 1 - want
		}
		if checked++; math.Abs(e.Expected-want) > 1e-9 {
			t.Errorf("%s: %v expected, want %v", e.Name, e.Expected, want)
		}
	}
	if checked == 0 {
		t.Error("no ending of one game")
	}
}

// TestAllAlike: an ending that is always won has Wilson's interval, at any number of games.
func TestAllAlike(t *testing.T) {
	for n := 2; n < 60; n++ {
		var s sums
		for i := range n {
			s.add(dyads.Pair{A: int32(i % 7), B: int32(7 + i%3)}, 1)
		}
		mean, spread := s.mean(dyads.Both)
		low, high := shape.Score(mean, spread, float64(n))
		if want, _ := shape.Wilson(1, float64(n)); math.Abs(low-want) > 1e-9 || high < 1-1e-9 {
			t.Errorf("%d games: %v to %v, want from %v", n, low, high, want)
		}
	}
}

// TestCoverage: 95 % intervals of score and difference hold the truth where players return, some of whom are better in an ending
// than what is expected of them. The figures of docs/validation.md are
//
//	go test ./report/endgame -run TestCoverage -v -replications 2000
func TestCoverage(t *testing.T) {
	for _, c := range []struct{ games, players int }{{40, 200}, {200, 30}, {600, 60}} {
		random := rand.New(rand.NewPCG(7, uint64(c.games)))
		held, heldAbove := 0.0, 0.0
		for range *replications {
			var s, above sums
			skill := make([]float64, c.players)
			for i := range skill {
				skill[i] = 0.12 * random.NormFloat64()
			}
			for range c.games {
				a, b := random.IntN(c.players), random.IntN(c.players)
				expected := 0.5 + 0.3*random.Float64()
				won := expected + 0.05 + skill[a] - skill[b]
				x := 0.0
				if random.Float64() < won {
					x = 1
				}
				pair := dyads.Pair{A: int32(a), B: int32(b)}
				s.add(pair, x)
				above.add(pair, x-expected)
			}
			score, spread := s.mean("")
			if low, high := shape.Score(score, spread, float64(c.games)); low <= 0.7 && 0.7 <= high {
				held++
			}
			mean, spread := above.mean("")
			if math.Abs(mean-0.05) <= spread.Reach() {
				heldAbove++
			}
		}
		n := float64(*replications)
		se := math.Sqrt(0.95 * 0.05 / n)
		t.Logf("%d games of %d players: %.1f and %.1f ± %.1f %%", c.games, c.players, 100*held/n, 100*heldAbove/n, 100*se)
		for _, share := range []float64{held / n, heldAbove / n} {
			if math.Abs(share-0.95) > 0.015+3*se {
				t.Errorf("%.3f of the intervals hold the truth", share)
			}
		}
	}
}
