package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"kifu/datasets/bygame"
	"kifu/internal/dyads"
	"kifu/internal/logit"
	"kifu/report/split/conditions"
	"kifu/schemas"
)

// TestFlipsAreAllSigns: of few groups the flips are draws of all sign vectors, whose shares
// are known: with scores 4, 2, 1 the sum is as far from 0 as 7 in 2 of 8 vectors, as 5 in 4.
func TestFlipsAreAllSigns(t *testing.T) {
	sum := map[float64]float64{}
	const seeds = 60
	for seed := range uint64(seeds) {
		m := newMaxT(clustered{scores: mat.NewDense(3, 2, []float64{4, 0, 2, 0, 1, 0}), lines: []int{3, 17, 40}}, []bool{true, true}, seed)
		if m.t[0] != 7/math.Sqrt(21) || !math.IsNaN(m.t[1]) || !math.IsNaN(m.p[1]) {
			t.Fatalf("t is %v", m.t)
		}
		for _, far := range []float64{7, 5} {
			sum[far] += m.adjusted((far-1e-9)/math.Sqrt(21)) / seeds
		}
	}
	for far, want := range map[float64]float64{7: 0.25, 5: 0.5} {
		want = (1 + Flips*want) / (Flips + 1)
		if got := sum[far]; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/Flips/seeds) {
			t.Errorf("%v or more in %.3f of the flips, want %.3f", far, got, want)
		}
	}
}

// TestMaxTOfIndependent: of m independent normal statistics the largest is beyond c in
// 1-(2Φ(c)-1)^m of cases, and copies of a condition change nothing.
func TestMaxTOfIndependent(t *testing.T) {
	const groups, conditions = 400, 50
	r := rand.New(rand.NewPCG(5, 5))
	scores := mat.NewDense(groups, 2*conditions, nil)
	for g := range groups {
		for c := range conditions {
			x := r.NormFloat64()
			scores.Set(g, c, x)
			scores.Set(g, c+conditions, -3*x)
		}
	}
	names := make([]int, groups)
	for g := range names {
		names[g] = g
	}
	m := newMaxT(clustered{scores: scores, lines: names}, slices.Repeat([]bool{true}, 2*conditions), 1)
	for _, level := range []float64{0.05, 0.1, 0.5} {
		want := distuv.UnitNormal.Quantile((1 + math.Pow(1-level, 1.0/conditions)) / 2)
		if got := m.critical(level); math.Abs(got-want) > 0.25 {
			t.Errorf("at %v: %.2f, want %.2f", level, got, want)
		}
		if above := m.adjusted(m.critical(level) + 1e-9); above > level {
			t.Errorf("just above the critical value p is %v, level %v", above, level)
		}
	}
	if c := m.correlation(3, 3+conditions); math.Abs(c+1) > 1e-12 {
		t.Errorf("correlation %v of a score with its opposite", c)
	}
}

// TestNullModel: the model fits what it takes for granted, so that beside it nothing is left of
// a split that was taken, and all of another.
func TestNullModel(t *testing.T) {
	b := lacking(1, 3000, func(a, c float64) float64 {
		bonus := 0.0
		if a > 25 {
			bonus += 0.8
		}
		if c < -25 {
			bonus -= 0.8
		}
		return bonus
	})
	p := Params{FDR: 0.1, Level: 0.1, Top: 20, MinCount: 200, By: byFall}
	_, splits, _, _ := search(t, b, p)
	var shifts []string
	for _, k := range splits {
		if !math.IsNaN(k.ShiftP) {
			shifts = append(shifts, k.Condition.SQL)
		}
	}
	if len(shifts) < 2 || len(shifts) > 4 || !slices.ContainsFunc(shifts, func(s string) bool { return strings.HasPrefix(s, "xa >= ") }) ||
		!slices.ContainsFunc(shifts, func(s string) bool { return strings.HasPrefix(s, "xb <= ") }) {
		t.Errorf("found %q", shifts)
	}
}

// TestPathMoments: variance and third moment of a game's score, by the model, are those of all
// its futures: a coin walk of log-odds whose win probability is a martingale, by enumeration.
func TestPathMoments(t *testing.T) {
	// Win probabilities of a fair game: p moves up or down by the same amount.
	x := []float64{0.3, -1, 0.7, 2}
	var square, third, variance, skew, mean float64
	const steps = 3
	for moves := range 1 << steps {
		p, game := 0.5, []path{}
		for i := range steps + 1 {
			// The regressor may depend on what is known: here on the win probability.
			z := x[i] * (1 + p)
			game = append(game, path{p: p, x: []float64{z, 0}})
			if i < steps {
				p += (2*float64(moves>>i&1) - 1) / 8
			}
		}
		for won := range 2 {
			for i := range game {
				game[i].won = float64(won)
			}
			s := pathMoments(game, 1)[0]
			weight := p / (1 << steps)
			if won == 0 {
				weight = (1 - p) / (1 << steps)
			}
			mean += weight * s.sum
			square += weight * s.sum * s.sum
			third += weight * s.sum * s.sum * s.sum
			variance += weight * s.variance
			skew += weight * s.third
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"mean", mean, 0}, {"variance", variance, square}, {"third moment", skew, third}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s %v, of all games %v", c.name, c.got, c.want)
		}
	}
}

