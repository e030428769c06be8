package curve

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/shape"
	"kifu/report/sheet"
	"kifu/schemas"
)

func ask(t *testing.T, p Params, in ...*datasets.Dir) (*Report, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if p.Sources == nil {
		p.Sources = []string{"labels"}
	}
	return Run(context.Background(), db, p, in)
}

func mustAsk(t *testing.T, p Params, in ...*datasets.Dir) *Report {
	t.Helper()
	c, err := ask(t, p, in...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCurveNumbers: every bin of every curve is what a script outside of Go and SQL
// computed from the same labels, bit for bit.
func TestCurveNumbers(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf} {
		c := mustAsk(t, Params{When: reporttest.When, Draws: draws, Bin: 25, MinCount: 30}, d)
		got := map[string]sheet.Fields{}
		rows, err := c.Rows().All()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := sheet.Fields{Columns: c.Rows().Columns, Row: row}
			if f.Text("kind") == "bin" && f.Whole("wins")+f.Whole("draws")+f.Whole("losses") > 0 {
				key := fmt.Sprint(f.Text("curve"), " ", f.Number("bin"))
				if _, twice := got[key]; twice {
					t.Fatalf("bin %s comes twice", key)
				}
				got[key] = f
			}
		}
		want := 0
		for _, r := range reporttest.ReadCSV(t, "expected.csv") {
			if r["draws"] != draws {
				continue
			}
			want++
			key := r["curve"] + " " + r["bin"]
			f, ok := got[key]
			if !ok {
				t.Errorf("%s: no bin %s", draws, key)
				continue
			}
			for _, name := range []string{"positions", "games", "wins", "losses"} {
				if f.Number(name) != reporttest.Number(t, r[name]) {
					t.Errorf("%s %s: %s %v, want %s", draws, key, name, f.Number(name), r[name])
				}
			}
			if f.Number("draws") != reporttest.Number(t, r["draws_n"]) || f.Truth("shown") != (r["shown"] == "true") {
				t.Errorf("%s %s: draws %v, shown %v", draws, key, f.Number("draws"), f.Truth("shown"))
			}
			for _, name := range []string{"win_probability", "se", "low", "high", "wilson_low", "wilson_high"} {
				w, g := reporttest.Number(t, r[name]), f.OrNaN(name)
				if f.Whole("positions") == 0 {
					// No share, and so no interval.
					if f.At(name) != nil {
						t.Errorf("%s %s: %s %v of no position, want null", draws, key, name, f.At(name))
					}
					continue
				}
				if w != g && !(math.IsNaN(w) && math.IsNaN(g)) {
					t.Errorf("%s %s: %s %v, want %v", draws, key, name, g, w)
				}
			}
			for _, k := range c.Curves {
				if k.Name == "total" && r["curve"] == "total" && math.Abs(k.Sigmoid.W0/reporttest.Number(t, r["w0"])-1) > 1e-10 {
					t.Fatalf("%s: w0 %v, want %s", draws, k.Sigmoid.W0, r["w0"])
				}
			}
		}
		if len(got) != want || want < 100 {
			t.Errorf("%s: %d bins, want %d", draws, len(got), want)
		}
		checkCounts(t, c, draws)
	}
}

// checkCounts accounts for every row of the committed labels.
func checkCounts(t *testing.T, c *Report, draws string) {
	t.Helper()
	total := c.Curves[0]
	var all, forced, forcedWon, unfinished, drawn int64
	games := map[int64]bool{}
	for _, r := range reporttest.CommittedLabels(t) {
		all++
		decided := r.Result == "first" || r.Result == "second" || draws == shape.DrawsHalf && r.Result == "draw"
		switch {
		case r.Result == "":
			unfinished++
		case schemas.Forced(r.Value) && decided:
			forced++
			if (r.Value > 0) == (r.Result == "first") && r.Result != "draw" {
				forcedWon++
			}
		case r.Result == "draw" && !schemas.Forced(r.Value):
			drawn++
		}
		if decided {
			games[r.Game] = true
		}
	}
	if total.Unfinished != unfinished || total.Forced != forced || total.Draws != drawn || total.Games != int64(len(games)) {
		t.Errorf("%s: unfinished %d of %d, forced %d of %d, drawn %d of %d, games %d of %d", draws,
			total.Unfinished, unfinished, total.Forced, forced, total.Draws, drawn, total.Games, len(games))
	}
	if draws == shape.DrawsExclude {
		if int64(total.ForcedWon) != forcedWon {
			t.Errorf("%v forced wins won, want %d", total.ForcedWon, forcedWon)
		}
	}
}

// simulate plays games whose win probability at value v is exactly 1/(1+exp(-v/scale)):
// the value is a random walk of log-likelihood ratios of the result. safety is a part
// of the walk.
func simulate(r *rand.Rand, games int, scale float64) []reporttest.Label {
	const open, safe = 0.25, 0.2
	var rows []reporttest.Label
	for g := range games {
		sign, result := -1.0, "second"
		if r.Float64() < 0.5 {
			sign, result = 1, "first"
		}
		a, b := 0.0, 0.0
		for ply := range 60 {
			a += sign*open*open/2 + open*r.NormFloat64()
			b += sign*safe*safe/2 + safe*r.NormFloat64()
			rows = append(rows, reporttest.Label{Game: int64(g), Ply: int32(ply), Value: float32((a + b) * scale), Safety: float32(b * scale), Result: result})
		}
	}
	return rows
}

