package performance

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/board"
	"kifu/games/shogi"
	"kifu/internal/skill"
	"kifu/kit/reporttest"
	"kifu/report/page"
	"kifu/schemas"
)

// planted are 300 games of 40 players rated from 1200 to 1980, in which a hundred points of the level save slope of the loss's
// logarithm, and Ann plays 500 points above her rating of 1600.
func planted(t *testing.T, slope float64) (games, labels *datasets.Dir) {
	return changed(t, slope, nil)
}

// changed are planted games with the tags that the function returns, of a game and the sides' names.
func changed(t *testing.T, slope float64, tags func(game int, names [2]string) string) (games, labels *datasets.Dir) {
	t.Helper()
	random := rand.New(rand.NewPCG(38, 2))
	var rows, positions []map[string]string
	for g := range 300 {
		id, value := fmt.Sprint(g), 0.0
		row := map[string]string{"game_id": id, "date": fmt.Sprint(2000 + g%3), "event": "Open", "ply_count": "61"}
		var level [2]float64
		for i, side := range []string{"first", "second"} {
			p := (g*7 + i*(1+g%11)) % 40
			rating := 1200 + 20*p
			level[i] = float64(rating)
			row[side+"_player"], row[side+"_elo"] = fmt.Sprintf("P%02d", p), fmt.Sprint(rating)
			if p == 20 {
				row[side+"_player"] = "Ann"
				level[i] += 500
			}
		}
		if tags != nil {
			row["tags"] = tags(g, [2]string{row["first_player"], row["second_player"]})
		}
		rows = append(rows, row)
		for ply := range 62 {
			positions = append(positions, map[string]string{"game_id": id, "ply": fmt.Sprint(ply), "first_to_move": fmt.Sprint(ply%2 == 0), "quiescence_value": fmt.Sprint(math.Round(value))})
			loss := 30 * random.ExpFloat64() * math.Exp(-slope*(level[ply%2]-1600)/100)
			value = 0.7*value - map[bool]float64{true: loss, false: -loss}[ply%2 == 0]
		}
	}
	games = reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
	table := schemas.Positions(1, nil, false)
	labels = reporttest.WriteTable(t, schemas.Labels(table, []string{"quiescence_value"}, nil, "quiescence_value"), positions, manifest.Counts{})
	labels.Manifest.Meta["leaf"] = "quiescence_value"
	return games, labels
}

// TestMake: the intervals of planted levels, the losses of another sum, and a model that is read again.
func TestMake(t *testing.T) {
	games, labels := planted(t, 0.15)
	p := Params{Sources: []string{"games", "labels"}, By: []string{"player"}, Pawn: 100, Within: 300, SkipPlies: 16, MinMoves: 20, FDR: 0.05, Workers: 2}
	files := reporttest.Build(t, func(out page.Output) error {
		return Make(context.Background(), p, []*datasets.Dir{games, labels}, out)
	})
	reporttest.CheckPage(t, files["index.html"], "Help that would be detected", "500")
	rows := readCSV(t, files["performance.csv"])
	if len(rows) != 40 {
		t.Fatalf("%d performances", len(rows))
	}
	held := 0
	for _, row := range rows {
		level := number(t, row["rating"])
		if row["performance"] == "Ann" {
			level += 500
			if q := number(t, row["q"]); q > 0.01 {
				t.Errorf("Ann plays 500 points above her rating with q %.3f", q)
			}
		}
		if number(t, row["low"]) < level && level < number(t, row["high"]) {
			held++
		}
		if a := number(t, row["accuracy"]); a < 50 || a > 100 {
			t.Errorf("an accuracy of %.1f", a)
		}
	}
	if held < 34 {
		t.Errorf("%d of 40 intervals hold the level", held)
	}
	m, err := ReadModel(files[modelFile])
	if err != nil {
		t.Fatal(err)
	}
	p.Model, p.By = m, []string{"event"}
	again := reporttest.Build(t, func(out page.Output) error {
		return Make(context.Background(), p, []*datasets.Dir{games, labels}, out)
	})
	event := readCSV(t, again["performance.csv"])
	if z := number(t, event[0]["z"]); len(event) != 1 || math.Abs(z) > 0.5 {
		t.Errorf("all games, which the calibration is of, have z %.2f", z)
	}
	m.All = true
	if err := Make(context.Background(), p, []*datasets.Dir{games, labels}, nil); err == nil || !strings.Contains(err.Error(), "model.json that kifu performance writes") {
		t.Errorf("a calibration of other weights: %v", err)
	}
	text := string(again["index.html"])
	if !strings.Contains(text, "never a verdict on a player") || strings.Contains(strings.ToLower(text), "cheat") {
		t.Error("the page does not say what it cannot show, or calls somebody a cheat")
	}
}

