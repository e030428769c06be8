// Package fittest makes positions for the tests of fit and its rooms: games simulated
// from planted weights, and the data to which statsmodels and scipy were fitted
// (testdata).
package fittest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/rows"
	"kifu/schemas"
)

// Simulation makes games whose results follow a linear evaluator and whose positions
// are correlated within a game.
type Simulation struct {
	Terms, PerRow    int
	Games, PerGame   int
	Scale            float64 // w_0
	Tapered          bool
	Seed             uint64
	Distinct         bool // labels have columns with counts of results
	RowGroup         int  // rows of a row group of labels, 0 for 777
	Present, Planted *eval.Model
}

// Models makes the planted model at random, and the present one as its copy.
func (s *Simulation) Models() {
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	m := &eval.Model{Game: "test", Name: "planted", Unit: "points", Stages: []string{"all"}, Knots: []int{0}}
	if s.Tapered {
		m.Stages, m.Knots = []string{"opening", "endgame"}, []int{24, 0}
	}
	for i := range s.Terms {
		t := eval.Term{Name: fmt.Sprintf("t%d", i), Group: fmt.Sprintf("g%d", i*4/s.Terms)}
		for range m.Stages {
			t.Weights = append(t.Weights, math.Round(100*20*rng.NormFloat64())/100)
		}
		m.Terms = append(m.Terms, t)
	}
	s.Planted = m
	s.Present = m.Clone()
}

// Play calls f with every position: its game, its features, its phase and whether the
// first player won. The features of a game's positions resemble each other, and so do
// the results, but a position's result is won with the planted model's probability.
func (s *Simulation) Play(f func(game int, features []eval.Feature, phase int, won bool)) {
	rng := rand.New(rand.NewPCG(s.Seed, 2))
	counts := make([]int16, s.Terms)
	var features []eval.Feature
	for g := range s.Games {
		lean := rng.Float64()
		clear(counts)
		for ply := range s.PerGame {
			for i := range counts {
				// Each term occurs with the chance that gives perRow of them, and is unchanged from
				// the position before in nine cases of ten.
				if ply > 0 && rng.IntN(10) > 0 {
					continue
				}
				counts[i] = 0
				if rng.IntN(s.Terms) < s.PerRow {
					counts[i] = int16(rng.IntN(3)+1) * int16(1-2*rng.IntN(2))
				}
			}
			features = features[:0]
			for i, n := range counts {
				if n != 0 {
					features = append(features, eval.Feature{Term: uint32(i), Count: n})
				}
			}
			phase := 24 - 24*ply/s.PerGame
			f(g, features, phase, lean < losses.Win(s.Scale*s.Planted.Score(features, phase)))
		}
	}
}

// Rows plays the games into a store in which the terms with the given indices are free.
// Their weights in e(p) are s.present's.
func (s *Simulation) Rows(free []int) *rows.Store {
	d := rows.NewDesign(s.Present, free, nil, nil)
	slotOf := map[uint32]uint32{}
	for i, t := range free {
		slotOf[uint32(t)] = uint32(i)
	}
	b := rows.NewBuilder(d)
	s.Play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &rows.Row{Game: int64(game), Phase: phase, Weight: 1, Value: s.Present.Score(features, phase)}
		for _, f := range features {
			if slot, ok := slotOf[f.Term]; ok {
				x.Features = append(x.Features, rows.Count{Slot: slot, N: f.Count})
			}
		}
		if won {
			x.Y = 1
		}
		b.Add(x)
	})
	return b.Finish()
}

// Zero takes the weights of the terms out of s.present.
func (s *Simulation) Zero(terms []int) {
	for _, i := range terms {
		clear(s.Present.Terms[i].Weights)
	}
}

// Between returns from..to-1.
func Between(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// Labels writes the simulation as a dataset of labels, in two parts of small row
// groups. Every fifth game is drawn.
func (s *Simulation) Labels(t testing.TB, zeroed string, change func(b *columns.Batch)) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "labels")
	positions := schemas.Table{Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true}}}
	if s.Distinct {
		for _, name := range []string{"first_wins", "draws", "second_wins"} {
			positions.Columns = append(positions.Columns, schemas.Column{Name: name, Type: schemas.Int32})
		}
	}
	table := schemas.Labels(positions, []string{"quiescence_value"}, nil, "quiescence_value")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(), Params: s.Seed,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			text, err := s.Present.TOML()
			if err != nil {
				return err
			}
			if err := out.AddFile("weights.toml", text); err != nil {
				return err
			}
			for k, v := range map[string]string{"game": "test", "unit": "points", "leaf": "quiescence_value", "zeroed": zeroed} {
				out.SetMeta(k, v)
			}
			out.SetTable(table)
			b := columns.NewBatch(table)
			var w *datasets.PartWriter
			part := 0
			end := func() {
				change(b)
				g, err := w.Encode(b)
				if err == nil {
					err = w.Append(g)
				}
				if err != nil {
					t.Fatal(err)
				}
				b.Reset()
			}
			s.Play(func(game int, features []eval.Feature, phase int, won bool) {
				if part == 0 || part == 1 && game >= s.Games/2 {
					if w != nil {
						end()
						if err := w.Close(manifest.Counts{}, nil); err != nil {
							t.Fatal(err)
						}
					}
					if w, err = out.Part(part); err != nil {
						t.Fatal(err)
					}
					part++
				}
				s.label(b, game, features, phase, won)
				if b.Rows++; b.Rows == cmp.Or(s.RowGroup, 777) {
					end()
				}
			})
			end()
			return w.Close(manifest.Counts{}, nil)
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

// label appends the row of one position to b.
func (s *Simulation) label(b *columns.Batch, game int, features []eval.Feature, phase int, won bool) {
	result := map[bool]string{true: "first", false: "second"}[won]
	if game%5 == 4 {
		result = "draw"
	}
	b.Col("game_id").AppendInt64(int64(game))
	b.Col("result").AppendString(result)
	if s.Distinct {
		n := map[bool]int32{true: 3, false: 1}
		b.Col("first_wins").AppendInt32(n[won])
		b.Col("draws").AppendInt32(2)
		b.Col("second_wins").AppendInt32(n[!won])
	}
	b.Col("quiescence_value").AppendFloat32(float32(s.Present.Score(features, phase)))
	b.Col("leaf_phase").AppendInt32(int32(phase))
	b.Col("features").AppendBytes(eval.AppendPacked(nil, features))
}

// Small returns 300 games of 20 positions with 12 tapered terms.
func Small() *Simulation {
	s := &Simulation{Terms: 12, PerRow: 5, Games: 300, PerGame: 20, Scale: 0.01, Tapered: true, Seed: 3}
	s.Models()
	return s
}