// TestCurveOfAKnownSigmoid: simulated games give the sigmoid back, the intervals by
// game cover it at about their rate where the plain ones do not, and a condition on
// the evaluation's own term does not leave the total.
func TestCurveOfAKnownSigmoid(t *testing.T) {
	const scale = 150
	r := rand.New(rand.NewPCG(1, 2))
	bins, covered, naive := 0, 0, 0
	for range 4 {
		d := reporttest.WriteLabels(t, t.TempDir(), simulate(r, 1200, scale), nil)
		c := mustAsk(t, Params{When: reporttest.When, Bin: 10}, d)
		total := c.Curves[0]
		if math.Abs(total.Sigmoid.Scale()/scale-1) > 0.15 {
			t.Errorf("scale %v, want %v", total.Sigmoid.Scale(), scale)
		}
		if total.Steps.Beyond > 0 {
			t.Errorf("not monotone: %+v", total.Steps)
		}
		rows, err := c.Rows().All()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := sheet.Fields{Columns: c.Rows().Columns, Row: row}
			if f.Text("curve") != totalName || !f.Truth("shown") {
				continue
			}
			bins++
			p := 1 / (1 + math.Exp(-f.Number("bin")/scale))
			if f.Number("low") <= p && p <= f.Number("high") {
				covered++
			}
			if f.Number("wilson_low") <= p && p <= f.Number("wilson_high") {
				naive++
			}
		}
		for _, k := range c.Curves[1:] {
			if math.Abs(k.Gap.Levels[1]) > 0.3*scale {
				t.Errorf("%s leaves the total of a right evaluation by %v", k.Name, k.Gap.Levels[1])
			}
		}
	}
	if rate := float64(covered) / float64(bins); rate < 0.92 || rate > 0.985 {
		t.Errorf("intervals by game cover %.3f of %d bins", rate, bins)
	}
	if rate := float64(naive) / float64(bins); rate > 0.85 {
		t.Errorf("plain intervals cover %.3f of %d bins: the test has no dependence in it", rate, bins)
	}
}

// TestSplitHasItsSize: an evaluation that lacks the planted term is off by the term's
// mean under the condition.
func TestSplitHasItsSize(t *testing.T) {
	rows := simulate(rand.New(rand.NewPCG(3, 4)), 3000, 150)
	sums := map[string][2]float64{}
	for i, r := range rows {
		rows[i].Value = r.Value - r.Safety
		name := ""
		if r.Safety >= 30 {
			name = "safe"
		} else if r.Safety <= -30 {
			name = "unsafe"
		}
		if math.Abs(float64(rows[i].Value)) < 60 {
			sums[name] = [2]float64{sums[name][0] + float64(r.Safety), sums[name][1] + 1}
		}
	}
	c := mustAsk(t, Params{When: reporttest.When}, reporttest.WriteLabels(t, t.TempDir(), rows, nil))
	for _, k := range c.Curves[1:] {
		want := sums[k.Name][0] / sums[k.Name][1]
		if got := k.Gap.Levels[1]; math.Abs(got-want) > 0.2*math.Abs(want) {
			t.Errorf("%s: gap %v at 50 %%, the term's mean there is %v", k.Name, got, want)
		}
		if k.Gap.Mean*want < 0 || k.Gap.Signed*want < 0 || k.Gap.Area < 0.05 {
			t.Errorf("%s: %+v", k.Name, *k.Gap)
		}
	}
}

// TestDistinctPositions: labels of distinct positions give the curve of the positions
// that they stand for.
func TestDistinctPositions(t *testing.T) {
	type key struct {
		game          int64
		value, safety float32
	}
	var rows []reporttest.Label
	at := map[key]int{}
	plain := reporttest.CommittedLabels(t)
	for i := range plain {
		plain[i].Value = float32(math.Round(float64(plain[i].Value)/50) * 50)
		plain[i].Safety = float32(math.Round(float64(plain[i].Safety)/40) * 40)
		r := plain[i]
		k := key{r.Game, r.Value, r.Safety}
		j, ok := at[k]
		if !ok {
			j = len(rows)
			at[k] = j
			r.Distinct = new([4]int32)
			rows = append(rows, r)
		}
		n := rows[j].Distinct
		n[0]++
		switch r.Result {
		case "first":
			n[1]++
		case "draw":
			n[2]++
		case "second":
			n[3]++
		}
	}
	if len(rows) > len(plain)*2/3 {
		t.Fatalf("only %d of %d are distinct", len(rows), len(plain))
	}
	for _, draws := range []string{shape.DrawsExclude, shape.DrawsHalf} {
		p := Params{When: reporttest.When, Draws: draws, MinCount: 20}
		want := mustAsk(t, p, reporttest.WriteLabels(t, t.TempDir(), plain, nil))
		got := mustAsk(t, p, reporttest.WriteLabels(t, t.TempDir(), rows, nil))
		a, _ := sheet.CSV(want.Rows())
		b, _ := sheet.CSV(got.Rows())
		if a != b {
			t.Errorf("%s: the curve of distinct positions is not that of all:\n%s\n%s", draws, a, b)
		}
	}
}

