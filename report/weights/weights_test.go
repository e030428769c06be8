package weights

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
	"kifu/schemas"
)

func TestWeightsFiles(t *testing.T) {
	files := example.Files(t)
	for _, name := range []string{"weights.csv", "weights.md", "weights.tex", "weights.sql"} {
		reporttest.CheckGolden(t, name, files[name])
	}
	reporttest.CheckPicture(t, files, "weights")
	reporttest.CheckPage(t, files["index.html"], "31.2", "23.4 to 39.1", "+7.8", "never fires", "25.0", "0.0062", "0.0058", "12,345", "0.5812", "0.2013", "65.4\u00a0%", "storm is rare", "sandwich by game", "before: 40")
	if n := strings.Count(string(files["index.html"]), "<circle"); n != 2*6 {
		t.Errorf("%d marks in the page's two pictures, want 12: one lies beyond the axis", n)
	}
}

// TestClustering: the axis says what the errors of its fits were taken by.
func TestClustering(t *testing.T) {
	of := func(c *schemas.FitClusters) Fit { return Fit{Fit: schemas.Fit{Clusters: c}} }
	w := &Report{Fits: []Fit{of(nil), of(&schemas.FitClusters{By: "games"}), of(&schemas.FitClusters{By: "both"}), of(&schemas.FitClusters{By: "games", NoGames: true})}}
	if got, want := w.clustering(), "by game; by game or by player, whichever is larger; by position"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWeightsInLine: fits with different terms share lines, in the order of the first.
func TestWeightsInLine(t *testing.T) {
	in := reporttest.TwoFits(t)
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w, err := Run(context.Background(), db, Params{Sources: []string{"fit", "fit"}}, in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range w.Lines {
		in := ""
		for _, e := range l.Of {
			if e == nil {
				in += "-"
			} else {
				in += "x"
			}
		}
		got = append(got, l.Group+": "+l.label()+" "+in)
	}
	want := "king_safety: shelter, opening xx|king_safety: shelter, endgame xx|king_safety: storm x-|bishops: bishop_pair x-|added: pair -x"
	if strings.Join(got, "|") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "|"), want)
	}
	if w.Fits[1].Name != "fit 2" || !math.IsNaN(w.Lines[3].Of[0].SE) || w.Lines[0].Of[1].Weight != 28 {
		t.Errorf("%+v", w.Lines)
	}
	f := w.Forest()
	if f.XMax > 500 || !f.Lines[2].Marks[0].CutHigh || !f.Lines[2].Marks[0].Outside {
		t.Errorf("one wild interval sets the axis: to %v, %+v", f.XMax, f.Lines[2].Marks)
	}
}

// TestUnitOfAdded: the weight of an added feature that is a value is a factor, not centipawns.
func TestUnitOfAdded(t *testing.T) {
	const note = "factor without unit"
	term, added := Line{Term: "storm"}, Line{Term: "safety"}
	for want, lines := range map[string][]Line{
		"weight [centipawns],":                                              {term},
		"weight [centipawns per unit of the feature],":                      {added},
		"weight [centipawns; for added features, per unit of the feature],": {term, added},
	} {
		for i := range lines {
			lines[i].Of = []*Estimate{{Weight: 0.1, Low: 0.05, High: 0.15}}
		}
		w := &Report{Unit: "centipawns", Fits: []Fit{{Name: "fit"}}, Lines: lines}
		w.Fits[0].Added = []schemas.FitFeature{{Name: "safety", SQL: "king_safety"}}
		if got := w.Forest().XLabel; !strings.HasPrefix(got, want) {
			t.Errorf("axis %q, want %q", got, want)
		}
		if got := strings.Contains(strings.Join(w.notes(), " "), note); got != (w.added() > 0) {
			t.Errorf("%q: the note about added features: %v", want, got)
		}
	}
}

// TestNamesOfFits: fits may be called what the query calls its own tables and columns.
func TestNamesOfFits(t *testing.T) {
	in := reporttest.TwoFits(t)
	for _, names := range [][]string{{"ordered", "weights"}, {"select", "all \"fits\""}, {"fit", "w"}, {"stage", "Ordered"}} {
		w, err := Run(context.Background(), reporttest.OpenDB(t), Params{Sources: names}, in)
		if err != nil {
			t.Errorf("%q: %v", names, err)
		} else if len(w.Lines) != 5 {
			t.Errorf("%q: %d lines", names, len(w.Lines))
		}
	}
}

func TestLoudestWeights(t *testing.T) {
	w := &Report{}
	for i := range 100 {
		w.Lines = append(w.Lines, Line{Term: fmt.Sprint(i), Of: []*Estimate{{Z: float64(i%10) - 4}, nil}})
	}
	lines := w.loudest()
	if len(lines) != forestLines {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		if math.Abs(l.Of[0].Z) < 2 || i > 0 && len(lines[i-1].Term) > len(l.Term) {
			t.Errorf("line %d is %s with z = %v", i, l.Term, l.Of[0].Z)
		}
	}
}

func TestWeightsErrors(t *testing.T) {
	labels := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	empty := reporttest.WriteFit(t, "mlm", nil)
	for want, in := range map[string]*datasets.Dir{"holds labels, not weights": labels, "no weight was fitted": empty} {
		db, err := query.Open(context.Background(), query.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(context.Background(), db, Params{Sources: []string{"x"}}, []*datasets.Dir{in})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		db.Close()
	}
}

var example = &reporttest.Example{
	Name: "weights",
	Page: reporttest.Numbers{Column: "weight", Where: "status", Is: "fitted", Write: human.Weight},
	Make: func(t *testing.T, workers int, out page.Output) error {
		return Make(context.Background(), Params{Sources: []string{"mlm", "ls"}, Workers: workers}, reporttest.TwoFits(t), out)
	},
}

func TestWeightsExample(t *testing.T) {
	example.Check(t)
}
