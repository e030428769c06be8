package split

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"kifu/report/split/conditions"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/logit"
	"kifu/internal/multiple"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/page"
	"kifu/schemas"
)

// simulated is games of so many plies in the mean of an evaluator that is right: the result is a fair coin, and the
// value a random walk of its likelihood ratios, so that the win probability at value v
// is 1/(1+exp(-v/180)) at every ply whatever else is known. The columns have nothing to
// do with it and are as alike within a game as king positions are. Where planted > 0, a
// part of the likelihood ratio is in the first column and not in the value.
func simulated(seed uint64, games, plies, columns int, planted float64) *rowBlock {
	r := rand.New(rand.NewPCG(seed, 7))
	b := &rowBlock{columns: make([][]float64, columns)}
	const scale, step = 180, 0.25
	for id := range games {
		sign, won := -1.0, uint8(0)
		if r.IntN(2) == 1 {
			sign, won = 1, 2
		}
		from := len(b.value)
		state := make([]float64, columns)
		for k := range state {
			state[k] = r.NormFloat64()
		}
		walk, hidden := 0.0, 0.0
		for range plies - 20 + r.IntN(40) {
			walk += sign*step*step/2 + step*r.NormFloat64()
			s := step * planted
			hidden += sign*s*s/2 + s*r.NormFloat64()
			b.value, b.won, b.number = append(b.value, math.Round(scale*walk)), append(b.won, won), append(b.number, len(b.number))
			for k := range state {
				state[k] = 0.95*state[k] + 0.3*r.NormFloat64()
				x := state[k]
				if k == 0 && planted > 0 {
					x = scale * hidden
				}
				b.columns[k] = append(b.columns[k], x)
			}
		}
		side := train
		if id%3 == 0 {
			side = held
		}
		b.games = append(b.games, gameRows{int64(id), side, from, len(b.value)})
	}
	return b
}

