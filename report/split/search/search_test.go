package search

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/internal/multiple"
	"kifu/kit/reporttest"
	"kifu/kit/slow"
	"kifu/query"
	"kifu/report/split/conditions"
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
		side := Train
		if id%3 == 0 {
			side = Held
		}
		b.games = append(b.games, gameRows{int64(id), side, from, len(b.value)})
	}
	return b
}

// search is the search of Split on rows in memory: shifts, then candidates for slopes.
func search(t *testing.T, b *rowBlock, p Params) (*Result, []*Split, []verdict, *conditions.Set) {
	t.Helper()
	p.By = byFall
	if p.Level == 0 {
		p.Level = p.FDR
	}
	s := &Result{Params: p}
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
	verdicts := b.screen(x, set, Train)
	g := s.newGrouping(v, x, set, verdicts)
	g.slopes()
	shifts, err := g.findShifts(nil, b.sum(p))
	if err != nil {
		t.Fatal(err)
	}
	g.shifts(shifts)
	slices.SortStableFunc(g.all, func(a, b *Split) int {
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
func (b *rowBlock) sum(p Params) func(summing) (scoreSums, error) {
	return func(what summing) (scoreSums, error) {
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
		if slices.ContainsFunc(found, func(k *Split) bool { return k.ShiftP <= rate }) {
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
	return b.screen(x, set.Only(set.All[best:best+1]), Held)[0].P <= rate
}

// TestSplitPower: of weak effects the flips, in all games, find more than a search that confirms, and
// as they find them seldom show what is false.
//
//	go test ./report/split/search -run TestSplitPower -v -replications 200
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

func splitOf(t *testing.T, p Params, rows []reporttest.Label) *Result {
	t.Helper()
	d := reporttest.WriteLabels(t, t.TempDir(), rows, nil)
	db, err := query.Open(context.Background(), query.Options{Threads: 2, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	p.Source = "labels"
	s, err := Run(context.Background(), db, p, []*datasets.Dir{d})
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
	s := splitOf(t, p, reporttest.Planted(3, 6000))
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
	k := newScreener(x, set, Train)
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
	for c, got := range x.verdicts(Train, m, []*screener{k}) {
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
