package opening

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// openingInputs are labels and choices that say to be of the same positions.
func openingInputs(t *testing.T) (labels, choices *datasets.Dir) {
	t.Helper()
	positions := schemas.Positions(1, nil, false)
	labels = reporttest.WriteTable(t, schemas.Labels(positions, []string{"quiescence_value"}, nil, "quiescence_value"), reporttest.ReadCSV(t, "opening_labels.csv"), manifest.Counts{})
	choices = reporttest.WriteTable(t, schemas.Choices(positions, []string{"quiescence_value"}), reporttest.ReadCSV(t, "opening_choices.csv"), manifest.Counts{})
	for _, d := range []*datasets.Dir{labels, choices} {
		d.Manifest.Meta["leaf"], d.Manifest.Meta["unit"] = "quiescence_value", "centipawns"
		d.Manifest.Inputs = []manifest.Input{{Name: "positions/v1", Key: "same"}}
	}
	return labels, choices
}

func ask(t *testing.T, p Params, in ...*datasets.Dir) (*report, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return run(context.Background(), db, p, in)
}

// TestOpeningNames: where positions have names of openings, a move has that of the position
// after it, in the tree and as the last column of the query; elsewhere there is no such column.
func TestOpeningNames(t *testing.T) {
	labels, _ := openingInputs(t)
	o, err := ask(t, Params{Sources: []string{"labels"}, Depth: 4, MinGames: 4}, labels)
	if err != nil || o.q.Named || slices.ContainsFunc(o.result().Columns, func(c query.Column) bool { return c.Name == "opening" }) {
		t.Errorf("names of openings where there are none: %v", err)
	}
	positions := schemas.Positions(1, nil, false)
	positions.Columns = append(positions.Columns, schemas.OpeningName)
	rows := reporttest.ReadCSV(t, "opening_labels.csv")
	for _, row := range rows {
		if row["ply"] != "0" {
			row["opening_name"] = "四間飛車 " + row["ply"]
		}
	}
	named := reporttest.WriteTable(t, positions, rows, manifest.Counts{})
	if o, err = ask(t, Params{Sources: []string{"positions"}, Depth: 4, MinGames: 4}, named); err != nil {
		t.Fatal(err)
	}
	for _, e := range o.Roots[0].Edges {
		if e.Opening != "四間飛車 1" {
			t.Errorf("%s leads to %q", e.Move, e.Opening)
		}
	}
	w := treeWriter{named: true, seen: map[spot]string{}}
	w.node(o.Roots[0], nil, "", 0)
	if head := w.head(); head[len(head)-1].Text != "opening" || w.rows[0][len(head)-1] != "四間飛車 1" || !strings.Contains(w.html.String(), "<i>opening</i> 四間飛車 1") {
		t.Errorf("no name in the tree: %v, %v", head, w.rows[0])
	}
}

// TestOpeningNumbers holds every number against those of testdata/opening.py.
func TestOpeningNumbers(t *testing.T) {
	labels, choices := openingInputs(t)
	o, err := ask(t, Params{Sources: []string{"labels", "choices"}, Depth: 4, MinGames: 4}, labels, choices)
	if err != nil {
		t.Fatal(err)
	}
	r := o.result()
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]sheet.Fields{}
	for _, row := range rows {
		f := sheet.Fields{Columns: r.Columns, Row: row}
		got[fmt.Sprintf("%d %d %s", f.Whole("ply"), f.At("hash"), f.Text("move"))] = f
	}
	want := reporttest.ReadCSV(t, "opening_expected.csv")
	if len(got) != len(want) {
		t.Errorf("%d moves, want %d", len(got), len(want))
	}
	for _, w := range want {
		f, found := got[w["ply"]+" "+w["hash"]+" "+w["move"]]
		if !found {
			t.Errorf("no move %s at ply %s", w["move"], w["ply"])
			continue
		}
		if f.Text("unplayed") != w["unplayed"] {
			t.Errorf("%s at ply %s: best unplayed %q, want %q", w["move"], w["ply"], f.Text("unplayed"), w["unplayed"])
		}
		for _, column := range []string{"games", "share", "wins", "draws", "losses", "score", "rating", "performance", "rated", "value", "unplayed_value", "backed_value"} {
			x, number := f.OrNaN(column), math.NaN()
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
	files := example.Files(t)
	reporttest.CheckGolden(t, "opening.md", files["opening.md"])
	reporttest.CheckGolden(t, "opening.sql", files["opening.sql"])
	reporttest.CheckPicture(t, files, "opening")
	reporttest.CheckPage(t, files["index.html"], "<details open><summary><b>a</b>", "continues as", "best unplayed reply", "Coverage of the tree")
}

func TestOpeningErrors(t *testing.T) {
	labels, choices := openingInputs(t)
	other, _ := openingInputs(t)
	other.Manifest.Inputs = []manifest.Input{{Name: "positions/v1", Key: "another"}}
	for want, in := range map[string][]*datasets.Dir{
		"name a dataset of positions or labels": {choices},
		"are not of the same positions":         {other, choices},
		"a second dataset of its kind":          {labels, other},
	} {
		if _, err := ask(t, Params{Sources: []string{"a", "b"}[:len(in)], Depth: 4, MinGames: 1}, in...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := ask(t, Params{Sources: []string{"a"}, Depth: 4, MinGames: 1000}, labels); err == nil || !strings.Contains(err.Error(), "--min-games") {
		t.Errorf("a tree without moves: %v", err)
	}
}

var example = &reporttest.Example{
	Name: "opening",
	Page: reporttest.Numbers{Column: "games", Where: "", Is: "", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		labels, choices := openingInputs(t)
		p := Params{Sources: []string{"labels", "choices"}, Depth: 4, MinGames: 4, Workers: workers}
		return Make(context.Background(), p, []*datasets.Dir{labels, choices}, out)
	},
}

func TestOpeningExample(t *testing.T) {
	example.Check(t)
}