// TestTypeThree: tails of Pearson's type III: normal without skewness, exponential with
// skewness 2, and the other side with the other sign.
func TestTypeThree(t *testing.T) {
	for _, c := range []struct{ z, skew, want float64 }{
		{3, 0, distuv.UnitNormal.Survival(3)}, {3, 2, math.Exp(-4)}, {-0.5, 2, math.Exp(-0.5)}, {-2, 2, 1}, {2, -2, 0}, {-3, -2, 1 - math.Exp(-4)},
	} {
		if got := typeThree(c.z, c.skew); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("beyond %v with skewness %v: %v, want %v", c.z, c.skew, got, c.want)
		}
	}
}

// schooled are games between players whose strength the evaluator does not know, and whose styles,
// which have nothing to do with it, are in the columns.
func schooled(seed uint64, players, games int) (*rowBlock, *clusters) {
	r := rand.New(rand.NewPCG(seed, 13))
	const columns = 4
	b := &rowBlock{columns: make([][]float64, columns)}
	c := &clusters{players: true, seed: seed}
	strength, style := make([]float64, players), make([][columns]float64, players)
	for p := range players {
		strength[p] = 0.7 * r.NormFloat64()
		for k := range columns {
			style[p][k] = r.NormFloat64()
		}
	}
	for id := range games {
		p := r.IntN(players)
		q := (p + 1 + r.IntN(players-1)) % players
		value, won, from := 150*r.NormFloat64(), uint8(0), len(b.value)
		if r.Float64() < logit.Probability(value/150+strength[p]-strength[q]) {
			won = 2
		}
		for range 4 {
			b.value, b.won, b.number = append(b.value, value+3*r.NormFloat64()), append(b.won, won), append(b.number, len(b.number))
			for k := range columns {
				b.columns[k] = append(b.columns[k], style[p][k]-style[q][k]+r.NormFloat64())
			}
		}
		b.games = append(b.games, gameRows{int64(id), Train, from, len(b.value)})
		if id%3 == 0 {
			b.games[id].side = Held
		}
		c.Add(int64(id), []int64{int64(id)})
		c.of = append(c.of, c.groupsOf(int64(id), dyads.Pair{A: int32(p), B: int32(q)}, uint64(id), func(int32) bool { return true }))
	}
	return b, c
}

// TestPlayersAreClusters: where results depend on players and columns do too, tests that take
// games for independent find what is not there, tests by player seldom do.
func TestPlayersAreClusters(t *testing.T) {
	runs := max(40, *replications)
	const rate = 0.1
	var wrong [2]int
	for seed := range uint64(runs) {
		b, c := schooled(seed, 100, 1200)
		for i, of := range []*clusters{{seed: seed}, c} {
			v, x, set := axisOf(t, b)
			null := newNull(x, v, nil, nil)
			k := summerOf(summing{null: null, set: set, side: both}, of)
			k.run(x.blockOf(b, set, nil))
			f := newRound(null, v, set, v.holding(set), k.sums, slices.Repeat([]bool{true}, len(set.All)), Params{Cluster: dyads.Both, Seed: seed})
			if len(f.choose(Params{Level: rate, Top: 20, By: byFall}, false)) > 0 {
				wrong[i]++
			}
			if f.byPlayer != (i == 1) {
				t.Errorf("seed %d: by player %v", seed, f.byPlayer)
			}
		}
	}
	t.Logf("anything found where nothing is: by game in %d, by player in %d of %d data sets", wrong[0], wrong[1], runs)
	if most := rate*float64(runs) + 3*math.Sqrt(rate*(1-rate)*float64(runs)); float64(wrong[1]) > most || 4*wrong[0] < runs {
		t.Errorf("by game in %d, by player in %d of %d", wrong[0], wrong[1], runs)
	}
}

// TestVariancesByFew: t-values by few players count as the normal ones of tables of t (two-sided 5 % and
// 0.1 %), and as many lines as are normal are the degrees of freedom.
func TestVariancesByFew(t *testing.T) {
	m := &maxT{df: []float64{3, 30, 0}}
	for _, c := range []struct {
		at      int
		t, want float64
	}{{0, 3.1824463, 1.959964}, {0, -12.923979, -3.290527}, {1, 2.0422725, 1.959964}, {1, -3.6459586, -3.290527}, {2, 5, 5}} {
		if got := m.normal(c.at, c.t); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("t = %v with %v degrees is %v, want %v", c.t, m.df[c.at], got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 4))
	const lines = 4000
	k := clustered{scores: mat.NewDense(lines, 2, nil), lines: make([]int, lines)}
	for i := range lines {
		k.scores.Set(i, 0, 7*r.NormFloat64())
	}
	k.scores.Set(0, 1, 5)
	k.lines = k.part(0, 1) // all lines are of group 0
	if df := k.degrees(k.lines); math.Abs(df[0]/lines-1) > 0.2 || df[1] != 3 {
		t.Errorf("degrees %v of %d normal lines and of one", df, lines)
	}
}

