package report

import (
	"math"
	"math/rand/v2"
	"testing"
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
		side := train
		if float64(gameHash(int64(id), seed)>>11)/(1<<53) < 0.3 {
			side = held
		}
		b.games = append(b.games, gameRows{int64(id), side, from, len(b.value)})
	}
	return b
}

// judgeAlone is what a report says of the condition of b, without a search.
func judgeAlone(t *testing.T, b *rowBlock, seed uint64) *split {
	t.Helper()
	v := b.survey(25, 1)
	for _, g := range b.games {
		v.sides[g.side].Games++
		v.sides[g.side].Positions += int64(g.to - g.from)
	}
	x, err := newSplitAxis(v, 25)
	if err != nil {
		t.Fatal(err)
	}
	tables := newGroupTables(2, len(x.value))
	for _, g := range b.games {
		cells := tables.by[g.side][gameHash(g.id, ^seed)%groupsOfGames]
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
	k := &split{}
	for _, c := range tables.of(0, -1, train, held) {
		k.Positions += int64(c.n)
	}
	on := tables.of(0, -1, train)
	k.At, _ = x.smoothGap(x.totalOf(tables.of(1, -1, train)), on).largest(x, on)
	k.estimate(x, tables, x.totals(tables, train, held), x.totals(tables, held), 0)
	return k
}

func TestExplore(t *testing.T) {
	for name, h := range map[string]hiding{
		"usual 1000x20":   {1000, 20, 0.3, 0.2, 0.9, 160, 0.3},
		"still 1000x20":   {1000, 20, 0.3, 0.2, 1, 160, 0.3},
		"rare 1000x20":    {1000, 20, 0.06, 0.04, 0.9, 160, 0.3},
		"few long 400x60": {400, 60, 0.3, 0.2, 0.95, 160, 0.2},
		"nothing":         {1000, 20, 0.3, 0.3, 0.9, 160, 0.3},
		"many 5000x10":    {5000, 10, 0.3, 0.2, 0.9, 160, 0.3},
	} {
		const runs = 200
		type sums struct{ n, covered, none, sum, width float64 }
		var s [4]sums
		for seed := range uint64(runs) {
			k := judgeAlone(t, h.play(seed), seed)
			for i, x := range []struct {
				i     interval
				truth float64
			}{{k.Gap, h.gap()}, {k.GapHeld, h.gap()}, {k.Mean, h.gap()}, {k.Weight, h.weight()}} {
				if math.IsNaN(x.i.Low) {
					s[i].none++
					continue
				}
				s[i].n++
				s[i].sum += x.i.Value
				s[i].width += x.i.High - x.i.Low
				if x.i.Low <= x.truth && x.truth <= x.i.High {
					s[i].covered++
				}
			}
		}
		for i, what := range []string{"gap", "gap held", "mean", "weight"} {
			truth := h.gap()
			if i == 3 {
				truth = h.weight()
			}
			t.Logf("%-16s %-9s truth %5.1f mean %5.1f  width %5.1f  covers %.3f  none %.3f", name, what, truth, s[i].sum/s[i].n, s[i].width/s[i].n, s[i].covered/s[i].n, s[i].none/runs)
		}
	}
}
