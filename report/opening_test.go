package report

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// openingInputs are labels and choices that say to be of the same positions.
func openingInputs(t *testing.T) (labels, choices *datasets.Dir) {
	t.Helper()
	positions := schemas.Positions(1, nil, false)
	labels = writeTable(t, schemas.Labels(positions, []string{"quiescence_value"}, nil, "quiescence_value"), readCSV(t, "opening_labels.csv"), datasets.Counts{})
	choices = writeTable(t, schemas.Choices(positions, []string{"quiescence_value"}), readCSV(t, "opening_choices.csv"), datasets.Counts{})
	for _, d := range []*datasets.Dir{labels, choices} {
		d.Manifest.Meta["leaf"], d.Manifest.Meta["unit"] = "quiescence_value", "centipawns"
		d.Manifest.Inputs = []datasets.Input{{Name: "positions/v1", Key: "same"}}
	}
	return labels, choices
}

func askOpening(t *testing.T, p OpeningParams, in ...*datasets.Dir) (*opening, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return runOpening(context.Background(), db, p, in)
}

// TestOpeningNumbers holds every number against those of testdata/opening.py.
func TestOpeningNumbers(t *testing.T) {
	labels, choices := openingInputs(t)
	o, err := askOpening(t, OpeningParams{Sources: []string{"labels", "choices"}, Depth: 4, MinGames: 4}, labels, choices)
	if err != nil {
		t.Fatal(err)
	}
	r := o.withBacked()
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]fields{}
	for _, row := range rows {
		f := fields{r.Columns, row}
		got[fmt.Sprintf("%d %d %s", f.whole("ply"), f.at("hash"), f.text("move"))] = f
	}
	want := readCSV(t, "opening_expected.csv")
	if len(got) != len(want) {
		t.Errorf("%d moves, want %d", len(got), len(want))
	}
	for _, w := range want {
		f, found := got[w["ply"]+" "+w["hash"]+" "+w["move"]]
		if !found {
			t.Errorf("no move %s at ply %s", w["move"], w["ply"])
			continue
		}
		if f.text("unplayed") != w["unplayed"] {
			t.Errorf("%s at ply %s: best unplayed %q, want %q", w["move"], w["ply"], f.text("unplayed"), w["unplayed"])
		}
		for _, column := range []string{"games", "share", "wins", "draws", "losses", "score", "rating", "performance", "value", "unplayed_value", "backed_value"} {
			x, number := f.orNaN(column), math.NaN()
			if w[column] != "" {
				if number, err = strconv.ParseFloat(w[column], 64); err != nil {
					t.Fatal(err)
				}
			}
			if math.IsNaN(x) != math.IsNaN(number) || math.Abs(x-number) > 1e-9*math.Max(1, math.Abs(number)) {
				t.Errorf("%s at ply %s: %s is %v, want %v", w["move"], w["ply"], column, x, number)
			}
		}
	}
}

func TestOpeningFiles(t *testing.T) {
	files := built(t, "opening")
	checkGolden(t, "opening.md", files["opening.md"])
	checkGolden(t, "opening.sql", files["opening.sql"])
	checkPicture(t, files, "opening")
	checkPage(t, files["index.html"], "<details open><summary><b>a</b>", "goes on as", "best unplayed reply", "How far the tree reaches")
}

func TestOpeningErrors(t *testing.T) {
	labels, choices := openingInputs(t)
	other, _ := openingInputs(t)
	other.Manifest.Inputs = []datasets.Input{{Name: "positions/v1", Key: "another"}}
	for want, in := range map[string][]*datasets.Dir{
		"name a dataset of positions or labels": {choices},
		"are not of the same positions":         {other, choices},
		"a second of its kind":                  {labels, other},
	} {
		if _, err := askOpening(t, OpeningParams{Sources: []string{"a", "b"}[:len(in)], Depth: 4, MinGames: 1}, in...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := askOpening(t, OpeningParams{Sources: []string{"a"}, Depth: 4, MinGames: 1000}, labels); err == nil || !strings.Contains(err.Error(), "--min-games") {
		t.Errorf("a tree without moves: %v", err)
	}
}
