package player

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

// elo is Elo's formula.
func elo(own, other float64) float64 { return 1 / (1 + math.Pow(10, (other-own)/400)) }

// inputs are 60 games of Ann, who is 40 points stronger than her rating, with labels of four
// plies in which she loses 10 by each move and others lose 30.
func inputs(t *testing.T) (games, labels *datasets.Dir) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var rows, positions []map[string]string
	for g := range 60 {
		other := 1500 + 25*(g%20)
		points := 0.5
		if x := random.Float64(); x < elo(1740, float64(other))-0.1 {
			points = 1
		} else if x > elo(1740, float64(other))+0.1 {
			points = 0
		}
		first := g%2 == 0
		row := map[string]string{"game_id": fmt.Sprint(g), "game": "chess", "variant": "standard", "date": fmt.Sprintf("%d-05-01", 2000+g/20), "opening": fmt.Sprintf("B%02d", g%3), "ply_count": fmt.Sprint(20 + g)}
		sides := []string{"first", "second"}
		if !first {
			sides = []string{"second", "first"}
		}
		row[sides[0]+"_player"], row[sides[1]+"_player"] = "Ann", fmt.Sprintf("Bob %d", g%7)
		row[sides[0]+"_elo"], row[sides[1]+"_elo"] = "1700", fmt.Sprint(other)
		row["result"] = map[float64]string{1: sides[0], 0.5: "draw", 0: sides[1]}[points]
		rows = append(rows, row)
		value := 0.0
		for ply := range 5 {
			position := map[string]string{"game_id": fmt.Sprint(g), "ply": fmt.Sprint(ply), "first_to_move": fmt.Sprint(ply%2 == 0), "phase": fmt.Sprint(20 - ply), "quiescence_value": fmt.Sprint(value)}
			positions = append(positions, position)
			lost := 30.0
			if (ply%2 == 0) == first {
				lost = 10
			}
			value += map[bool]float64{true: -lost, false: lost}[ply%2 == 0]
		}
	}
	games = reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
	table := schemas.Positions(1, []schemas.GameColumn{{Name: "phase", Doc: "phase"}}, false)
	labels = reporttest.WriteTable(t, schemas.Labels(table, []string{"quiescence_value"}, nil, "quiescence_value"), positions, manifest.Counts{})
	labels.Manifest.Meta["leaf"], labels.Manifest.Meta["unit"] = "quiescence_value", "centipawns"
	return games, labels
}

