package report

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/query"
	"kifu/schemas"
)

var update = flag.Bool("update", false, "write the golden files")

// label is a row of the test datasets.
type label struct {
	game          int64
	ply           int32
	value, safety float32
	result        string // "": none
	distinct      *[4]int32
}

// writeLabels makes a dataset. meta is added to unit and leaf.
func writeLabels(t *testing.T, dir string, rows []label, meta map[string]string) *datasets.Dir {
	t.Helper()
	return writeRowGroups(t, dir, rows, meta, len(rows))
}

// writeRowGroups makes a dataset with so many rows to a row group.
func writeRowGroups(t *testing.T, dir string, rows []label, meta map[string]string, size int) *datasets.Dir {
	t.Helper()
	dedup := len(rows) > 0 && rows[0].distinct != nil
	table := schemas.Labels(schemas.Positions(1, nil, dedup), []string{"quiescence_value"}, []string{"king_safety"}, "quiescence_value")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "label", Output: table.ID(), Params: fmt.Sprint(len(rows), meta),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			b.SetMeta("game", "chess")
			b.SetMeta("unit", "centipawns")
			b.SetMeta("leaf", "quiescence_value")
			for k, v := range meta {
				b.SetMeta(k, v)
			}
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := datasets.NewBatch(table)
			for group := range slices.Chunk(rows, max(1, size)) {
				batch.Reset()
				for _, r := range group {
					appendLabel(batch, r)
				}
				g, err := w.Encode(batch)
				if err != nil {
					return err
				}
				if err := w.Append(g); err != nil {
					return err
				}
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

func appendLabel(b *datasets.Batch, r label) {
	b.Rows++
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(r.game)
		case "ply":
			v.AppendInt32(r.ply)
		case "result":
			if r.result == "" {
				v.AppendNull()
			} else {
				v.AppendString(r.result)
			}
		case "quiescence_value":
			v.AppendFloat32(r.value)
		case "king_safety":
			v.AppendFloat32(r.safety)
		case "occurrences":
			v.AppendInt32(r.distinct[0])
		case "first_wins":
			v.AppendInt32(r.distinct[1])
		case "draws":
			v.AppendInt32(r.distinct[2])
		case "second_wins":
			v.AppendInt32(r.distinct[3])
		default:
			switch {
			case v.Column.Nullable:
				v.AppendNull()
			case v.Column.Type == schemas.Bool:
				v.AppendBool(r.ply%2 == 0)
			case v.Column.Type == schemas.Uint64:
				v.AppendUint64(0)
			case v.Column.Type == schemas.FixedBytes:
				v.AppendBytes([]byte{0})
			case v.Column.Type == schemas.Bytes:
				v.AppendBytes(nil)
			default:
				v.AppendInt32(0)
			}
		}
	}
}

