package database

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

func ask(t *testing.T, p Params, in ...*datasets.Dir) (*report, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return run(context.Background(), db, p, in)
}

// TestDatabaseNumbers holds every number against those of testdata/database.py.
func TestDatabaseNumbers(t *testing.T) {
	games, positions := reporttest.Games(t)
	d, err := ask(t, Params{Sources: []string{"games", "positions"}, Clusters: sheet.Clusters{Way: dyads.ByGame}}, games, positions)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Rows.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[[3]string]sheet.Fields{}
	for _, row := range rows {
		f := sheet.Fields{Columns: d.Rows.Columns, Row: row}
		value := ""
		if s := f.Text("section"); s != "first-move advantage" && f.At("value") != nil {
			value = strconv.FormatFloat(f.Number("value"), 'f', -1, 64)
		}
		got[[3]string{f.Text("section"), f.Text("item"), value}] = f
	}
	want := reporttest.ReadCSV(t, "database_expected.csv")
	for _, w := range want {
		key := [3]string{w["section"], w["item"], w["value"]}
		if w["section"] == "first-move advantage" {
			key[2] = ""
		}
		f, found := got[key]
		if !found {
			t.Errorf("no row %v", key)
			continue
		}
		for column, text := range w {
			if column == "section" || column == "item" || text == "" {
				continue
			}
			number, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			near := 1e-9
			if column == "low" || column == "high" {
				near = 3e-3 // the macro student_t is a series
			}
			if x := f.Number(column); math.Abs(x-number) > near*math.Max(1, math.Abs(number)) {
				t.Errorf("%v: %s is %v, want %v", key, column, x, number)
			}
		}
	}
	// Beyond the script's: the book's line and the manifest's counts.
	if n := len(rows) - len(want); n != 4 {
		t.Errorf("%d rows more than the script's, want 4", n)
	}
	for i, reason := range []string{"it's odd", "illegal move"} {
		if f := d.Sections["rejected"][i]; f.Item != reason || f.Games != 9-2*int64(i) {
			t.Errorf("rejected: %+v", f)
		}
	}
}

// TestFewGames: intervals of scores are those of package shape, whose coverage report/player tests, also where all games end alike.
func TestFewGames(t *testing.T) {
	records := [][3]int64{{1, 0, 0}, {3, 0, 0}, {1, 1, 0}, {1, 6, 2}, {8, 3, 4}, {0, 9, 1}, {0, 2, 0}}
	var rows []map[string]string
	for length, record := range records {
		for i, result := range []string{"first", "draw", "second"} {
			for range record[i] {
				rows = append(rows, map[string]string{"game_id": strconv.Itoa(len(rows)), "result": result, "ply_count": strconv.Itoa(lengthBin * (length + 1))})
			}
		}
	}
	d, err := ask(t, Params{Sources: []string{"games"}}, reporttest.WriteTable(t, schemas.Games, rows, manifest.Counts{}))
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range d.Sections["length"] {
		score, low, high := shape.ScoreOf(records[i][0], records[i][1], records[i][2])
		if got.Wins != records[i][0] || math.Abs(got.Score-score) > 1e-9 || math.Abs(got.Low-low) > 3e-3 || math.Abs(got.High-high) > 3e-3 {
			t.Errorf("%v: %+v, want %v (%v to %v)", records[i], got, score, low, high)
		}
	}
	if n := len(d.Sections["length"]); n != len(records) {
		t.Errorf("%d lengths", n)
	}
}

func TestDatabaseFiles(t *testing.T) {
	files := example.Files(t)
	for _, name := range []string{"database.csv", "database.md", "database.tex", "database.sql"} {
		reporttest.CheckGolden(t, name, files[name])
	}
	reporttest.CheckPicture(t, files, "database")
	reporttest.CheckPage(t, files["index.html"], "Results by rating difference", "Length of games", "Branching factor", "it's odd", "Mańdziuk 2010", "same moves, players and date", "games 2")
}

func TestDatabaseErrors(t *testing.T) {
	games, positions := reporttest.Games(t)
	for want, in := range map[string][]*datasets.Dir{
		"name a dataset of games too":                          {positions},
		"make the positions with kifu transform --legal-moves": {games, reporttest.WriteTable(t, schemas.Positions(1, nil, false), nil, manifest.Counts{})},
		"want games, and positions or labels":                  {games, reporttest.WriteTable(t, schemas.Weights, nil, manifest.Counts{})},
	} {
		if _, err := ask(t, Params{Sources: []string{"a", "b"}[:len(in)]}, in...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	// Games without a rating or a result still make a report.
	bare := reporttest.WriteTable(t, schemas.Games, []map[string]string{{"ply_count": "4"}}, manifest.Counts{})
	files := reporttest.Build(t, func(out page.Output) error {
		return Make(context.Background(), Params{Sources: []string{"games"}}, []*datasets.Dir{bare}, out)
	})
	reporttest.CheckPage(t, files["index.html"], "No game has both ratings")
}

var example = &reporttest.Example{
	Name: "database",
	Page: reporttest.Numbers{Column: "games", Where: "section", Is: "length", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		games, positions := reporttest.Games(t)
		return Make(context.Background(), Params{Sources: []string{"games", "games"}, Workers: workers}, []*datasets.Dir{games, positions}, out)
	},
}

func TestDatabaseExample(t *testing.T) {
	example.Check(t)
}
