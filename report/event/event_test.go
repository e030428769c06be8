package event

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

var replications = flag.Int("replications", 40, "data sets of the test of coverage")

// played are moves of players who differ in level, of whom the weaker ones have the event more often, in cells that differ, too: an
// event adds its effect to the outcome of the move, to which a day adds the same for all moves of a game.
func played(random *rand.Rand, players, games int, effect float64) *rows {
	r := newRows()
	cells := make([]float64, 12)
	for c := range cells {
		cells[c] = random.NormFloat64()
	}
	for p := range players {
		level := random.NormFloat64()
		own := effect + 0.3*random.NormFloat64() // players differ in the effect
		for g := range 2 + random.IntN(2*games) {
			day := 0.5 * random.NormFloat64()
			for range 20 {
				c := random.IntN(len(cells))
				event := random.Float64() < 0.06/(1+math.Exp(2*level-cells[c]))
				y := level + cells[c] + day + random.NormFloat64()
				if event {
					y += own
				}
				r.add(int64(p*1000+g), int64(p), int64(c), event, [outcomes]float64{y, y, math.NaN()}, []string{fmt.Sprint(c % 2)})
				if event {
					break
				}
			}
		}
	}
	return r
}

// TestCoverage: 95 % intervals hold the planted effect of players who select into events, where a comparison without players errs.
// The figures of docs/validation.md are
//
//	go test ./report/event -run TestCoverage -v -replications 400
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		players, games int
		effect         float64
	}{{60, 6, 1}, {200, 4, 0}} {
		random := rand.New(rand.NewPCG(38, 3))
		var held, bias, raw, n float64
		for range *replications {
			r := played(random, c.players, c.games, c.effect)
			e := r.effect(0, r.without(0), func(*happened) bool { return true })
			if e.Low <= c.effect && c.effect <= e.High {
				held++
			}
			bias += e.Difference - c.effect
			var with, without sum
			for h := range r.events.all() {
				with.add(h.y[0])
			}
			for _, p := range r.people {
				for _, c := range p.controls {
					without.n, without.s = without.n+float64(c.n[0]), without.s+c.s[0]
				}
			}
			raw += with.s/with.n - without.s/without.n - c.effect
			n++
		}
		se := math.Sqrt(0.95 * 0.05 / n)
		t.Logf("%d players of %d games: %.1f ± %.1f %% held, bias %.3f, without players and cells %.3f", c.players, c.games, 100*held/n, 100*se, bias/n, raw/n)
		if math.Abs(held/n-0.95) > 0.015+3*se || math.Abs(bias/n) > 0.1 || math.Abs(raw/n) < 0.2 {
			t.Errorf("%.1f %% held, bias %.3f, raw %.3f", 100*held/n, bias/n, raw/n)
		}
	}
}

// TestEffect: with one cell and two games a player, the effect is the outcome less the player's mean of the other game.
func TestEffect(t *testing.T) {
	r := newRows()
	for p := range int64(3) {
		y := func(x float64) [outcomes]float64 { return [outcomes]float64{x, x, math.NaN()} }
		r.add(10*p, p, 0, false, y(float64(p)), nil)
		r.add(10*p, p, 0, true, y(float64(p)+7), nil) // of the same game: that move is not compared with
		r.add(10*p+1, p, 0, false, y(float64(p)+2), nil)
		r.add(10*p+1, p, 0, false, y(float64(p)+4), nil)
	}
	m := r.without(0)
	e := r.effect(0, m, func(*happened) bool { return true })
	if e.Events != 3 || e.Players != 3 || math.Abs(e.Difference-4) > 1e-6 {
		t.Errorf("%+v, want a difference of 7 - 3", e)
	}
	if e := r.effect(2, r.without(2), func(*happened) bool { return true }); e.Events != 0 {
		t.Errorf("an outcome that no move has: %+v", e)
	}
	alone := newRows()
	alone.add(1, 1, 0, false, [outcomes]float64{}, nil)
	alone.add(1, 1, 0, true, [outcomes]float64{}, nil)
	if e := alone.effect(0, alone.without(0), func(*happened) bool { return true }); e.Unmatched != 1 || e.Events != 0 {
		t.Errorf("a player of one game is compared: %+v", e)
	}
}

