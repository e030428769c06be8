package report

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

// weightRow is a row of a test's fit; se 0 means none.
type weightRow struct {
	group, term, stage  string
	initial, weight, se float64
	status              string
}

func writeFit(t *testing.T, method string, rows []weightRow) *datasets.Dir {
	t.Helper()
	dir := t.TempDir()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "fit", Output: schemas.Weights.ID(), Params: method,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(schemas.Weights)
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := datasets.NewBatch(schemas.Weights)
			for _, r := range rows {
				appendWeight(batch, r)
			}
			g, err := w.Encode(batch)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
			if err := w.Close(datasets.Counts{}, nil); err != nil {
				return err
			}
			return b.AddFile("fit.json", []byte(fmt.Sprintf(`{"method": %q, "game": "chess", "unit": "centipawns", "draws": "exclude",
				"w_0": {"value": 0.0062, "status": "fitted", "se_robust": 0.0002, "original": 0.0058},
				"solver": {"status": "converged"}, "errors": "sandwich by game",
				"train": {"positions": 12345, "games": 321, "base": {"log_loss": 0.6931, "brier": 0.25, "accuracy": 0.5},
					"original": {"log_loss": 0.58, "brier": 0.2, "accuracy": 0.66}, "fitted": {"log_loss": 0.57, "brier": 0.19, "accuracy": 0.6712}},
				"held_out": {"positions": 2345, "games": 81, "base": {"log_loss": 0.6932, "brier": 0.25, "accuracy": 0.5}, "original": null,
					"fitted": {"log_loss": 0.5812, "brier": 0.2013, "accuracy": 0.6543}},
				"notes": [{"kind": "thin", "text": "storm is rare"}]}`, method)))
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

func appendWeight(b *datasets.Batch, r weightRow) {
	b.Rows++
	optional := func(name string, v float64) {
		if r.se == 0 {
			b.Col(name).AppendNull()
			return
		}
		b.Col(name).AppendFloat64(v)
	}
	b.Col("term").AppendString(r.term)
	b.Col("term_group").AppendString(r.group)
	if r.stage == "" {
		b.Col("stage").AppendNull()
	} else {
		b.Col("stage").AppendString(r.stage)
	}
	b.Col("initial_weight").AppendFloat64(r.initial)
	b.Col("weight").AppendFloat64(r.weight)
	optional("se", r.se/2)
	optional("se_robust", r.se)
	optional("ci_low", r.weight-1.96*r.se)
	optional("ci_high", r.weight+1.96*r.se)
	optional("z", r.weight/r.se)
	b.Col("positions").AppendInt64(4321)
	b.Col("games").AppendInt64(210)
	b.Col("status").AppendString(r.status)
}

func twoFits(t *testing.T) []*datasets.Dir {
	return []*datasets.Dir{
		writeFit(t, "mlm", []weightRow{
			{"king_safety", "shelter", "opening", 0, 31.25, 4, "fitted"},
			{"king_safety", "shelter", "endgame", 0, -2.5, 5, "fitted"},
			{"king_safety", "storm", "", 0, 900, 400, "fitted"},
			{"bishops", "bishop_pair", "", 40, 40, 0, "never fires"},
		}),
		writeFit(t, "ls", []weightRow{
			{"king_safety", "shelter", "opening", 0, 28, 4.5, "fitted"},
			{"king_safety", "shelter", "endgame", 0, 0.004, 5.5, "fitted"},
			{"added", "pair", "", 0, 25.04, 3, "fitted"},
		}),
	}
}

func TestWeightsFiles(t *testing.T) {
	files := built(t, "weights")
	for _, name := range []string{"weights.csv", "weights.md", "weights.tex", "weights.sql"} {
		checkGolden(t, name, files[name])
	}
	checkPicture(t, files, "weights")
	checkPage(t, files["index.html"], "31.2", "23.4 to 39.1", "+7.8", "never fires", "25.0", "0.0062", "0.0058", "12,345", "0.5812", "0.2013", "65.4\u00a0%", "storm is rare", "sandwich by game", "before: 40")
	if n := strings.Count(string(files["index.html"]), "<circle"); n != 2*6 {
		t.Errorf("%d marks in the page's two pictures, want 12: one lies beyond the axis", n)
	}
}

// TestWeightsInLine: fits with different terms share lines, in the order of the first.
func TestWeightsInLine(t *testing.T) {
	in := twoFits(t)
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w, err := runWeights(context.Background(), db, WeightsParams{Sources: []string{"fit", "fit"}}, in)
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
	f := w.forest()
	if f.XMax > 500 || !f.Lines[2].Marks[0].cutUp || !f.Lines[2].Marks[0].outside {
		t.Errorf("one wild interval sets the axis: to %v, %+v", f.XMax, f.Lines[2].Marks)
	}
}

func TestLoudestWeights(t *testing.T) {
	w := &weights{}
	for i := range 100 {
		w.Lines = append(w.Lines, weightLine{Term: fmt.Sprint(i), Of: []*estimate{{Z: float64(i%10) - 4}, nil}})
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
	labels := writeLabels(t, t.TempDir(), committed(t), nil)
	empty := writeFit(t, "mlm", nil)
	for want, in := range map[string]*datasets.Dir{"holds labels, not weights": labels, "no weight was fitted": empty} {
		db, err := query.Open(context.Background(), query.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = runWeights(context.Background(), db, WeightsParams{Sources: []string{"x"}}, []*datasets.Dir{in})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		db.Close()
	}
}