// search is the search of Split on rows in memory: shifts, then candidates for slopes.
func search(t *testing.T, b *rowBlock, p Params) (*report, []*split, []verdict, *conditions.Set) {
	t.Helper()
	p.By = byFall
	if p.Level == 0 {
		p.Level = p.FDR
	}
	s := &report{Params: p}
	v := b.survey(25, len(b.columns), 1)
	v.types = slices.Repeat([]schemas.Type{schemas.Float64}, len(b.columns))
	for _, g := range b.games {
		v.sides[g.side].Games++
		v.sides[g.side].Positions += int64(g.to - g.from)
	}
	s.Sides = v.sides
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range b.columns {
		names = append(names, "x"+string(rune('a'+k)))
	}
	s.Columns = names
	set := conditions.New(names, v.types, v.sample, p.Conditions)
	verdicts := b.screen(x, set, train)
	g := s.newGrouping(v, x, set, verdicts)
	g.slopes()
	shifts, err := g.findShifts(nil, b.sum(p))
	if err != nil {
		t.Fatal(err)
	}
	g.shifts(shifts)
	slices.SortStableFunc(g.all, func(a, b *split) int {
		return cmp.Compare(one(math.IsNaN(a.ShiftP)), one(math.IsNaN(b.ShiftP))) // shifts first
	})
	return s, g.all, verdicts, set
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// screen is stored.screen of rows in memory.
func (b *rowBlock) screen(x *axis, set *conditions.Set, side int) []verdict {
	k := newScreener(x, set, side)
	return x.verdicts(side, k.run(x.blockOf(b, set, nil)), []*screener{k})
}

// sum is stored.sum of rows in memory.
func (b *rowBlock) sum(p Params) func(summing) (*scoreSums, error) {
	return func(what summing) (*scoreSums, error) {
		k := summerOf(what, &clusters{seed: p.Seed})
		k.run(what.null.axis.blockOf(b, what.set, nil))
		return k.sums, nil
	}
}

// summerOf returns the only worker of a sum.
func summerOf(what summing, of *clusters) *summer {
	return newSummer(what, of, newScoreSums(of.count(), len(what.set.All), what.null.unknowns()))
}

// TestSplitFindsNothing: of an evaluator that is right, a search at a false discovery
// rate of 10 % finds anything in 10 % of its runs at most. Tests that took positions for
// independent would find something in nearly all.
func TestSplitFindsNothing(t *testing.T) {
	slow.Test(t, "60 searches")
	t.Run("short games", func(t *testing.T) { findsNothing(t, 30, 600, 30) })
	t.Run("few long games", func(t *testing.T) { findsNothing(t, 30, 200, 60) })
}

func findsNothing(t *testing.T, runs, games, plies int) {
	const rate = 0.1
	wrong, tests, below := 0, 0, 0
	for seed := range uint64(runs) {
		s, found, verdicts, _ := search(t, simulated(seed, games, plies, 6, 0), Params{FDR: rate, Top: 20, MinCount: 300})
		if slices.ContainsFunc(found, func(k *split) bool { return k.ShiftP <= rate }) {
			wrong++
		}
		for _, v := range verdicts {
			if v.Tested() {
				tests++
				if v.P < 0.05 {
					below++
				}
			}
		}
		if s.Tested < 50 {
			t.Fatalf("%d conditions tested", s.Tested)
		}
	}
	t.Logf("%d of %d runs find something; %.3f of p-values are below 0.05", wrong, runs, float64(below)/float64(tests))
	// Three standard errors of a binomial share above the rate.
	if most := float64(runs)*rate + 3*math.Sqrt(float64(runs)*rate*(1-rate)); float64(wrong) > most {
		t.Errorf("%d of %d runs find something where there is nothing: want %.0f at most", wrong, runs, most)
	}
	if share := float64(below) / float64(tests); share < 0.02 || share > 0.065 {
		t.Errorf("%.3f of the p-values are below 0.05", share)
	}
}

// weak are games of an evaluator that is right but for the first column, which is higher by
// effect in games that are won and lower in lost ones, in standard deviations.
func weak(seed uint64, games int, effect float64) *rowBlock {
	b := simulated(seed, games, 30, 8, 0)
	for i, won := range b.won {
		b.columns[0][i] += effect * (float64(won) - 1)
	}
	return b
}

// confirmed says whether a search that confirms finds a condition on the first column: of those
// that pass at the false discovery rate in the games of the search, the one that gains most
// passes in the games held out.
func confirmed(t *testing.T, b *rowBlock, found []verdict, set *conditions.Set, rate float64) bool {
	p := make([]float64, len(found))
	for i, f := range found {
		p[i] = f.P
	}
	best := -1
	for i, q := range multiple.FalseDiscovery(p) {
		if q <= rate && (best < 0 || found[i].Gain > found[best].Gain) {
			best = i
		}
	}
	if best < 0 || !strings.HasPrefix(set.All[best].SQL, "xa ") {
		return false
	}
	v := b.survey(25, len(b.columns), 1)
	for _, g := range b.games {
		v.sides[g.side].Games++
	}
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	return b.screen(x, set.Only(set.All[best:best+1]), held)[0].P <= rate
}

// TestSplitPower: of weak effects the flips, in all games, find more than a search that confirms, and
// as they find them seldom show what is false.
//
//	go test ./report/split -run TestSplitPower -v -replications 200
func TestSplitPower(t *testing.T) {
	slow.Test(t, "two dozen searches")
	const rate = 0.1
	runs := max(12, *replications)
	for _, d := range []struct {
		games  int
		effect float64
	}{{600, 0.2}, {2000, 0.1}} {
		if d.games > 600 && *replications == 0 {
			break
		}
		flips, confirm, wrong := 0, 0, 0
		for seed := range uint64(runs) {
			b := weak(seed, d.games, d.effect)
			_, found, verdicts, set := search(t, b, Params{FDR: rate, Top: 20, MinCount: 300})
			about, others := 0, 0
			for _, k := range withMirrors(found) {
				if !math.IsNaN(k.ShiftP) {
					about, others = about+one(strings.Contains(k.Condition.SQL, "xa ")), others+one(!strings.Contains(k.Condition.SQL, "xa "))
				}
			}
			flips, wrong = flips+one(about > 0), wrong+one(others > 0)
			confirm += one(confirmed(t, b, verdicts, set, rate))
		}
		share := func(k int) (float64, float64) {
			x := float64(k) / float64(runs)
			return 100 * x, 100 * math.Sqrt(x*(1-x)/float64(runs))
		}
		f, fe := share(flips)
		c, ce := share(confirm)
		w, we := share(wrong)
		t.Logf("%d games, effect %v: found by flips in %.0f ± %.0f %% of searches, by confirmation in %.0f ± %.0f %%; anything false in %.0f ± %.0f %%", d.games, d.effect, f, fe, c, ce, w, we)
		if flips < confirm || 4*flips < 3*runs {
			t.Errorf("flips find the missing column in %d of %d searches, confirmation in %d", flips, runs, confirm)
		}
		if most := rate*float64(runs) + 3*math.Sqrt(rate*(1-rate)*float64(runs)); float64(wrong) > most {
			t.Errorf("%d of %d searches show what is false", wrong, runs)
		}
	}
}

// planted are labels whose value lacks 60 centipawns where king_safety is at least 30.
// Values of a game are nearly the same, so that the chance of each position is the
// logistic function of its own.
func planted(seed uint64, games int) []reporttest.Label {
	r := rand.New(rand.NewPCG(seed, 1))
	var rows []reporttest.Label
	for id := range games {
		safety, mean := math.Round(40*r.NormFloat64()), 120*r.NormFloat64()
		truth := mean
		if safety >= 30 {
			truth += 60
		}
		result := "second"
		if r.Float64() < logit.Probability(truth/80) {
			result = "first"
		}
		if r.IntN(10) == 0 {
			result = "draw"
		}
		for ply := range 6 {
			rows = append(rows, reporttest.Label{Game: int64(id), Ply: int32(ply), Value: float32(math.Round(mean + 4*r.NormFloat64())), Safety: float32(safety), Result: result})
		}
	}
	return rows
}

func splitOf(t *testing.T, p Params, rows []reporttest.Label) *report {
	t.Helper()
	d := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p.Source = "labels"
	s, err := run(context.Background(), db, p, []*datasets.Dir{d})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var usual = Params{Holdout: 0.3, FDR: 0.05, Level: 0.05, Top: 10, MinCount: 300}

// TestSplitPlanted: what is missing comes out first, from a dataset, with its size and
// confirmed; given as SQL as well.
func TestSplitPlanted(t *testing.T) {
	p := usual
	p.Conditions = []query.Named{{Name: "safe", SQL: "king_safety >= 30 -- as planted"}}
	s := splitOf(t, p, planted(3, 6000))
	if len(s.Splits) == 0 {
		t.Fatal("nothing found")
	}
	first := s.Splits[0]
	if !strings.HasPrefix(first.Condition.SQL, "king_safety >= ") || !first.Confirmed || first.Fall.Low <= 0 {
		t.Errorf("first is %q, confirmed %v, log-loss falls by %v", first.Condition.SQL, first.Confirmed, first.Fall)
	}
	if x := first.Weight; !(x.Low < 60 && 60 < x.High && x.Low > 20) {
		t.Errorf("weight %.1f (%.1f to %.1f): want 60 inside", x.Value, x.Low, x.High)
	}
	// The total curve has the condition's positions in it, a quarter of all.
	if x := first.Mean; !(x.Low < 46 && 46 < x.High && x.Low > 15) {
		t.Errorf("mean gap %.1f (%.1f to %.1f): want 46 inside", x.Value, x.Low, x.High)
	}
	for _, k := range s.Splits[1:] {
		if k.Confirmed && !strings.Contains(k.Condition.SQL, "king_safety") {
			t.Errorf("%q confirmed", k.Condition.SQL)
		}
	}
	for _, k := range s.Splits {
		if k.Gap.Low > k.Gap.Value || k.Gap.High < k.Gap.Value {
			t.Errorf("%q: gap %v", k.Condition.SQL, k.Gap)
		}
	}
}

// TestSplitWorkers: every file of the report is the same for any number of workers, of
// labels whose row groups cut games.
func TestSplitWorkers(t *testing.T) {
	d := reporttest.WriteRowGroups(t, t.TempDir(), planted(5, 1500), nil, 601)
	p := usual
	p.Source, p.MinCount = "labels", 200
	p.Conditions = []query.Named{{Name: "safe", SQL: "king_safety >= 30"}}
	var want filesInMemory
	for _, workers := range []int{1, 2, 5} {
		p.Workers = workers
		got := filesInMemory{}
		if err := Make(context.Background(), p, []*datasets.Dir{d}, page.Alone(got)); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if len(got) < 8 || len(got) != len(want) {
			t.Fatalf("%d files with %d workers, %d with one", len(got), workers, len(want))
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s is another with %d workers", name, workers)
			}
		}
	}
	if part, err := d.OpenPart(0); err != nil || part.RowGroups() < 15 {
		t.Errorf("%d row groups: %v", part.RowGroups(), err)
	} else {
		part.Close()
	}
}

// filesInMemory is the output of a report.
type filesInMemory map[string][]byte

func (f filesInMemory) AddFile(name string, data []byte) error { f[name] = data; return nil }

func (filesInMemory) AddCounts(datasets.Counts) {}
func (filesInMemory) Key() string               { return "" }

func (filesInMemory) SetMeta(_, _ string) {}

// TestSplitGamesAcrossRowGroups: a game that goes on in the next row group is one game.
func TestSplitGamesAcrossRowGroups(t *testing.T) {
	b := simulated(1, 400, 30, 3, 0)
	_, _, whole, _ := search(t, b, Params{FDR: 0.1, Top: 5, MinCount: 300})
	v := b.survey(25, len(b.columns), 1)
	v.types = slices.Repeat([]schemas.Type{schemas.Float64}, 3)
	for _, g := range b.games {
		v.sides[g.side].Games++
	}
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	set := conditions.New([]string{"xa", "xb", "xc"}, v.types, v.sample, nil)
	m := newMoments(len(set.All), x.knots)
	k := newScreener(x, set, train)
	take := func(b *rowBlock) error {
		m.add(k.run(x.blockOf(b, set, nil)))
		return nil
	}
	games := joined{rowBlock: rowBlock{columns: make([][]float64, 3)}, take: take}
	for from := 0; from < len(b.value); from += 777 {
		part := b.slice(from, min(from+777, len(b.value)))
		if err := games.add(part.ends()); err != nil {
			t.Fatal(err)
		}
		if err := take(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := games.end(); err != nil {
		t.Fatal(err)
	}
	for c, got := range x.verdicts(train, m, []*screener{k}) {
		if math.Abs(got.Wald-whole[c].Wald) > 1e-6*whole[c].Wald || got.Games != whole[c].Games {
			t.Fatalf("%s: Wald %v of %d games in pieces, %v of %d as a whole", set.All[c].SQL, got.Wald, got.Games, whole[c].Wald, whole[c].Games)
		}
	}
}

// slice is a part of the rows as a row group of its own.
func (b *rowBlock) slice(from, to int) *rowBlock {
	part := &rowBlock{number: b.number[from:to], value: b.value[from:to], won: b.won[from:to]}
	for _, column := range b.columns {
		part.columns = append(part.columns, column[from:to])
	}
	for _, g := range b.games {
		if f, t := max(g.from, from), min(g.to, to); f < t {
			part.games = append(part.games, gameRows{g.id, g.side, f - from, t - from})
		}
	}
	return part
}

// TestConfirmedAreShown: picture and tables have what is confirmed, the candidates are folded
// away, and the sentence on top counts the games that the tables count.
func TestConfirmedAreShown(t *testing.T) {
	s := &report{Params: Params{FDR: 0.05, Level: 0.05}, Unit: "centipawns", Bin: 25, Tried: 30, Tested: 20, Shifted: 9, Sloped: 2}
	s.Sides = [2]sideCount{{Positions: 2000, Games: 70}, {Positions: 1000, Games: 30}}
	for i, confirmed := range []bool{true, false, true, false} {
		k := &split{Condition: conditions.Condition{Name: fmt.Sprint("column", i)}, Confirmed: confirmed, Positions: 2500, Games: 95}
		s.Splits = append(s.Splits, k)
	}
	s.Splits[1].Mirror = &split{Condition: conditions.Condition{Name: "mirror"}, Confirmed: true}
	slices.SortStableFunc(s.Splits, func(a, b *split) int { return cmp.Compare(b.confirmed(), a.confirmed()) })
	names := func(rows [][]string) (all []string) {
		for _, row := range rows {
			all = append(all, row[0]+" "+row[1])
		}
		return all
	}
	if got, want := fmt.Sprint(names(s.found().Rows)), "[1 column0 2 column2 3 column1 3b mirror]"; got != want {
		t.Errorf("shown are %s, want %s", got, want)
	}
	c := s.candidates()
	if got, want := fmt.Sprint(names(c.Rows)), "[4 column3]"; got != want || !c.Long {
		t.Errorf("candidates are %s, want %s, folded: %v", got, want, c.Long)
	}
	if text := s.summary(); strings.Contains(text, "column3") {
		t.Errorf("a candidate is printed:\n%s", text)
	}
	for _, want := range []string{"3,000 positions of 100 games", "9 shift the total curve", "in 5\u00a0% of searches", "the other 30 games", "3 splits are shown (b: with the colours exchanged, ?: not confirmed)", "1 candidate is not confirmed"} {
		if !strings.Contains(s.lead(), want) {
			t.Errorf("%q lacks %q", s.lead(), want)
		}
	}
}

var example = &reporttest.Example{
	Name: "split",
	Page: reporttest.Numbers{Column: "positions", Where: "", Is: "", Write: reporttest.Whole},
	Make: func(t *testing.T, workers int, out page.Output) error {
		p := Params{Source: "labels", Holdout: 0.3, FDR: 0.05, Level: 0.05, Top: 10, MinCount: 300, Workers: workers}
		return Make(context.Background(), p, []*datasets.Dir{reporttest.WriteLabels(t, t.TempDir(), planted(3, 3000), nil)}, out)
	},
}

func TestSplitExample(t *testing.T) {
	example.Check(t)
}