// TestMake: after a loss of 200 or more a player takes a second longer and loses 30 more by each of the next moves.
func TestMake(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 4))
	var games []map[string]string
	for g := range 240 {
		var evals, clocks []string
		value, clock, shaken := 0.0, [2]int{600_000, 600_000}, [2]int{}
		for ply := range 60 {
			side, loss, spent := ply%2, float64(random.IntN(20)), 4000+random.IntN(2000)
			if shaken[side] > 0 {
				loss, spent, shaken[side] = loss+30, spent+1000, shaken[side]-1
			} else if random.IntN(40) == 0 {
				loss, shaken[side] = 200, 5
			}
			if value += map[int]float64{0: -loss, 1: loss}[side]; math.Abs(value) > 700 {
				value = 0
			}
			clock[side] -= spent
			evals, clocks = append(evals, fmt.Sprint(int(value))), append(clocks, fmt.Sprint(clock[side]))
		}
		games = append(games, map[string]string{"game_id": fmt.Sprint(g), "first_player": fmt.Sprint("P", g%12), "second_player": fmt.Sprint("P", (g+1+g%5)%12), "first_elo": "1500", "second_elo": "1500",
			"result": []string{"first", "second", "draw"}[g%3], "date": "2000-01-01", "ply_count": "60", "evals": strings.Join(evals, ","), "clocks_ms": strings.Join(clocks, ",")})
	}
	in := []*datasets.Dir{reporttest.WriteTable(t, schemas.Games, games, manifest.Counts{})}
	p := Params{Sources: []string{"games"}, When: "loss >= 200 AND value > -500 AND value < 500", Match: []string{"move"}, By: []string{"clock"}, Next: 5, Workers: 2}
	files := reporttest.Build(t, func(out page.Output) error { return Make(context.Background(), p, in, out) })
	reporttest.CheckPage(t, files["index.html"], "What follows", "seconds spent on the 5 next moves")
	found := 0
	for _, line := range strings.Split(string(files["event.csv"]), "\n") {
		var events, players, unmatched int
		var after, usual, difference, low, high float64
		name, rest, _ := strings.Cut(line, ",,all,")
		if n, _ := fmt.Sscanf(strings.ReplaceAll(rest, ",", " "), "%d %d %d %f %f %f %f %f", &events, &players, &unmatched, &after, &usual, &difference, &low, &high); n != 8 {
			continue
		}
		want, known := map[string]float64{"next_loss": 25, "next_spent": 0.85}[name]
		if found++; known && (difference < want-8 && name == "next_loss" || difference < 0.6 && name == "next_spent" || low < 0 || high < low || difference > 1.4*want) {
			t.Errorf("%s: %.2f (%.2f to %.2f) of %d events, planted about %.2f", name, difference, low, high, events, want)
		}
	}
	if found != 3 {
		t.Errorf("%d outcomes in\n%s", found, files["event.csv"])
	}
	for _, g := range games {
		delete(g, "clocks_ms")
		delete(g, "first_elo")
	}
	bare := []*datasets.Dir{reporttest.WriteTable(t, schemas.Games, games, manifest.Counts{})}
	p.By = []string{"clock", "rating", "strength"}
	files = reporttest.Build(t, func(out page.Output) error { return Make(context.Background(), p, bare, out) })
	if text := string(files["event.csv"]); strings.Contains(text, "5 minutes and more") || strings.Contains(text, "100 above") || !strings.Contains(text, "clock,unknown,") || !strings.Contains(text, "rating,unknown,") {
		t.Errorf("bands of games without clocks and ratings of both:\n%s", text)
	}
	p.By, p.Match = nil, []string{"clock"}
	if err := Make(context.Background(), p, bare, page.Alone(nil)); err == nil {
		t.Error("moves without a clock are matched by it")
	}
	p.Match = []string{"move"}
	p.When = "score = 1"
	if err := Make(context.Background(), p, in, page.Alone(nil)); err == nil || !strings.Contains(err.Error(), "score") {
		t.Errorf("an event of what comes later: %v", err)
	}
	p.When = "loss > 5000"
	if err := Make(context.Background(), p, in, page.Alone(nil)); err == nil || !strings.Contains(err.Error(), "none of") {
		t.Errorf("an event that never happens: %v", err)
	}
}

