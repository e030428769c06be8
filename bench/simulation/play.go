package main

import (
	"math/rand/v2"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/schemas"
)

// The evaluator: five terms of unknown weights, in centipawns, and a known value. d and e mean nothing.
var (
	terms   = [...]string{"a", "b", "c", "d", "e"}
	planted = [...]float64{30, -15, 10, 0, 0}
)

const (
	scale     = 0.006 // w_0
	knownStep = 50    // centipawns that the known part of the value moves at once
	opening   = 10    // plies before the first position
)

// design is a kind of data set.
type design struct {
	name, about      string
	games, positions int     // positions of each game
	upsets           float64 // share of the games whose result is a coin's
	fades            bool    // a is worth twice its weight in the first half of the plies, and nothing in the second
}

var designs = []design{
	{name: "independent", about: "one position a game, as the naive errors assume", games: 10000, positions: 1},
	{name: "games", about: "all positions of a game, one result", games: 1000, positions: 10},
	{name: "few games", about: "the same with a fifth of the games", games: 200, positions: 10},
	{name: "upsets", about: "one game in five ends by a coin, whatever the position: the logistic curve is wrong", games: 1000, positions: 10, upsets: 0.2},
	{name: "fading", about: "what a is worth changes in the game, and the evaluator has one weight for it", games: 1000, positions: 10, fades: true},
}

// wrong reports whether the fitted model differs from the one that made the data.
func (d design) wrong() bool { return d.upsets > 0 || d.fades }

// play calls f with the positions of d's games.
//
// The winner is drawn first. Then each part of the evaluation goes up or down by one with odds e^±h for
// the winner's side: a step is 2h of log-odds. With 2h = w_0·weight the chance to win, given a
// position, is by Bayes' rule exactly 1/(1+exp(-w_0 e')), at every ply, although all positions of a
// game have one result.
func (d design) play(rng *rand.Rand, f func(game, ply int, value float64, counts [len(terms)]int, won bool)) {
	for game := range d.games {
		won := rng.IntN(2) == 0
		last := opening + d.positions - 1
		if d.positions == 1 {
			last += rng.IntN(20)
		}
		var counts [len(terms)]int
		known := 0
		result := won
		if rng.Float64() < d.upsets {
			result = rng.IntN(2) == 0
		}
		for ply := 1; ply <= last; ply++ {
			known += walk.Step(rng, won, scale*knownStep)
			for i := range counts {
				w := planted[i]
				if i == 0 && d.fades {
					if w *= 2; 2*ply > last {
						w = 0
					}
				}
				counts[i] += walk.Step(rng, won, scale*w)
			}
			if ply > last-d.positions {
				f(game, ply, float64(known*knownStep), counts, result)
			}
		}
	}
}

// write makes labels of d's games.
func (d design) write(rng *rand.Rand, out *datasets.Builder) error {
	m := &eval.Model{Game: "simulation", Name: "present", Unit: "centipawns", Stages: []string{"all"}, Knots: []int{0}}
	for i, name := range terms {
		group := "planted"
		if planted[i] == 0 {
			group = "nothing"
		}
		m.Terms = append(m.Terms, eval.Term{Name: name, Group: group, Weights: []float64{0}})
	}
	text, err := m.TOML()
	if err != nil {
		return err
	}
	if err := out.AddFile("weights.toml", text); err != nil {
		return err
	}
	out.SetMeta("game", m.Game)
	out.SetMeta("unit", m.Unit)
	out.SetMeta("leaf", "value")
	out.SetTable(labels)
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	var features []eval.Feature
	var packed []byte
	d.play(rng, func(game, ply int, value float64, counts [len(terms)]int, won bool) {
		features = features[:0]
		for i, n := range counts {
			features = append(features, eval.Feature{Term: uint32(i), Count: int16(n)})
		}
		packed = eval.AppendPacked(packed[:0], features)
		b.Col("game_id").AppendInt64(int64(game))
		b.Col("ply").AppendInt32(int32(ply))
		b.Col("result").AppendString(map[bool]string{true: "first", false: "second"}[won])
		b.Col("value").AppendFloat32(float32(value))
		b.Col("leaf_phase").AppendInt32(0)
		b.Col("features").AppendBytes(packed)
		b.Rows++
	})
	return w.CloseWith(b, manifest.Counts{}, nil)
}

var labels = schemas.Labels(schemas.Table{Columns: []schemas.Column{
	{Name: "game_id", Type: schemas.Int64}, {Name: "ply", Type: schemas.Int32}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true},
}}, []string{"value"}, nil, "value")