// TestPlayersKeepPower: a shift that there is is not taken for what players do: its t-value by
// player stays near that by game where results do not depend on players.
func TestPlayersKeepPower(t *testing.T) {
	b, c := schooled(3, 400, 3000)
	r := rand.New(rand.NewPCG(1, 1))
	for id, g := range b.games {
		for i := g.from; i < g.to; i++ {
			b.columns[0][i] = 0.5*(float64(b.won[i])-1) + r.NormFloat64()
		}
		p, q := r.IntN(400), r.IntN(400)
		c.Add(int64(id), []int64{int64(id)})
		c.of = append(c.of, c.groupsOf(int64(id), dyads.Pair{A: int32(p), B: int32(q)}, uint64(id), func(int32) bool { return true }))
	}
	var largest [2]float64
	for i, of := range []*clusters{{seed: 3}, c} {
		v, x, set := axisOf(t, b)
		k := summerOf(summing{null: newNull(x, v, nil, nil), set: set, side: both}, of)
		k.run(x.blockOf(b, set, nil))
		f := newRound(k.null, v, set, v.holding(set), k.sums, slices.Repeat([]bool{true}, len(set.All)), Params{Cluster: dyads.ByPlayer, Seed: 3})
		for _, one := range f.t {
			largest[i] = math.Max(largest[i], math.Abs(one))
		}
	}
	if largest[1] < 0.6*largest[0] || largest[0] < 10 {
		t.Errorf("the largest t is %.1f by game and %.1f by player", largest[0], largest[1])
	}
}

// axisOf is the axis of rows in memory, with their conditions.
func axisOf(t *testing.T, b *rowBlock) (*survey, *axis, *conditions.Set) {
	t.Helper()
	v := b.survey(25, len(b.columns), 1)
	v.types = slices.Repeat([]schemas.Type{schemas.Float64}, len(b.columns))
	for _, g := range b.games {
		v.sides[g.side].Games++
		v.sides[g.side].Positions += int64(g.to - g.from)
	}
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range b.columns {
		names = append(names, "x"+string(rune('a'+k)))
	}
	return v, x, conditions.New(names, v.types, v.sample, nil)
}

// TestCopies: copies of a game are on one side of a search, and one game in its tests.
func TestCopies(t *testing.T) {
	c := &clusters{seed: 1, copies: &bygame.Copies{Of: map[int64]int64{}}}
	r := &reader{params: Params{Holdout: 0.5, Seed: 1}, clusters: c}
	const n = 100
	for id := range int64(n) {
		c.copies.Of[id], c.copies.Of[id+n] = id, id
		unknown := dyads.Pair{A: -1, B: -1}
		one, copied := c.groupsOf(id, unknown, 77, nil), c.groupsOf(id+n, unknown, 77, nil)
		if r.side(id) != r.side(id+n) || c.groups(id) != c.groups(id+n) || one != copied {
			t.Errorf("game %d is on side %d in %v, its copy on %d in %v", id, r.side(id), one, r.side(id+n), copied)
		}
	}
}

// TestGroupsOfGames: a pair of games from one opening is in one group, games from another
// opening are not, and a player has one group whatever his colour.
func TestGroupsOfGames(t *testing.T) {
	c := &clusters{seed: 1}
	all := func(int32) bool { return true }
	one := c.groupsOf(1, dyads.Pair{A: 4, B: 9}, 77, all)
	back := c.groupsOf(2, dyads.Pair{A: 9, B: 4}, 77, all)
	if one != back {
		t.Errorf("a game in %v, with the colours exchanged in %v", one, back)
	}
	if other := c.groupsOf(3, dyads.Pair{A: 4, B: 9}, 78, all); other[0] == one[0] || other[3] != one[3] {
		t.Errorf("another opening in %v, the first in %v", other, one)
	}
	if third := c.groupsOf(4, dyads.Pair{A: 5, B: 4}, 77, all); third[0] == one[0] || third[1] != one[1] || third[3] == one[3] {
		t.Errorf("another opponent in %v, the first in %v", third, one)
	}
	seldom := c.groupsOf(5, dyads.Pair{A: 4, B: 9}, 77, func(p int32) bool { return p == 9 })
	if seldom[1] != one[2] || seldom[2] != -1 || seldom[3] != -1 {
		t.Errorf("with one who plays too often in %v, else in %v", seldom, one)
	}
}
