package report

import (
	"context"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// writeTable makes a dataset of one part of the rows of a CSV file: by the names of its
// columns, null where there is no text. Columns that the file lacks are null, empty or 0.
func writeTable(t *testing.T, table schemas.Table, rows []map[string]string, counts datasets.Counts) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(), Params: len(rows),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			b.SetMeta("game", "chess")
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := datasets.NewBatch(table)
			for _, row := range rows {
				batch.Rows++
				for i := range batch.Cols {
					appendText(t, &batch.Cols[i], row[batch.Cols[i].Column.Name])
				}
			}
			g, err := w.Encode(batch)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
			return w.Close(counts, nil)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func appendText(t *testing.T, v *datasets.Vec, text string) {
	t.Helper()
	if text == "" && v.Column.Nullable {
		v.AppendNull()
		return
	}
	if text == "" {
		text = "0"
	}
	var err error
	var n int64
	var f float64
	switch v.Column.Type {
	case schemas.String:
		v.AppendString(text)
	case schemas.Bytes:
		var b []byte
		if text != "0" {
			b, err = hex.DecodeString(text)
		}
		v.AppendBytes(b)
	case schemas.FixedBytes:
		v.AppendBytes(make([]byte, v.Column.Size))
	case schemas.StringMap:
		v.EndMap()
	case schemas.Bool:
		v.AppendBool(text == "true")
	case schemas.Uint64:
		var u uint64
		u, err = strconv.ParseUint(text, 10, 64)
		v.AppendUint64(u)
	case schemas.Int64:
		n, err = strconv.ParseInt(text, 10, 64)
		v.AppendInt64(n)
	case schemas.Float32:
		f, err = strconv.ParseFloat(text, 32)
		v.AppendFloat32(float32(f))
	default:
		n, err = strconv.ParseInt(text, 10, 32)
		v.AppendInt32(int32(n))
	}
	if err != nil {
		t.Fatalf("column %s: %v", v.Column.Name, err)
	}
}

// positionsTable is that of chess positions with their numbers of legal moves.
func positionsTable() schemas.Table {
	table := schemas.Positions(1, []schemas.GameColumn{{Name: "phase"}}, false)
	table.Columns = append(table.Columns, schemas.LegalMoves)
	return table
}

func databaseInputs(t *testing.T) (games, positions *datasets.Dir) {
	counts := datasets.Counts{Rejected: map[string]int64{"illegal move": 7, "it's odd": 9}, Noted: map[string]int64{"no result": 3}}
	return writeTable(t, schemas.Games, readCSV(t, "database_games.csv"), counts), writeTable(t, positionsTable(), readCSV(t, "database_positions.csv"), datasets.Counts{})
}

func askDatabase(t *testing.T, p DatabaseParams, in ...*datasets.Dir) (*database, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return runDatabase(context.Background(), db, p, in)
}

// TestDatabaseNumbers holds every number against those of testdata/database.py.
func TestDatabaseNumbers(t *testing.T) {
	games, positions := databaseInputs(t)
	d, err := askDatabase(t, DatabaseParams{Sources: []string{"games", "positions"}}, games, positions)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Rows.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[[3]string]fields{}
	for _, row := range rows {
		f := fields{d.Rows.Columns, row}
		value := ""
		if s := f.text("section"); s != "first-move advantage" && f.at("value") != nil {
			value = strconv.FormatFloat(f.number("value"), 'f', -1, 64)
		}
		got[[3]string{f.text("section"), f.text("item"), value}] = f
	}
	want := readCSV(t, "database_expected.csv")
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
			if x := f.number(column); math.Abs(x-number) > 1e-9*math.Max(1, math.Abs(number)) {
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

func TestDatabaseFiles(t *testing.T) {
	files := built(t, "database")
	for _, name := range []string{"database.csv", "database.md", "database.tex", "database.sql"} {
		checkGolden(t, name, files[name])
	}
	checkPicture(t, files, "database")
	checkPage(t, files["index.html"], "Results by rating difference", "Length of games", "Branching factor", "it's odd", "Mańdziuk 2010", "same moves, players and date", "games 2")
}

func TestDatabaseErrors(t *testing.T) {
	games, positions := databaseInputs(t)
	for want, in := range map[string][]*datasets.Dir{
		"name a dataset of games too":                          {positions},
		"make the positions with kifu transform --legal-moves": {games, writeTable(t, schemas.Positions(1, nil, false), nil, datasets.Counts{})},
		"want games, and positions or labels":                  {games, writeTable(t, schemas.Weights, nil, datasets.Counts{})},
	} {
		if _, err := askDatabase(t, DatabaseParams{Sources: []string{"a", "b"}[:len(in)]}, in...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	// Games without a rating or a result still make a report.
	bare := writeTable(t, schemas.Games, []map[string]string{{"ply_count": "4", "moves": "00"}}, datasets.Counts{})
	files := makeReport(t, func(out *datasets.Builder) error {
		return Database(context.Background(), DatabaseParams{Sources: []string{"games"}}, []*datasets.Dir{bare}, out)
	})
	checkPage(t, files["index.html"], "No game has both ratings")
}