// TestClockNote: who matches by the clock that the event depends on is told.
func TestClockNote(t *testing.T) {
	for _, c := range []struct {
		when  string
		match []string
		told  bool
	}{{"clock < 30", []string{"value", "clock"}, true}, {"clock < 30", []string{"value"}, false}, {"loss >= 200", []string{"value", "clock"}, false}} {
		r := &report{Params: Params{When: c.when, Match: c.match}}
		if got := strings.Contains(strings.Join(r.notes(), " "), "Leave out the clock: --match value."); got != c.told {
			t.Errorf("%s by %v: told %v", c.when, c.match, got)
		}
	}
}

// randomGames have values and clocks of which some are missing, players who are unknown or play several games a day, and positions to start from.
func randomGames(random *rand.Rand, n int) (games []map[string]string) {
	some := func(of ...string) string { return of[random.IntN(len(of))] }
	list := func(plies, most int) string {
		var all []string
		for range plies {
			item := fmt.Sprint(random.IntN(2*most) - most)
			if random.IntN(10) == 0 {
				item = ""
			}
			all = append(all, item)
		}
		return strings.Join(all, ",")
	}
	for g := range n {
		plies := random.IntN(9)
		game := map[string]string{"game_id": fmt.Sprint(g), "first_player": some("", "a", "b", "c", "d"), "second_player": some("", "x", "y", "É"), "first_elo": some("", "1500", "1600"), "second_elo": some("", "1550"),
			"increment_ms": some("", "0", "5000"), "variant": some("standard", "19x19 handicap 2"), "result": some("first", "second", "second", "draw", ""), "date": some("", "2000", "2000-01-01", "2000-01-02"), "ply_count": fmt.Sprint(plies), "game": "chess"}
		if game["variant"] == "standard" {
			game["start_position"] = some("", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1")
		}
		if plies > 0 && random.IntN(5) > 0 {
			game["evals"] = list(plies, 1500)
		}
		if plies > 0 && random.IntN(5) > 0 {
			game["clocks_ms"] = list(plies, 90000)
		}
		games = append(games, game)
	}
	return games
}

// TestIsTheQuery: the moves are the rows of the query that the page prints, also of many row groups, whatever the workers.
func TestIsTheQuery(t *testing.T) {
	ctx := board.With(context.Background(), []board.Game{board.Of(chess.Rules{})})
	in := reporttest.WriteTableGroups(t, schemas.Games, randomGames(rand.New(rand.NewPCG(38, 5)), 3000), manifest.Counts{}, 700)
	in.Manifest.Meta["game"] = "chess"
	db := reporttest.OpenDB(t)
	games, _, err := sheet.AttachGames(ctx, db, []*datasets.Dir{in}, []string{"games"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, when := range []string{"loss >= 200", "clock < 30 AND value > -100", "spent > 20 OR rating < opponent_rating -- faster", "player < 'c' AND opponent = 'É'", "date < '2000-01-02' AND ply % 4 < 2 OR move = 1", "moves.lost_before >= 2", "true"} {
		want, events := map[string]string{}, 0
		q := querySQL{Games: games.Views[0], When: when, Lost: strings.Contains(when, "lost_before"), Most: mostValue, SecondMark: "b"}
		text, err := sheet.Fill("event.sql", queryTemplate, q)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := db.Query(ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Each(func(row []any) error {
			for i, x := range row {
				if x == nil {
					row[i] = math.NaN()
				}
			}
			if row[11].(bool) {
				events++
			}
			want[fmt.Sprint(row[0], row[1], row[8])] = fmt.Sprint(hashOf([]byte(row[2].(string))), row[3:8], row[9:])
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		filter, err := query.NewFilter(ctx, "--when", when, moveColumns())
		if err != nil {
			t.Fatal(err)
		}
		defer filter.Close()
		got, r := map[string]string{}, newReading(ctx, in, filter)
		if err := r.read(ctx, 1+i%3, func(s *side, plies []ply, events []bool) {
			for i, p := range plies {
				got[fmt.Sprint(s.game, s.sign, i+1)] = fmt.Sprint(s.player, []any{s.score, p.value, p.loss, p.clock, p.spent}, []any{s.rating, s.other, events[i]})
			}
		}); err != nil {
			t.Fatal(err)
		}
		if len(got) < 4000 || events == 0 || r.lost != q.Lost || !maps.Equal(got, want) {
			t.Errorf("%s: %d moves, %d of the query, of which %d events", when, len(got), len(want), events)
			for key := range want {
				if got[key] != want[key] {
					t.Fatalf("%s: %s, want %s", key, got[key], want[key])
				}
			}
		}
	}
}