func readCSV(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	if text == "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// committed are the labels of testdata, from which curve.py computed expected.csv.
func committed(t *testing.T) []label {
	var rows []label
	for _, r := range readCSV(t, "labels.csv") {
		rows = append(rows, label{
			game: int64(number(t, r["game_id"])), ply: int32(number(t, r["ply"])),
			value: float32(number(t, r["quiescence_value"])), safety: float32(number(t, r["king_safety"])), result: r["result"],
		})
	}
	return rows
}

var when = []query.Named{{Name: "safe", SQL: "king_safety >= 30"}, {Name: "unsafe", SQL: "king_safety <= -30"}}

func ask(t *testing.T, p CurveParams, in ...*datasets.Dir) (*curves, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if p.Sources == nil {
		p.Sources = []string{"labels"}
	}
	return runCurve(context.Background(), db, p, in)
}

func mustAsk(t *testing.T, p CurveParams, in ...*datasets.Dir) *curves {
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
	d := writeLabels(t, t.TempDir(), committed(t), nil)
	for _, draws := range []string{DrawsExclude, DrawsHalf} {
		c := mustAsk(t, CurveParams{When: when, Draws: draws, Bin: 25, MinCount: 30}, d)
		got := map[string]fields{}
		rows, err := c.Rows.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := fields{c.Rows.Columns, row}
			if f.text("kind") == "bin" && f.whole("wins")+f.whole("draws")+f.whole("losses") > 0 {
				key := fmt.Sprint(f.text("curve"), " ", f.number("bin"))
				if _, twice := got[key]; twice {
					t.Fatalf("bin %s comes twice", key)
				}
				got[key] = f
			}
		}
		want := 0
		for _, r := range readCSV(t, "expected.csv") {
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
				if f.number(name) != number(t, r[name]) {
					t.Errorf("%s %s: %s %v, want %s", draws, key, name, f.number(name), r[name])
				}
			}
			if f.number("draws") != number(t, r["draws_n"]) || f.truth("shown") != (r["shown"] == "true") {
				t.Errorf("%s %s: draws %v, shown %v", draws, key, f.number("draws"), f.truth("shown"))
			}
			for _, name := range []string{"win_probability", "se", "low", "high", "wilson_low", "wilson_high"} {
				w, g := number(t, r[name]), f.orNaN(name)
				if f.whole("positions") == 0 {
					// No share, and so no interval.
					if f.at(name) != nil {
						t.Errorf("%s %s: %s %v of no position, want null", draws, key, name, f.at(name))
					}
					continue
				}
				if w != g && !(math.IsNaN(w) && math.IsNaN(g)) {
					t.Errorf("%s %s: %s %v, want %v", draws, key, name, g, w)
				}
			}
			for _, k := range c.Curves {
				if k.Name == "total" && r["curve"] == "total" && math.Abs(k.Sigmoid.W0/number(t, r["w0"])-1) > 1e-10 {
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
func checkCounts(t *testing.T, c *curves, draws string) {
	t.Helper()
	total := c.Curves[0]
	var all, forced, forcedWon, unfinished, drawn int64
	games := map[int64]bool{}
	for _, r := range committed(t) {
		all++
		decided := r.result == "first" || r.result == "second" || draws == DrawsHalf && r.result == "draw"
		switch {
		case r.result == "":
			unfinished++
		case math.Abs(float64(r.value)) >= 31000 && decided:
			forced++
			if (r.value > 0) == (r.result == "first") && r.result != "draw" {
				forcedWon++
			}
		case r.result == "draw" && math.Abs(float64(r.value)) < 31000:
			drawn++
		}
		if decided {
			games[r.game] = true
		}
	}
	if total.Unfinished != unfinished || total.Forced != forced || total.Draws != drawn || total.Games != int64(len(games)) {
		t.Errorf("%s: unfinished %d of %d, forced %d of %d, drawn %d of %d, games %d of %d", draws,
			total.Unfinished, unfinished, total.Forced, forced, total.Draws, drawn, total.Games, len(games))
	}
	if draws == DrawsExclude {
		if int64(total.ForcedWon) != forcedWon {
			t.Errorf("%v forced wins won, want %d", total.ForcedWon, forcedWon)
		}
	}
}

// simulate plays games whose win probability at value v is exactly 1/(1+exp(-v/scale)):
// the value is a random walk of log-likelihood ratios of the result. safety is a part
// of the walk.
func simulate(r *rand.Rand, games int, scale float64) []label {
	const open, safe = 0.25, 0.2
	var rows []label
	for g := range games {
		sign, result := -1.0, "second"
		if r.Float64() < 0.5 {
			sign, result = 1, "first"
		}
		a, b := 0.0, 0.0
		for ply := range 60 {
			a += sign*open*open/2 + open*r.NormFloat64()
			b += sign*safe*safe/2 + safe*r.NormFloat64()
			rows = append(rows, label{game: int64(g), ply: int32(ply), value: float32((a + b) * scale), safety: float32(b * scale), result: result})
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
	for range 8 {
		d := writeLabels(t, t.TempDir(), simulate(r, 1200, scale), nil)
		c := mustAsk(t, CurveParams{When: when, Bin: 10}, d)
		total := c.Curves[0]
		if math.Abs(total.Sigmoid.Scale()/scale-1) > 0.15 {
			t.Errorf("scale %v, want %v", total.Sigmoid.Scale(), scale)
		}
		if total.Steps.Beyond > 0 {
			t.Errorf("not monotone: %+v", total.Steps)
		}
		rows, err := c.Rows.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			f := fields{c.Rows.Columns, row}
			if f.text("curve") != totalName || !f.truth("shown") {
				continue
			}
			bins++
			p := 1 / (1 + math.Exp(-f.number("bin")/scale))
			if f.number("low") <= p && p <= f.number("high") {
				covered++
			}
			if f.number("wilson_low") <= p && p <= f.number("wilson_high") {
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
		rows[i].value = r.value - r.safety
		name := ""
		if r.safety >= 30 {
			name = "safe"
		} else if r.safety <= -30 {
			name = "unsafe"
		}
		if math.Abs(float64(rows[i].value)) < 60 {
			sums[name] = [2]float64{sums[name][0] + float64(r.safety), sums[name][1] + 1}
		}
	}
	c := mustAsk(t, CurveParams{When: when}, writeLabels(t, t.TempDir(), rows, nil))
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
	var rows []label
	at := map[key]int{}
	plain := committed(t)
	for i := range plain {
		plain[i].value = float32(math.Round(float64(plain[i].value)/50) * 50)
		plain[i].safety = float32(math.Round(float64(plain[i].safety)/40) * 40)
		r := plain[i]
		k := key{r.game, r.value, r.safety}
		j, ok := at[k]
		if !ok {
			j = len(rows)
			at[k] = j
			r.distinct = new([4]int32)
			rows = append(rows, r)
		}
		n := rows[j].distinct
		n[0]++
		switch r.result {
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
	for _, draws := range []string{DrawsExclude, DrawsHalf} {
		p := CurveParams{When: when, Draws: draws, MinCount: 20}
		want := mustAsk(t, p, writeLabels(t, t.TempDir(), plain, nil))
		got := mustAsk(t, p, writeLabels(t, t.TempDir(), rows, nil))
		a, _ := render("csv", want.Rows)
		b, _ := render("csv", got.Rows)
		if a != b {
			t.Errorf("%s: the curve of distinct positions is not that of all:\n%s\n%s", draws, a, b)
		}
	}
}

func TestCurveErrors(t *testing.T) {
	d := writeLabels(t, filepath.Join(t.TempDir(), "labels"), committed(t), nil)
	discs := writeLabels(t, filepath.Join(t.TempDir(), "othello"), committed(t), map[string]string{"unit": "discs"})
	stones := writeLabels(t, filepath.Join(t.TempDir(), "stones"), committed(t), map[string]string{"unit": "stones"})
	for _, test := range []struct {
		p    CurveParams
		in   []*datasets.Dir
		want string
	}{
		{CurveParams{Values: []string{"quiescense_value"}}, []*datasets.Dir{d}, "no column quiescense_value: did you mean quiescence_value?"},
		{CurveParams{When: []query.Named{{Name: "unsafe", SQL: "king_saftey > 1"}}}, []*datasets.Dir{d}, "no column king_saftey: did you mean king_safety?"},
		{CurveParams{When: []query.Named{{Name: "unsafe", SQL: "king_safety"}}}, []*datasets.Dir{d}, "a condition is true or false"},
		{CurveParams{Draws: "win"}, []*datasets.Dir{d}, "want exclude or half, or bands"},
		{CurveParams{Bin: -1}, []*datasets.Dir{d}, "want a width from"},
		{CurveParams{Bin: math.NaN()}, []*datasets.Dir{d}, "want a width from"},
		{CurveParams{Bin: 1e-9}, []*datasets.Dir{d}, "want a width from"},
		{CurveParams{MinCount: -1}, []*datasets.Dir{d}, "not negative"},
		{CurveParams{Values: []string{"result"}}, []*datasets.Dir{d}, "column result is VARCHAR, and no evaluation"},
		{CurveParams{When: []query.Named{{Name: "total", SQL: "king_safety > 1"}}}, []*datasets.Dir{d}, "take another"},
		{CurveParams{MinCount: 1e6}, []*datasets.Dir{d}, "no bin of width 25 has 1000000 positions"},
		{CurveParams{}, []*datasets.Dir{stones}, "--bin"},
		{CurveParams{Sources: []string{"labels", "othello"}}, []*datasets.Dir{d, discs}, "do not go on one axis"},
	} {
		_, err := ask(t, test.p, test.in...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: error %v, want %q", test.p, err, test.want)
		}
	}
}

// TestQueryGivesTheNumbers: curve.sql, run as any query, is curve.csv.
func TestQueryGivesTheNumbers(t *testing.T) {
	d := writeLabels(t, t.TempDir(), committed(t), nil)
	c := mustAsk(t, CurveParams{When: when, MinCount: 30}, d)
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
	got, err := render("csv", r)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := render("csv", c.Rows)
	if got != want {
		t.Error("the query gives other numbers than the report")
	}
}

// TestMinimumIsLowered: 1,000 positions a bin, or 100 when that would hide too much.
func TestMinimumIsLowered(t *testing.T) {
	few := mustAsk(t, CurveParams{Bin: 100}, writeLabels(t, t.TempDir(), simulate(rand.New(rand.NewPCG(5, 6)), 60, 150), nil))
	many := mustAsk(t, CurveParams{Bin: 100}, writeLabels(t, t.TempDir(), simulate(rand.New(rand.NewPCG(5, 6)), 800, 150), nil))
	if few.MinCount != 100 || !few.Lowered || many.MinCount != 1000 || many.Lowered {
		t.Errorf("few: %d %v, many: %d %v", few.MinCount, few.Lowered, many.MinCount, many.Lowered)
	}
	if text := strings.Join(few.notes(), "\n"); !strings.Contains(text, "paper asks for 1,000") {
		t.Errorf("the notes do not say so: %s", text)
	}
}

// TestSeveralSources puts two datasets of one base name over one another.
func TestSeveralSources(t *testing.T) {
	rows := committed(t)
	a := writeLabels(t, t.TempDir(), rows, nil)
	b := writeLabels(t, t.TempDir(), rows[:len(rows)/2], nil)
	c := mustAsk(t, CurveParams{MinCount: 20, When: when[:1], Sources: []string{"labels", "labels"}}, a, b)
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
