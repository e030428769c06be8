package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"kifu/internal/splitmix"
	"kifu/kit/slow"
	"kifu/report/shape"
)

// hiding are games of an evaluator that is right but for one condition, which it does not
// know: logit P(win) = v/scale at every ply, and v/scale + log(a/b) where the condition
// holds, a and b its chances in games that are won and lost. So the gap is
// scale·log(a/b) at every value. The condition lasts for some plies and comes back.
type hiding struct {
	games, plies  int
	won, lost     float64 // a, b
	lasts         float64 // chance of the condition to stay as it is in a ply
	scale, spread float64
}

// gap is the true one, weight that of a feature.
func (h hiding) gap() float64 { return h.scale * math.Log(h.won/h.lost) }

func (h hiding) weight() float64 {
	return h.gap() - h.scale*math.Log((1-h.won)/(1-h.lost))
}

func (h hiding) play(seed uint64) *rowBlock {
	r := rand.New(rand.NewPCG(seed, 11))
	b := &rowBlock{columns: make([][]float64, 1)}
	for id := range h.games {
		sign, won, share := -1.0, uint8(0), h.lost
		if r.IntN(2) == 1 {
			sign, won, share = 1, 2, h.won
		}
		from, walk := len(b.value), 0.0
		step := func() { walk += sign*h.spread*h.spread/2 + h.spread*r.NormFloat64() }
		for range 10 {
			step()
		}
		holds := r.Float64() < share
		for range h.plies {
			step()
			if r.Float64() >= h.lasts {
				holds = r.Float64() < share
			}
			c := 0.0
			if holds {
				c = 1
			}
			b.value, b.won, b.number = append(b.value, h.scale*walk), append(b.won, won), append(b.number, len(b.number))
			b.columns[0] = append(b.columns[0], c)
		}
		side := Train
		if splitmix.Share(seed, int64(id)) < 0.3 {
			side = Held
		}
		b.games = append(b.games, gameRows{int64(id), side, from, len(b.value)})
	}
	return b
}

// tablesOf returns the tables of the condition of b and of all positions.
func tablesOf(t *testing.T, b *rowBlock, seed uint64) (*axis, *groupTables) {
	t.Helper()
	v := b.survey(25, len(b.columns), 1)
	for _, g := range b.games {
		v.sides[g.side].Games++
		v.sides[g.side].Positions += int64(g.to - g.from)
	}
	x, err := newAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	tables := newGroupTables(2, len(x.value))
	for _, g := range b.games {
		cells := tables.by[g.side][splitmix.Hash(^seed, g.id)%GroupsOfGames]
		for i := g.from; i < g.to; i++ {
			part := x.part(fineOf(b.value[i], 25))
			for condition := range 2 {
				if condition == 1 || b.columns[0][i] == 1 {
					cells[condition*len(x.value)+part].n++
					cells[condition*len(x.value)+part].won += uint32(b.won[i])
				}
			}
		}
	}
	tables.finish()
	return x, tables
}

// judgeAlone judges the condition of b as a report does, without a search.
func judgeAlone(t *testing.T, b *rowBlock, seed uint64) *Split {
	t.Helper()
	x, tables := tablesOf(t, b, seed)
	_, found, _, _ := search(t, b, Params{FDR: 0.9999, Top: 1, MinCount: 100})
	if len(found) == 0 {
		t.Fatalf("seed %d: no split", seed)
	}
	k := found[0]
	for _, c := range tables.table(0, -1, Train, Held) {
		k.Positions += int64(c.n)
	}
	k.estimate(x, tables, x.totals(tables, Train, Held), x.totals(tables, Held), 0)
	return k
}

// TestAreaNoise: of a condition that means nothing the area between the curves is on average what the
// report says that chance makes.
func TestAreaNoise(t *testing.T) {
	const runs = 20
	h := hiding{games: 3000, plies: 10, won: 0.25, lost: 0.25, lasts: 0.9, scale: 160, spread: 0.35}
	area, squares, noise := 0.0, 0.0, 0.0
	for seed := range uint64(runs) {
		x, tables := tablesOf(t, h.play(seed), seed)
		of := func(without int) (whole, part []outcomes) {
			return tables.table(1, without, Train, Held), tables.table(0, without, Train, Held)
		}
		whole, part := of(-1)
		positions := int64(0)
		for _, c := range part {
			positions += int64(c.n)
		}
		a := shape.GapBetween(x.bins(whole, 0), x.bins(part, positions)).Area
		area, squares, noise = area+a/runs, squares+a*a/runs, noise+x.areaNoise(of)/runs
	}
	se := math.Sqrt((squares - area*area) / (runs - 1))
	t.Logf("the area is %.4f ± %.4f on average, by chance %.4f", area, se, noise)
	if !(math.Abs(area-noise) <= 3*se+0.1*noise) {
		t.Errorf("the area is %.4f ± %.4f on average, by chance %.4f", area, se, noise)
	}
}

// TestSplitIntervalsCover: over many simulated sets of games, 95 % intervals of the gap at
// the bin that was chosen, of the mean gap and of the weight hold the truth at their rate
// or, of the gap, more often. bench/simulation/splits has more data sets and other games.
func TestSplitIntervalsCover(t *testing.T) {
	slow.Test(t, "20 searches")
	const runs = 20
	h := hiding{games: 500, plies: 10, won: 0.3, lost: 0.2, lasts: 0.9, scale: 160, spread: 0.35}
	var covered [4]int
	biased := 0.0
	for seed := range uint64(runs) {
		k := judgeAlone(t, h.play(seed), seed)
		for i, x := range []struct {
			found Interval
			truth float64
		}{{k.Gap, h.gap()}, {k.GapHeld, h.gap()}, {k.Mean, h.gap()}, {k.Weight, h.weight()}} {
			// One that has no end says nothing false.
			if !(x.found.Low > x.truth) && !(x.found.High < x.truth) {
				covered[i]++
			}
		}
		biased += (k.Mean.Value - h.gap()) / runs
	}
	t.Logf("gap, held out, mean, weight: %v of %d; bias of the mean gap %.1f", covered, runs, biased)
	// Three standard errors of a binomial share around 95 %.
	reach := 3 * math.Sqrt(0.95*0.05/runs)
	for i, what := range []string{"gap", "gap held out", "mean gap", "weight"} {
		rate := float64(covered[i]) / runs
		if rate < 0.95-reach || i >= 2 && rate > 0.95+reach {
			t.Errorf("intervals of the %s cover %.3f of the time", what, rate)
		}
	}
	if math.Abs(biased) > 15 {
		t.Errorf("the mean gap is off by %.1f in the mean of a true %.1f", biased, h.gap())
	}
}