func read(t *testing.T, in ...*datasets.Dir) *Report {
	t.Helper()
	r, err := Read(context.Background(), Params{Sources: []string{"games", "labels"}[:len(in)], Player: "Ann", Names: []string{"Ann"}, Workers: 2}, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// item returns a row of a section.
func item(t *testing.T, r *Report, section, name string) sheet.Fields {
	t.Helper()
	for _, f := range r.sections[section] {
		if f.Text("item") == name {
			return f
		}
	}
	t.Fatalf("no %s in %s", name, section)
	return sheet.Fields{}
}

func TestRecord(t *testing.T) {
	games, labels := inputs(t)
	r := read(t, games, labels)
	all, first := item(t, r, "record", "both"), item(t, r, "record", "first")
	if all.Whole("games") != 60 || first.Whole("games") != 30 || all.Whole("won")+all.Whole("drawn")+all.Whole("lost") != 60 {
		t.Errorf("%v", all.Row)
	}
	if want := (float64(all.Whole("won")) + float64(all.Whole("drawn"))/2) / 60; math.Abs(all.Number("score")-want) > 1e-12 || all.Number("low") >= want || all.Number("high") <= want {
		t.Errorf("score %v (%v to %v), want %v", all.Number("score"), all.Number("low"), all.Number("high"), want)
	}
	expected := 0.0
	for g := range 60 {
		expected += elo(1700, float64(1500+25*(g%20))) / 60
	}
	if math.Abs(all.Number("expected")-expected) > 1e-12 || math.Abs(all.Number("score")-all.Number("expected")-all.Number("above")) > 1e-12 {
		t.Errorf("expected %v, want %v; above %v", all.Number("expected"), expected, all.Number("above"))
	}
	if len(r.sections["year"]) != 3 || len(r.sections["opponents"]) != 5 || len(r.sections["opening first"]) != 3 || item(t, r, "length", "all").Number("estimate") != 49.5 {
		t.Errorf("%d years, %d bands, %d openings", len(r.sections["year"]), len(r.sections["opponents"]), len(r.sections["opening first"]))
	}
	for _, f := range r.sections["opening first"] {
		if f.Whole("rated") != 10 || f.At("above") == nil {
			t.Errorf("ten rated games are enough: %v", f.Row)
		}
	}
}

// TestLoss: the mean loss of the player's moves and of others', by phase.
func TestLoss(t *testing.T) {
	games, labels := inputs(t)
	r := read(t, games, labels)
	if len(r.sections["loss"]) == 0 {
		t.Fatal("no losses")
	}
	var moves int64
	for _, f := range r.sections["loss"] {
		moves += f.Whole("moves")
		if math.Abs(f.Number("estimate")-10) > 1e-9 || math.Abs(f.Number("reference")-30) > 1e-9 || math.Abs(f.Number("difference")+20) > 1e-9 {
			t.Errorf("%v", f.Row)
		}
	}
	if moves != 120 {
		t.Errorf("%d moves of Ann, want two in each of 60 games", moves)
	}
	if none := read(t, games); none.has("loss") || strings.Contains(none.Text(), "Value lost") || !strings.Contains(none.Text(), "kifu label") {
		t.Error("losses without labels")
	}
}

// TestFiles: page, tables and text are written, and do not depend on the number of workers.
func TestFiles(t *testing.T) {
	games, labels := inputs(t)
	example := &reporttest.Example{
		Name: "player",
		Page: reporttest.Numbers{Column: "games", Where: "section = 'record'", Is: "both", Write: reporttest.Whole},
		Make: func(t *testing.T, workers int, out page.Output) error {
			return Make(context.Background(), Params{Sources: []string{"games", "labels"}, Player: "Ann", Names: []string{"Ann"}, Workers: workers}, []*datasets.Dir{games, labels}, out)
		},
	}
	files := example.Files(t)
	for _, want := range []string{"Games worth seeing", "Value lost by a move, in centipawns", "Openings as the first player"} {
		if !strings.Contains(string(files["player.txt"]), want) {
			t.Errorf("%q is not in the text", want)
		}
	}
	if len(files["index.html"]) == 0 || len(files["player.csv"]) == 0 || len(files["player.json"]) == 0 {
		t.Error("files are missing")
	}
}

// TestCoverage: 95 % intervals of score and of points above expectation hold the truth of a player, in games that are independent,
// drawn or not; where results depend on the opponent (24 to 180 games against 12 to 30 opponents); and where opponents are few and most games are against one or two
// of them (Zipf's law). The figures of docs/validation.md are
//
//	go test ./report/player -run TestCoverage -v -replications 400
func TestCoverage(t *testing.T) {
	slow.Test(t, "a hundred queries")
	kinds := []string{"independent games", "results that depend on the opponent", "6 to 12 opponents by Zipf's law", "40 opponents by Zipf's law"}
	players := max(48, len(kinds)**replications)
	random := rand.New(rand.NewPCG(3, 4))
	var rows []map[string]string
	truth := map[string]float64{}
	for p := range players {
		name, kind := fmt.Sprintf("P%d", p), p%len(kinds)
		strength, draws, spread := 1600+200*random.NormFloat64(), 0.9*random.Float64(), 150.0 // of how the player suits opponents
		opponents := 12 + random.IntN(19)
		switch kind {
		case 0:
			spread = 0
		case 2:
			opponents = 6 + random.IntN(7)
		case 3:
			opponents = 40
		}
		mean := 0.0
		const population = 4000
		for range population {
			mean += elo(strength+spread*random.NormFloat64(), 1600) / population
		}
		truth[name] = mean
		for o := range opponents {
			suits, games := spread*random.NormFloat64(), 2+random.IntN(5)
			if kind > 1 {
				games = 1 + 40/(o+1)
			}
			for range games {
				e := elo(strength+suits, 1600)
				result, x := "second", random.Float64()
				d := draws * 2 * math.Min(e, 1-e)
				switch {
				case x < e-d/2:
					result = "first"
				case x < e+d/2:
					result = "draw"
				}
				rows = append(rows, map[string]string{"game_id": fmt.Sprint(len(rows)), "first_player": name, "second_player": fmt.Sprintf("O%d %d", p, o), "first_elo": "1600", "second_elo": "1600", "result": result, "ply_count": "10"})
			}
		}
	}
	games := reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
	db, err := query.Open(context.Background(), query.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Attach(context.Background(), "g", games); err != nil {
		t.Fatal(err)
	}
	scores, above := make([]int, len(kinds)), make([]int, len(kinds))
	for p := range players {
		name := fmt.Sprintf("P%d", p)
		r, err := Ask(context.Background(), db, Data{Games: "g", Game: "chess"}, []string{name})
		if err != nil {
			t.Fatal(err)
		}
		f := item(t, r, "record", "both")
		if f.Number("low") <= truth[name] && truth[name] <= f.Number("high") {
			scores[p%len(kinds)]++
		}
		if f.Number("above_low") <= truth[name]-0.5 && truth[name]-0.5 <= f.Number("above_high") {
			above[p%len(kinds)]++
		}
	}
	n := players / len(kinds)
	for i, kind := range kinds {
		t.Logf("%s: of %d scores %d, above %d are held", kind, n, scores[i], above[i])
		if least := 0.95*float64(n) - 3*math.Sqrt(0.95*0.05*float64(n)); float64(min(scores[i], above[i])) < least {
			t.Errorf("%s: of %d scores %d, above %d are held", kind, n, scores[i], above[i])
		}
	}
}

// TestDrawnGames: over all possible records of 20 games, a year each, 95 % intervals hold the true score of a player who draws
// none, some or most games. They are as narrow as draws allow, and those of package shape.
func TestDrawnGames(t *testing.T) {
	const games = 20
	var rows []map[string]string
	year := func(won, drawn int) string { return fmt.Sprint(1000 + 100*won + drawn) }
	for won := range games + 1 {
		for drawn := range games + 1 - won {
			for g := range games {
				result := "second"
				if g < won {
					result = "first"
				} else if g < won+drawn {
					result = "draw"
				}
				rows = append(rows, map[string]string{"game_id": fmt.Sprint(len(rows)), "first_player": "Ann", "second_player": "Bob", "date": year(won, drawn), "result": result, "ply_count": "10"})
			}
		}
	}
	r := read(t, reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{}))
	factorials := func(n int) float64 { f, _ := math.Lgamma(float64(n + 1)); return f }
	for _, draws := range []float64{0, 0.4, 0.75, 0.9} {
		for _, score := range []float64{0.5, 0.6, 0.75} {
			d := draws * 2 * min(score, 1-score)
			w := score - d/2
			held, width, undrawn := 0.0, 0.0, 0.0
			for won := range games + 1 {
				for drawn := range games + 1 - won {
					lost := games - won - drawn
					f := item(t, r, "year", year(won, drawn))
					low, high := f.Number("low"), f.Number("high")
					if _, a, b := shape.ScoreOf(int64(won), int64(drawn), int64(lost)); math.Abs(low-a) > 1e-6 || math.Abs(high-b) > 1e-6 {
						t.Fatalf("%d won, %d drawn: %v to %v, want %v to %v", won, drawn, low, high, a, b)
					}
					p := math.Exp(factorials(games)-factorials(won)-factorials(drawn)-factorials(lost)) * math.Pow(w, float64(won)) * math.Pow(d, float64(drawn)) * math.Pow(1-w-d, float64(lost))
					if low <= score+1e-9 && score-1e-9 <= high {
						held += p
					}
					width += p * (high - low)
					low, high = shape.Wilson((float64(won)+float64(drawn)/2)/games, games)
					undrawn += p * (high - low)
				}
			}
			t.Logf("score %v, %v drawn: %.3f held, %.2f of the width without draws", score, d, held, width/undrawn)
			if held < 0.94 || held > 0.99 || width > 1.12*math.Sqrt((w+d/4-score*score)/(score*(1-score)))*undrawn+0.05 {
				t.Errorf("score %v, %v drawn: %.3f held, %.2f of the width without draws", score, d, held, width/undrawn)
			}
		}
	}
}

// TestStillClocks: games whose clocks never go say nothing of time, and games of a player
// against itself are said.
func TestStillClocks(t *testing.T) {
	var rows []map[string]string
	for g := range 12 {
		row := map[string]string{"game_id": fmt.Sprint(g), "game": "chess", "variant": "standard", "ply_count": "6", "result": "first", "first_player": "Ann", "second_player": "Bob",
			"time_control": "60", "base_ms": "60000", "increment_ms": "0", "clocks_ms": "60000,60000,50000,60000,50000,60000"}
		if g >= 4 {
			row["clocks_ms"] = "60000,60000,60000,60000,60000,60000"
		}
		if g == 7 {
			row["second_player"] = "Ann"
		}
		rows = append(rows, row)
	}
	r := read(t, reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{}))
	if got := item(t, r, "time", "1 to 10"); got.Whole("moves") != 8 || got.Number("estimate") != 5 {
		t.Errorf("%v", got.Row)
	}
	if lead := r.lead(); !strings.HasPrefix(lead, "13 games of Ann (1 game against itself, counted in the scores by side only)") {
		t.Error(lead)
	}
	r = read(t, reporttest.WriteTable(t, schemas.Games, rows[8:], manifest.Counts{}))
	if r.has("time") || strings.Contains(r.lead(), "itself") {
		t.Errorf("%s; time: %v", r.lead(), r.sections["time"])
	}
}

// TestAgainstItself: of games against itself one side loses what the other wins, so that they say
// nothing in the scores of both; and the picture of a record by side has marks, no line.
func TestAgainstItself(t *testing.T) {
	var rows []map[string]string
	for g := range 40 {
		row := map[string]string{"game_id": fmt.Sprint(g), "game": "chess", "variant": "standard", "ply_count": "6", "result": "first", "first_player": "Ann", "second_player": "Ann", "first_elo": "1500", "second_elo": "1500"}
		if g >= 30 {
			row["second_player"], row["second_elo"] = "Bob", ""
		}
		if g == 39 {
			row["second_player"] = "" // nobody knows who it was
		}
		rows = append(rows, row)
	}
	alone := read(t, reporttest.WriteTable(t, schemas.Games, rows[:30], manifest.Counts{}))
	all, first := item(t, alone, "record", "both"), item(t, alone, "record", "first")
	if all.Whole("games") != 60 || all.Whole("won") != 0 || all.At("score") != nil || all.At("low") != nil || all.At("above") != nil || first.Number("score") != 1 || first.At("above") == nil {
		t.Errorf("alone: %v, first %v", all.Row, first.Row)
	}
	r := read(t, reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{}))
	if all := item(t, r, "record", "both"); all.Whole("games") != 70 || all.Whole("won") != 10 || all.Whole("drawn")+all.Whole("lost") != 0 || all.Number("score") != 1 || all.Number("low") < 0.6 {
		t.Errorf("with others: %v", all.Row)
	}
	c := r.Chart()
	if len(c.Series) != 3 || c.XTicks[2].Label != "the second player" {
		t.Fatalf("%d series, ticks %v", len(c.Series), c.XTicks)
	}
	for _, s := range c.Series {
		if len(s.Points) != 1 {
			t.Errorf("%s has %d points", s.Label, len(s.Points))
		}
	}
}

