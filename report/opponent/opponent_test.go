package opponent

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/kit/reporttest"
	"kifu/query"
	"kifu/report/page"
)

func ask(t *testing.T, in ...*datasets.Dir) (*report, error) {
	t.Helper()
	db, err := query.Open(context.Background(), query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names []string
	for i := range in {
		names = append(names, fmt.Sprintf("model%d", i))
	}
	return run(context.Background(), db, Params{Sources: names}, in)
}

func TestOpponentFiles(t *testing.T) {
	files := example.Files(t)
	for _, name := range []string{"opponent.csv", "opponent.md", "opponent.tex", "opponent.sql"} {
		reporttest.CheckGolden(t, name, files[name])
	}
	pictures := []string{"opponent", "opponent-accuracy-lp", "opponent-accuracy-likelihood", "opponent-counters", "opponent-agreement-1", "opponent-agreement-3", "opponent-agreement-5", "opponent-weights"}
	for _, name := range pictures {
		reporttest.CheckPicture(t, files, name)
	}
	reporttest.CheckPage(t, files["index.html"], "given weights", "LearnDepth", "among its first 3", "king", "random move")
}

// TestOpponentWithoutWeights: a model without learned weights and without a test has no
// picture of weights and is judged on the games held out.
func TestOpponentWithoutWeights(t *testing.T) {
	in := reporttest.Learned(t, "given")
	p := Params{Sources: []string{"x"}}
	files := reporttest.Build(t, func(out page.Output) error { return Make(context.Background(), p, []*datasets.Dir{in}, out) })
	if files["opponent-weights.svg"] != nil {
		t.Error("a picture of weights that were not learned")
	}
	for _, name := range []string{"opponent", "opponent-counters", "opponent-agreement"} {
		reporttest.CheckPicture(t, files, name)
	}
	if n := bytes.Count(files["index.html"], []byte("<figure")); n != 3 {
		t.Errorf("%d figures", n)
	}
	reporttest.CheckPage(t, files["index.html"], "of the moves in the held-out games")
}

// decided is a row of decisions.csv.
type decided struct {
	game, part    string
	phase, moves  int
	ranks         []int
	better, equal int
}

func readDecisions(t *testing.T, name string) (all []decided) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(reporttest.Data(t, "opponent/"+name+"/decisions.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	whole := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, r := range rows[1:] {
		at := slices.Index(rows[0], "model_better")
		d := decided{game: r[0], part: r[2], phase: whole(r[3]), moves: whole(r[4]), better: whole(r[at]), equal: whole(r[at+1])}
		for i, rank := range r[7:] {
			if i+7 != at && i+7 != at+1 {
				d.ranks = append(d.ranks, whole(rank))
			}
		}
		all = append(all, d)
	}
	return all
}

// clusteredMean is the mean of x over the decisions that are in, with its error by leaving out each game, and half its interval.
func clusteredMean(all []decided, in func(decided) bool, x func(decided) float64) (n int, mean, se, half float64) {
	sums, sizes := map[string]float64{}, map[string]float64{}
	for _, d := range all {
		if in(d) {
			n++
			sums[d.game], sizes[d.game] = sums[d.game]+x(d), sizes[d.game]+1
			mean += x(d)
		}
	}
	total, games, shares := mean, float64(len(sums)), 0.0
	mean /= float64(n)
	for g, sum := range sums {
		without := (total - sum) / (float64(n) - sizes[g])
		se += (without - mean) * (without - mean)
		shares += math.Pow(sizes[g]/float64(n), 2)
	}
	se = math.Sqrt(se * (games - 1) / games)
	return n, mean, se, dyads.Quantile95(1/shares-1) * se
}

// TestOpponentAgreement holds agreement and its reference against decisions.csv, by
// enumeration: a move with b better ones and e equal ones stands at each of the places
// b+1 to b+e with the same chance.
func TestOpponentAgreement(t *testing.T) {
	o, err := ask(t, reporttest.Learned(t, "learned"), reporttest.Learned(t, "given"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"learned", "given"} {
		all, checked := readDecisions(t, name), 0
		for _, r := range o.Models[i].rows("counter", "", "") {
			if r.Sample != "train" {
				t.Errorf("%s: a counter over the sample %s, which was not fitted to", name, r.Sample)
			}
		}
		for _, r := range o.Models[i].rows("log_loss", "", "") {
			in := func(d decided) bool { return d.part == r.Sample }
			if _, random, _, _ := clusteredMean(all, in, func(d decided) float64 { return math.Log(float64(d.moves)) }); math.Abs(random-r.Reference) > 1e-12 {
				t.Errorf("%s, %s: log-loss %v of a random move, want %v", name, r.Sample, r.Reference, random)
			}
		}
		for _, r := range o.Models[i].rows("agreement", "", "") {
			in := func(d decided) bool {
				return d.part == r.Sample && (r.PhaseLow < 0 || int64(d.phase) >= r.PhaseLow && int64(d.phase) <= r.PhaseHigh)
			}
			n, mean, se, _ := clusteredMean(all, in, func(d decided) (chance float64) {
				for place := d.better + 1; place <= d.better+d.equal; place++ {
					if int64(place) <= r.Top {
						chance += 1 / float64(d.equal)
					}
				}
				return chance
			})
			_, random, _, _ := clusteredMean(all, in, func(d decided) float64 { return math.Min(1, float64(r.Top)/float64(d.moves)) })
			if int64(n) != r.Decisions || math.Abs(mean-r.Estimate) > 1e-12 || math.Abs(random-r.Reference) > 1e-12 || r.Games > 1 && math.Abs(se-r.SE) > 1e-8 {
				t.Errorf("%s, %s, phase %s, top %d: %d decisions, %v ± %v, random %v; want %d, %v ± %v, %v", name, r.Sample, r.phase(), r.Top, r.Decisions, r.Estimate, r.SE, r.Reference, n, mean, se, random)
			}
			_, beyond, _, half := clusteredMean(all, in, func(d decided) float64 {
				return math.Max(0, math.Min(1, float64(int(r.Top)-d.better)/float64(d.equal))) - math.Min(1, float64(r.Top)/float64(d.moves))
			})
			if r.Games < 20 && !math.IsNaN(r.DifferenceLow) {
				t.Errorf("%s, %s: an interval by %d games", name, r.Sample, r.Games)
			}
			if math.Abs(beyond-r.Difference) > 1e-12 || r.Games >= 20 && math.Abs(2*half-(r.DifferenceHigh-r.DifferenceLow)) > 1e-4 {
				t.Errorf("%s, %s: %v (%v to %v) beyond random moves; want %v ± %v", name, r.Sample, r.Difference, r.DifferenceLow, r.DifferenceHigh, beyond, half)
			}
			if r.Low > r.Estimate || r.High < r.Estimate-1e-12 || r.Low < 0 || r.High > 1 {
				t.Errorf("%v outside of %v to %v", r.Estimate, r.Low, r.High)
			}
			checked++
		}
		if checked < 3*3*3 {
			t.Errorf("%s: %d numbers", name, checked)
		}
	}
}

// TestOpponentAgainstLearn holds what the query makes of decisions.csv against what learn
// itself found: counters, the accuracy of the model, and what a random move predicts.
func TestOpponentAgainstLearn(t *testing.T) {
	o, err := ask(t, reporttest.Learned(t, "learned"), reporttest.Learned(t, "given"))
	if err != nil {
		t.Fatal(err)
	}
	type sample struct{ Chance, Accuracy, SE float64 }
	for i, name := range []string{"learned", "given"} {
		text := reporttest.Data(t, "opponent/"+name+"/learn.json")
		var want struct {
			Held              sample `json:"held_out"`
			Depths, Quiescent []struct {
				Depth   int64
				Counter float64
				Held    sample `json:"held_out"`
				Against *struct {
					Behind float64
					SE     float64 `json:"behind_se"`
				} `json:"against_model"`
			}
			Model struct {
				Held *sample `json:"held_out"`
				Test *sample
			}
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		m := o.Models[i]
		for j, d := range slices.Concat(want.Depths, want.Quiescent) {
			quiet := j >= len(want.Depths)
			counter, accuracy := m.at("counter", "train", "given", d.Depth, quiet), m.at("accuracy", "held_out", "given", d.Depth, quiet)
			if a := d.Against; a != nil && (math.Abs(accuracy.Difference+a.Behind) > 1e-6 || !(accuracy.DifferenceHigh-accuracy.DifferenceLow >= 2*1.96*a.SE)) {
				t.Errorf("%s, depth %d: difference %v (%v to %v), want %+v", name, d.Depth, accuracy.Difference, accuracy.DifferenceLow, accuracy.DifferenceHigh, *a)
			}
			if counter.Total != d.Counter || math.Abs(counter.Estimate*float64(counter.Decisions)-d.Counter) > 1e-9 {
				t.Errorf("%s, depth %d: counter %v, want %v", name, j+1, counter.Total, d.Counter)
			}
			if math.Abs(accuracy.Estimate-d.Held.Accuracy) > 1e-6 || math.Abs(accuracy.Reference-want.Held.Chance) > 1e-12 {
				t.Errorf("%s, depth %d: %+v, want %+v of %v", name, j+1, accuracy, d.Held, want.Held.Chance)
			}
		}
		for of, score := range map[string]*sample{"held_out": want.Model.Held, "test": want.Model.Test} {
			if score == nil {
				continue
			}
			r := m.rows("agreement", of, "")[0]
			if r.Top != 1 || r.PhaseLow >= 0 || math.Abs(r.Estimate-score.Accuracy) > 1e-9 || math.Abs(r.SE/score.SE-1) > 0.02 {
				t.Errorf("%s, %s: %+v, want %+v", name, of, r, *score)
			}
		}
	}
}

// TestOpponentModel: exactly one strategy is the model's, and its weights are beside those
// of the other solver at the same depth.
func TestOpponentModel(t *testing.T) {
	o, err := ask(t, reporttest.Learned(t, "learned"))
	if err != nil {
		t.Fatal(err)
	}
	m, marked := o.Models[0], 0
	for _, r := range m.rows("accuracy", "held_out", "") {
		if r.Model {
			marked++
			if r.Solver != m.Model.Solver || r.Quiescence != m.Model.Quiescence || r.Depth != int64(m.Model.Depth) || r.Temperature <= 0 {
				t.Errorf("the model is %+v", r)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d models", marked)
	}
	for _, r := range m.rows("weight", "", "") {
		if begun := r.Depth == 1; r.Begun != begun || begun && r.Estimate != 1 {
			t.Errorf("depth %d, %s: weight %v, begun with: %v", r.Depth, r.Term, r.Estimate, r.Begun)
		}
	}
	w := o.weights()
	if len(w.Fits) != 2 || len(w.Lines) != len(m.rows("weight", "", "lp"))/(len(m.Depths)+len(m.Quiescent)) {
		t.Fatalf("%d solvers, %d weights", len(w.Fits), len(w.Lines))
	}
	for _, l := range w.Lines {
		lp, likelihood := l.Of[0], l.Of[1]
		if lp == nil || likelihood == nil || !math.IsNaN(lp.SE) || !(likelihood.SE >= 0) || lp.Initial != likelihood.Initial {
			t.Errorf("%s: %+v, %+v", l.Term, lp, likelihood)
		}
		if l.Term == "man" && lp.Initial != 100 {
			t.Errorf("a man was given %v", lp.Initial)
		}
	}
}

// TestOpponentAgainst: two models of the same decisions are compared by these, pair by pair; models of
// other decisions are not.
func TestOpponentAgainst(t *testing.T) {
	o, err := ask(t, reporttest.Learned(t, "learned"), reporttest.Learned(t, "again"), reporttest.Learned(t, "given"))
	if err != nil {
		t.Fatal(err)
	}
	one, two := readDecisions(t, "learned"), readDecisions(t, "again")
	hit := func(d decided) float64 {
		if d.better > 0 {
			return 0
		}
		return 1 / float64(d.equal)
	}
	gain := map[*int]float64{}
	for i := range two {
		two[i].ranks = two[i].ranks[:1] // a place in memory of its own
		gain[&two[i].ranks[0]] = hit(two[i]) - hit(one[i])
	}
	rows := o.Models[1].rows("against", "", "")
	if len(rows) != 3 {
		t.Fatalf("%d samples", len(rows))
	}
	for _, r := range rows {
		n, mean, se, half := clusteredMean(two, func(d decided) bool { return d.part == r.Sample }, func(d decided) float64 { return gain[&d.ranks[0]] })
		if int64(n) != r.Decisions || math.Abs(mean-r.Estimate) > 1e-12 || math.Abs(se-r.SE) > 1e-9 || math.Abs(r.High-r.Estimate-half) > 1e-4 {
			t.Errorf("%s: %d decisions, %v ± %v; want %d, %v ± %v", r.Sample, r.Decisions, r.Estimate, r.SE, n, mean, se)
		}
	}
	if rows := o.Models[2].rows("against", "", ""); len(rows) != 0 {
		t.Errorf("%d comparisons on other decisions", len(rows))
	}
	if table := o.againstTable(); len(table.Rows) != 3 || !strings.Contains(table.Rows[0][5], " to ") {
		t.Errorf("%v", table.Rows)
	}
}

func TestOpponentErrors(t *testing.T) {
	learned := reporttest.Learned(t, "learned")
	text, err := learned.ReadFile("learn.json")
	if err != nil {
		t.Fatal(err)
	}
	other := map[string][]byte{"depths.csv": nil, "learn.json": bytes.Replace(text, []byte(`"game": "checkers"`), []byte(`"game": "chess"`), 1)}
	for want, in := range map[string][]*datasets.Dir{
		"holds no opponent model: kifu report curve made it": {reporttest.ModelOf(t, "report curve", map[string][]byte{"curve.csv": nil})},
		"make a report for each":                             {learned, reporttest.ModelOf(t, "learn", other)},
		"learn.json":                                         {reporttest.ModelOf(t, "learn", map[string][]byte{"depths.csv": nil, "learn.json": []byte("{")})},
		"has no file learn.json":                             {reporttest.ModelOf(t, "learn", map[string][]byte{"depths.csv": nil})},
		"no dataset model0_decisions":                        {reporttest.ModelOf(t, "learn", map[string][]byte{"depths.csv": nil, "learn.json": text})},
	} {
		if _, err := ask(t, in...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

var example = &reporttest.Example{
	Name: "opponent",
	Page: reporttest.Numbers{Column: "total", Where: "quantity", Is: "counter", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		in := []*datasets.Dir{reporttest.Learned(t, "learned"), reporttest.Learned(t, "given")}
		return Make(context.Background(), Params{Sources: []string{"learned", "given"}, Workers: workers}, in, out)
	},
}

func TestOpponentExample(t *testing.T) {
	example.Check(t)
}