func TestCurveErrors(t *testing.T) {
	d := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "labels"), reporttest.CommittedLabels(t), nil)
	discs := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "othello"), reporttest.CommittedLabels(t), map[string]string{"unit": "discs"})
	stones := reporttest.WriteLabels(t, filepath.Join(t.TempDir(), "stones"), reporttest.CommittedLabels(t), map[string]string{"unit": "stones"})
	for _, test := range []struct {
		p    Params
		in   []*datasets.Dir
		want string
	}{
		{Params{Values: []string{"quiescense_value"}}, []*datasets.Dir{d}, "no column quiescense_value: did you mean quiescence_value?"},
		{Params{When: []query.Named{{Name: "unsafe", SQL: "king_saftey > 1"}}}, []*datasets.Dir{d}, "no column king_saftey: did you mean king_safety?"},
		{Params{When: []query.Named{{Name: "unsafe", SQL: "king_safety"}}}, []*datasets.Dir{d}, "a condition is true or false"},
		{Params{Draws: "win"}, []*datasets.Dir{d}, "want exclude or half, or bands"},
		{Params{Bin: -1}, []*datasets.Dir{d}, "want a width from"},
		{Params{Bin: math.NaN()}, []*datasets.Dir{d}, "want a width from"},
		{Params{Bin: 1e-9}, []*datasets.Dir{d}, "want a width from"},
		{Params{MinCount: -1}, []*datasets.Dir{d}, "want 0 or more"},
		{Params{Values: []string{"result"}}, []*datasets.Dir{d}, "column result is VARCHAR, not an evaluation"},
		{Params{When: []query.Named{{Name: "total", SQL: "king_safety > 1"}}}, []*datasets.Dir{d}, "choose another"},
		{Params{MinCount: 1e6}, []*datasets.Dir{d}, "no bin of width 25 has 1000000 positions"},
		{Params{}, []*datasets.Dir{stones}, "--bin"},
		{Params{Sources: []string{"labels", "othello"}}, []*datasets.Dir{d, discs}, "cannot share an axis"},
	} {
		_, err := ask(t, test.p, test.in...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want %q", test.p, err, test.want)
		}
	}
}

// TestQueryGivesTheNumbers: curve.sql, run as any query, is curve.csv.
func TestQueryGivesTheNumbers(t *testing.T) {
	d := reporttest.WriteLabels(t, t.TempDir(), reporttest.CommittedLabels(t), nil)
	c := mustAsk(t, Params{When: reporttest.When, MinCount: 30}, d)
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Attach(context.Background(), "labels", d); err != nil {
		t.Fatal(err)
	}
	r, err := db.Query(context.Background(), c.SQL)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sheet.CSV(r)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := sheet.CSV(c.Rows())
	if got != want {
		t.Error("the query gives other numbers than the report")
	}
}

// TestMinimumIsLowered: 1,000 positions a bin, or 100 when that would hide too much.
func TestMinimumIsLowered(t *testing.T) {
	few := mustAsk(t, Params{Bin: 100}, reporttest.WriteLabels(t, t.TempDir(), simulate(rand.New(rand.NewPCG(5, 6)), 60, 150), nil))
	many := mustAsk(t, Params{Bin: 100}, reporttest.WriteLabels(t, t.TempDir(), simulate(rand.New(rand.NewPCG(5, 6)), 800, 150), nil))
	if few.MinCount != 100 || !few.Lowered || many.MinCount != 1000 || many.Lowered {
		t.Errorf("few: %d %v, many: %d %v", few.MinCount, few.Lowered, many.MinCount, many.Lowered)
	}
	if text := strings.Join(few.notes(), "\n"); !strings.Contains(text, "paper's limit of 1,000") {
		t.Errorf("the notes do not say so: %s", text)
	}
}

// TestSeveralSources puts two datasets of one base name over one another.
func TestSeveralSources(t *testing.T) {
	rows := reporttest.CommittedLabels(t)
	a := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
	b := reporttest.WriteLabels(t, t.TempDir(), rows[:len(rows)/2], nil)
	c := mustAsk(t, Params{MinCount: 20, When: reporttest.When[:1], Sources: []string{"labels", "labels"}}, a, b)
	var names []string
	for _, k := range c.Curves {
		names = append(names, c.label(k))
	}
	want := "labels|labels, safe (king_safety ≥ 30)|labels 2|labels 2, safe (king_safety ≥ 30)"
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if c.Curves[0].Positions() <= c.Curves[2].Positions() {
		t.Errorf("%d and %d positions", c.Curves[0].Positions(), c.Curves[2].Positions())
	}
}