// TestAgainst: only the games against one opponent count, in every section, and an opponent who never met the player is an error.
func TestAgainst(t *testing.T) {
	games, labels := inputs(t)
	p := Params{Sources: []string{"games", "labels"}, Player: "Ann", Names: []string{"Ann"}, Against: []string{"Bob 3"}, Workers: 2}
	r, err := Read(context.Background(), p, []*datasets.Dir{games, labels})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Games(); n != 9 { // of 60, numbers 3, 10, … 59
		t.Errorf("%d games, want 9", n)
	}
	all := read(t, games, labels)
	scored := 0.0
	for i := range 7 {
		p.Against = []string{fmt.Sprintf("Bob %d", i)}
		if r, err = Read(context.Background(), p, []*datasets.Dir{games, labels}); err != nil {
			t.Fatal(err)
		}
		scored += item(t, r, "record", "both").OrNaN("score") * float64(r.Games())
		if !strings.Contains(r.Document().Lead, "Ann against Bob") {
			t.Errorf("lead: %s", r.Document().Lead)
		}
		if loss := r.sections["loss"][0].OrNaN("estimate"); loss != 10 {
			t.Errorf("a loss of %v by a move, want 10", loss)
		}
	}
	if want := item(t, all, "record", "both").OrNaN("score") * float64(all.Games()); math.Abs(scored-want) > 1e-9 {
		t.Errorf("%v points against the seven, %v in all", scored, want)
	}
	p.Against = []string{"Eve"}
	if _, err = Read(context.Background(), p, []*datasets.Dir{games, labels}); !errors.Is(err, ErrNoGame) {
		t.Errorf("an opponent who is not there: %v", err)
	}
}
