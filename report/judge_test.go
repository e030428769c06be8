package report

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// judged reads the numbers of testdata/judge.py for a report.
func judged(t *testing.T, report string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "judged.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range lines {
		if line[0] == report {
			rows = append(rows, line[1:])
		}
	}
	return rows
}

// near compares with a number of the script; the empty text is NaN or nothing.
func near(t *testing.T, what, want string, got float64) {
	t.Helper()
	if want == "" {
		if !math.IsNaN(got) && got != 0 {
			t.Errorf("%s is %v, want none", what, got)
		}
		return
	}
	w, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(got-w) <= 1e-9*math.Max(1, math.Abs(w))) {
		t.Errorf("%s is %v, want %v", what, got, w)
	}
}

func openDB(t *testing.T) *query.DB {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestCalibrationEqualsScript(t *testing.T) {
	d := writeLabels(t, t.TempDir(), committed(t), nil)
	for _, draws := range []string{DrawsExclude, DrawsHalf} {
		for _, share := range []string{"0", "0.3"} {
			p := CalibrationParams{Bins: 10, Draws: draws, Seed: 1, Sources: []string{"labels"}}
			p.Holdout, _ = strconv.ParseFloat(share, 64)
			c, err := runCalibration(context.Background(), openDB(t), p, []*datasets.Dir{d})
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, want := range judged(t, "calibration") {
				if want[0] != draws || want[1] != share {
					continue
				}
				for _, k := range c.of(0, want[2]) {
					if k.Level != want[3] {
						continue
					}
					compared++
					what := strings.Join(want[:4], " ")
					near(t, what+" positions", want[4], float64(k.Positions))
					near(t, what+" games", want[5], float64(k.Games))
					near(t, what+" w0", want[6], c.Forecasts[0].scale())
					near(t, what+" forecast", want[7], k.Mean)
					near(t, what+" won", want[8], k.Won)
					near(t, what+" low", want[15], k.Low)
					near(t, what+" high", want[16], k.High)
					near(t, what+" log-loss", want[10], k.LogLoss)
					near(t, what+" log-loss s.e.", want[11], k.SE)
					near(t, what+" Brier", want[12], k.Brier)
					near(t, what+" accuracy", want[13], k.Accuracy)
					near(t, what+" order", want[14], k.OrderAgreement)
				}
			}
			if n := len(c.of(0, "all")) + len(c.of(0, "bin")) + len(c.of(0, "ply")); compared != n || n < 10 {
				t.Errorf("%s %s: %d of %d groups compared", draws, share, compared, n)
			}
		}
	}
}

func TestDepthEqualsScript(t *testing.T) {
	d := writeLabels(t, t.TempDir(), committed(t), nil)
	p := DepthParams{Shallow: []string{"king_safety"}, Sources: []string{"labels"}}
	got, err := runDepth(context.Background(), openDB(t), p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	want, l := judged(t, "depth")[0], got.Lines[0]
	for i, v := range []float64{float64(l.Positions), float64(l.Games), l.A, l.ASE, l.B, l.BSE, l.Sigma, l.SigmaSE, l.R2, l.Shift} {
		near(t, fmt.Sprint("number ", i), want[i], v)
	}
}

// choice is a row of the test datasets of choices.
type choice struct {
	game, ply int64
	move      string
	played    bool
	value     float32
}

func writeChoices(t *testing.T, dir string, rows []choice) *datasets.Dir {
	t.Helper()
	table := schemas.Choices(schemas.Positions(1, nil, false), []string{"static_value"})
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "label", Output: table.ID(), Params: len(rows),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			for k, v := range map[string]string{"game": "chess", "unit": "centipawns", "leaf": "static_value", "alternatives": "0"} {
				b.SetMeta(k, v)
			}
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := datasets.NewBatch(table)
			for _, r := range rows {
				appendChoice(batch, r)
			}
			g, err := w.Encode(batch)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
			return w.Close(datasets.Counts{}, nil)
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

func appendChoice(b *datasets.Batch, r choice) {
	b.Rows++
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(r.game)
		case "ply":
			v.AppendInt32(int32(r.ply))
		case "first_to_move":
			v.AppendBool(r.ply%2 == 0)
		case "move":
			v.AppendString(r.move)
		case "played":
			v.AppendBool(r.played)
		case "static_value":
			v.AppendFloat32(r.value)
		default:
			switch {
			case v.Column.Nullable:
				v.AppendNull()
			case v.Column.Type == schemas.Bytes:
				v.AppendBytes(nil)
			default:
				v.AppendInt32(0)
			}
		}
	}
}

func committedChoices(t *testing.T) []choice {
	var rows []choice
	for _, r := range readCSV(t, "choices.csv") {
		game, _ := strconv.ParseInt(r["game_id"], 10, 64)
		ply, _ := strconv.ParseInt(r["ply"], 10, 64)
		value, err := strconv.ParseFloat(r["value"], 32)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, choice{game, ply, r["move"], r["played"] == "1", float32(value)})
	}
	return rows
}

