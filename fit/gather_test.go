package fit

import (
	"strings"
	"testing"

	"kifu/eval"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/mapped"
	"kifu/fit/rows"
)

// gathered puts options together as a fit does, with an evaluator of a term a with two
// stages and a term b with one, and an added feature c.
func gathered(t *testing.T, method string, most int, options func(add func(readRow))) *sample {
	t.Helper()
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}, Terms: []eval.Term{
		{Name: "a", Group: "g", Weights: []float64{0, 0}}, {Name: "b", Group: "g", Weights: []float64{0}}}}
	d := rows.NewDesign(m, []int{0, 1}, nil, []string{"c"})
	d.Decided = losses.DecisionsOf(method)
	s := &sample{build: rows.NewBuilder(d), most: most, seed: 1, gather: &gatherer{}}
	options(func(x readRow) { s.gather.add(s, &x) })
	if err := s.finish(&input{spill: mapped.New("", 0)}); err != nil {
		t.Fatal(err)
	}
	s.rows.WeighDecisions(false)
	return s
}

// Decisions are taken in whole: with the move played first, with an alternative, so many
// a game.
func TestGather(t *testing.T) {
	s := gathered(t, losses.Choice, 2, func(add func(readRow)) {
		for g := range 5 {
			for ply := range 4 {
				for i := range 3 {
					add(offered(g, ply, ply%2 == 0, i == 2, 24, int16(i+1), 0, float64(g), float64(100*ply+i)))
				}
			}
		}
		add(offered(7, 0, true, true, 24, 1, 0, 0, 0))  // alone
		add(offered(7, 1, true, false, 24, 1, 0, 0, 0)) // without the move played
		add(offered(7, 1, true, false, 24, 2, 0, 0, 0))
	})
	r := s.rows
	if r.N != 5*2*3 || r.Decisions() != 10 || r.Weight != 10 || s.dropped != 30 {
		t.Errorf("%d rows, %d decisions, weight %v, %d dropped", r.N, r.Decisions(), r.Weight, s.dropped)
	}
	if c := s.gather.counts.Rejected; c[noAlternative] != 1 || c[playedOut] != 2 {
		t.Errorf("rejected %v", c)
	}
	for _, b := range r.Blocks {
		for i := 0; i < b.Rows(); i += 3 {
			ply := int(b.Value[i]) / 100
			if want := float32(losses.PlayedRow * (1 - 2*(ply%2))); b.Y[i] != want || int(b.Value[i])%100 != 2 || losses.DecisionEnd(b.Y, i) != i+3 {
				t.Errorf("row %d: y %v, value %v, decision up to %d", i, b.Y[i], b.Value[i], losses.DecisionEnd(b.Y, i))
			}
		}
	}
	two := &sample{build: rows.NewBuilder(r.Design), gather: &gatherer{}}
	for range 2 {
		x := offered(1, 1, true, true, 24, 1, 0, 0, 0)
		two.gather.add(two, &x)
	}
	if err := two.finish(&input{spill: mapped.New("", 0)}); err == nil || !strings.Contains(err.Error(), "two moves are played in game 1 at ply 1") {
		t.Errorf("two moves played: %v", err)
	}
	// A part of the games has the weight of its own decisions.
	if half := r.Subset(func(id int64) bool { return id < 2 }); half.Weight != 4 || half.Decisions() != 4 {
		t.Errorf("two games of five: weight %v, %d decisions", half.Weight, half.Decisions())
	}
}

func offered(game, ply int, sign, played bool, phase int, a, b int16, c, value float64) readRow {
	x := fittest.NewMove(game, ply, sign, played, phase, a, b, c, value)
	return readRow{Row: x.Row, ply: int32(x.Ply)}
}