// TestProvisional: a rating that a game changed by more than an established one, or that of a new account at Lichess.
func TestProvisional(t *testing.T) {
	none := math.NaN()
	for _, c := range []struct {
		rating, other, score, change float64
		lichess, want                bool
	}{
		{1500, 1370, 1, 121, true, true}, {1705, 1806, 1, 123, true, true}, {2012, 1597, 1, 9, true, true}, {1500, 1401, 0, -231, true, true},
		{2358, 1411, 0.5, -13, true, false}, {1210, 1172, 0, -47, true, true}, {1172, 1210, 1, 16, true, false}, {2400, 1500, 1, 1, true, false},
		{1000, 2400, 1, 40, false, false}, {1500, 1520, 1, 6, true, false}, {1500, none, 1, 70, true, false}, {1500, none, 1, 120, true, true},
		{1500, 1600, 1, none, true, true}, {1500, 1600, 1, none, false, false}, {1501, 1600, 1, none, true, false},
	} {
		if got := provisional(c.rating, c.other, c.score, c.change, c.lichess); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLeavesProvisionalOut: Ann's rating is provisional in all games but those of the last third. Her z is by these alone, and where
// all are provisional she has none, nor a rating; her intrinsic rating is of all games.
func TestLeavesProvisionalOut(t *testing.T) {
	p := Params{Sources: []string{"games", "labels"}, By: []string{"player"}, Pawn: 100, Within: 300, SkipPlies: 16, MinMoves: 20, FDR: 0.05, Workers: 2}
	made := func(early int) (ann map[string]string, text string) {
		games, labels := changed(t, 0.15, func(game int, names [2]string) string {
			changes := [2]string{"+5", "-5"}
			for i, name := range names {
				if name == "Ann" && game < early {
					changes[i] = "+150"
				}
			}
			return "WhiteRatingDiff=" + changes[0] + ",BlackRatingDiff=" + changes[1]
		})
		files := reporttest.Build(t, func(out page.Output) error {
			return Make(context.Background(), p, []*datasets.Dir{games, labels}, out)
		})
		for _, row := range readCSV(t, files["performance.csv"]) {
			if row["performance"] == "Ann" {
				ann = row
			}
		}
		return ann, string(files["index.html"])
	}
	none, quiet := made(0)
	some, text := made(200)
	all, _ := made(300)
	games := number(t, none["games"])
	if early := number(t, some["provisional"]); !(early > games/2 && early < games) || some["games"] != none["games"] || some["moves"] != none["moves"] || number(t, some["rating"]) != 1600 {
		t.Errorf("of %v games: %v", games, some)
	}
	if a, b := number(t, some["z"]), number(t, none["z"]); !(a > 1 && a < b) || number(t, some["share_seen"]) <= number(t, none["share_seen"]) {
		t.Errorf("z %v of a third, %v of all games", a, b)
	}
	if all["z"] != "" || all["q"] != "" || all["rating"] != "" || all["provisional"] != all["games"] || math.Abs(number(t, all["intrinsic_rating"])-2100) > 400 {
		t.Errorf("all provisional: %v", all)
	}
	if !strings.Contains(text, "have a provisional rating, which z leaves out") || !strings.Contains(text, "not compared") || !strings.Contains(quiet, "do not tell which ones") {
		t.Error("the page does not say so")
	}
}

// recordedGames are planted games whose values are in the records' comments. With begins, every other game has the sides exchanged, and its
// second player moves first, because of a handicap or of the start position.
func recordedGames(t *testing.T, begins bool) *datasets.Dir {
	t.Helper()
	random := rand.New(rand.NewPCG(38, 3))
	var rows []map[string]string
	for g := range 300 {
		row := map[string]string{"game_id": fmt.Sprint(g), "variant": "standard", "ply_count": "61"}
		turned := begins && g%2 == 1
		sides, level, sign := [2]string{"first", "second"}, [2]float64{}, 1.0
		if turned {
			sides, sign = [2]string{"second", "first"}, -1
			if row["variant"] = "handicap-2"; g%4 == 1 {
				row["variant"], row["start_position"] = "standard", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
			}
		}
		for i, side := range sides {
			p := (g*7 + i*(1+g%11)) % 40
			row[side+"_player"], row[side+"_elo"], level[i] = fmt.Sprintf("P%02d", p), fmt.Sprint(1200+20*p), float64(1200+20*p)
		}
		var evals []string
		value := 0.0
		for ply := range 61 {
			loss := 30 * random.ExpFloat64() * math.Exp(-0.15*(level[ply%2]-1600)/100)
			value = math.Round(0.7*value - map[bool]float64{true: loss, false: -loss}[ply%2 == 0])
			evals = append(evals, fmt.Sprint(sign*value))
		}
		row["evals"] = strings.Join(evals, ",")
		rows = append(rows, row)
	}
	return reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{})
}

// TestSecondBegins: ratings do not depend on which side is called the first, if the moves and values are the same.
func TestSecondBegins(t *testing.T) {
	p := Params{Sources: []string{"games"}, By: []string{"player"}, Pawn: 100, Within: 300, SkipPlies: 16, MinMoves: 20, FDR: 0.05, Workers: 2}
	made := func(begins bool) []map[string]string {
		games := recordedGames(t, begins)
		games.Manifest.Meta["game"] = "shogi"
		ctx := board.With(context.Background(), []board.Game{board.Of(shogi.Rules{})})
		files := reporttest.Build(t, func(out page.Output) error {
			return Make(ctx, p, []*datasets.Dir{games}, out)
		})
		return readCSV(t, files["performance.csv"])
	}
	got, want := made(true), made(false)
	if len(got) != 40 || len(want) != 40 {
		t.Fatalf("%d and %d performances", len(got), len(want))
	}
	for i := range want {
		for _, name := range []string{"games", "moves", "rating", "intrinsic_rating", "low", "high", "z", "accuracy", "mean_loss"} {
			near := 1e-6
			switch name { // without the first move where the value before it is unknown
			case "accuracy":
				near = 0.7
			case "mean_loss":
				near = 1.5
			}
			if a, b := number(t, got[i][name]), number(t, want[i][name]); got[i]["performance"] != want[i]["performance"] || math.Abs(a-b) > near {
				t.Errorf("%s of %s: %v, want %v", name, want[i]["performance"], a, b)
			}
		}
	}
}

// TestNoSlope: where ratings do not predict losses there is no scale, and an error names what to do.
func TestNoSlope(t *testing.T) {
	games, labels := planted(t, 0)
	p := Params{Sources: []string{"games", "labels"}, By: []string{"player"}, Pawn: 100, Within: 300, SkipPlies: 16, MinMoves: 20, FDR: 0.05}
	err := Make(context.Background(), p, []*datasets.Dir{games, labels}, page.Alone(nil))
	if err == nil || !strings.Contains(err.Error(), "do not clearly lose less") || !strings.Contains(err.Error(), "--model") {
		t.Errorf("ratings that mean nothing: %v", err)
	}
}

// TestScaled: a pawn from an equal position is ln 2, and values far off are alike.
func TestScaled(t *testing.T) {
	r := &report{Params: Params{Pawn: 100, Within: 300, SkipPlies: 16}}
	if got := r.scaled(-100, false); math.Abs(got-math.Ln2) > 1e-12 || r.scaled(5000, true) != r.scaled(31990, true) {
		t.Errorf("a pawn is %v", got)
	}
	if !r.counts(16, skill.Scaled(300, 100)) || r.counts(15, 0) || r.counts(20, skill.Scaled(-301, 100)) {
		t.Error("positions are left out by other limits")
	}
}

func readCSV(t *testing.T, text []byte) (all []map[string]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		fields := map[string]string{}
		for i, name := range rows[0] {
			fields[name] = row[i]
		}
		all = append(all, fields)
	}
	return all
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