func TestMovesEqualScript(t *testing.T) {
	d := writeChoices(t, t.TempDir(), committedChoices(t))
	p := MovesParams{Holdout: 0.5, Seed: 1, Sources: []string{"value"}, Patterns: []query.Named{{Name: "vowel", SQL: "move IN ('a', 'e', 'i', 'o', 'u')"}}}
	g, err := runMoves(context.Background(), openDB(t), p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range judged(t, "moves") {
		found := false
		for i, o := range g.Orders {
			for _, r := range g.of(i, "all") {
				if o.Name != want[0] || strconv.FormatInt(r.Top, 10) != want[1] {
					continue
				}
				found = true
				what := want[0] + " first " + want[1]
				near(t, what+" decisions", want[2], float64(r.Decisions))
				near(t, what+" games", want[3], float64(r.Games))
				near(t, what+" share", want[4], r.Share)
				near(t, what+" chance", want[6], r.Chance)
			}
		}
		if !found {
			t.Errorf("no row of %v", want[:2])
		}
	}
}

// TestJudgeFiles: the page says the numbers of the query.
func TestJudgeFiles(t *testing.T) {
	for _, name := range []string{"calibration", "depth", "moves"} {
		t.Run(name, func(t *testing.T) {
			files := built(t, name)
			rows, err := csv.NewReader(strings.NewReader(string(files[name+".csv"]))).ReadAll()
			if err != nil || len(rows) < 2 {
				t.Fatalf("%d rows: %v", len(rows), err)
			}
			var numbers []string
			for i, column := range rows[0] {
				if column == "log_loss" || column == "r2" {
					v, _ := strconv.ParseFloat(rows[1][i], 64)
					numbers = append(numbers, four(v))
				}
				if column == "share" || column == "won" {
					v, _ := strconv.ParseFloat(rows[1][i], 64)
					numbers = append(numbers, percent(v, 1))
				}
			}
			if len(numbers) == 0 {
				t.Fatal("no number to look for")
			}
			checkPage(t, files["index.html"], numbers...)
			checkPicture(t, files, name)
		})
	}
}

func TestJudgeRefuses(t *testing.T) {
	labels := writeLabels(t, t.TempDir(), committed(t), nil)
	distinct := writeLabels(t, t.TempDir(), []label{{distinct: &[4]int32{1, 1, 0, 0}, result: "first"}}, nil)
	ctx := context.Background()
	for _, c := range []struct {
		want string
		run  func(db *query.DB) error
	}{
		{"0 bins", func(db *query.DB) error {
			_, err := runCalibration(ctx, db, CalibrationParams{Draws: DrawsHalf, Sources: []string{"a"}}, []*datasets.Dir{labels})
			return err
		}},
		{"distinct positions", func(db *query.DB) error {
			_, err := runCalibration(ctx, db, CalibrationParams{Bins: 10, Draws: DrawsHalf, Sources: []string{"a"}}, []*datasets.Dir{distinct})
			return err
		}},
		{"more than 60 groups", func(db *query.DB) error {
			p := CalibrationParams{Bins: 10, Draws: DrawsHalf, Sources: []string{"a"}, By: []query.Named{{Name: "game", SQL: "game_id"}}}
			_, err := runCalibration(ctx, db, p, []*datasets.Dir{labels})
			return err
		}},
		{"one search alone", func(db *query.DB) error {
			_, err := runDepth(ctx, db, DepthParams{Sources: []string{"a"}}, []*datasets.Dir{labels})
			return err
		}},
		{"--holdout", func(db *query.DB) error {
			_, err := runMoves(ctx, db, MovesParams{Patterns: []query.Named{{Name: "x", SQL: "move"}}, Sources: []string{"a"}}, []*datasets.Dir{labels})
			return err
		}},
	} {
		if err := c.run(openDB(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
