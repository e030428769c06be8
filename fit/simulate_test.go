package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kifu/datasets"
	"kifu/eval"
	"kifu/schemas"
)

// simulation makes games whose results follow a linear evaluator and whose positions
// are correlated within a game.
type simulation struct {
	terms, perRow    int
	games, perGame   int
	scale            float64 // w_0
	tapered          bool
	seed             uint64
	distinct         bool // labels have columns with counts of results
	present, planted *eval.Model
}

func (s *simulation) models() {
	rng := rand.New(rand.NewPCG(s.seed, 1))
	m := &eval.Model{Game: "test", Name: "planted", Unit: "points", Stages: []string{"all"}, Knots: []int{0}}
	if s.tapered {
		m.Stages, m.Knots = []string{"opening", "endgame"}, []int{24, 0}
	}
	for i := range s.terms {
		t := eval.Term{Name: fmt.Sprintf("t%d", i), Group: fmt.Sprintf("g%d", i*4/s.terms)}
		for range m.Stages {
			t.Weights = append(t.Weights, math.Round(100*20*rng.NormFloat64())/100)
		}
		m.Terms = append(m.Terms, t)
	}
	s.planted = m
	s.present = m.Clone()
}

// play calls f with every position: its game, its features, its phase and whether the
// first player won. The features of a game's positions resemble each other, and so do
// the results, but a position's result is won with the planted model's probability.
func (s *simulation) play(f func(game int, features []eval.Feature, phase int, won bool)) {
	rng := rand.New(rand.NewPCG(s.seed, 2))
	counts := make([]int16, s.terms)
	var features []eval.Feature
	for g := range s.games {
		lean := rng.Float64()
		clear(counts)
		for ply := range s.perGame {
			for i := range counts {
				// Each term is there with the chance that gives perRow of them, and stays
				// as it was in the position before in nine cases of ten.
				if ply > 0 && rng.IntN(10) > 0 {
					continue
				}
				counts[i] = 0
				if rng.IntN(s.terms) < s.perRow {
					counts[i] = int16(rng.IntN(3)+1) * int16(1-2*rng.IntN(2))
				}
			}
			features = features[:0]
			for i, n := range counts {
				if n != 0 {
					features = append(features, eval.Feature{Term: uint16(i), Count: n})
				}
			}
			phase := 24 - 24*ply/s.perGame
			f(g, features, phase, lean < win(s.scale*s.planted.Score(features, phase)))
		}
	}
}

// rows plays the games into a store in which the terms with the given indices are free.
// Their weights in e(p) are those of s.present.
func (s *simulation) rows(free []int) *rows {
	d := newDesign(s.present, free, nil, nil)
	slotOf := map[uint16]uint16{}
	for i, t := range free {
		slotOf[uint16(t)] = uint16(i)
	}
	b := newBuilder(d)
	s.play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &row{game: int64(game), phase: phase, weight: 1, value: s.present.Score(features, phase)}
		for _, f := range features {
			if slot, ok := slotOf[f.Term]; ok {
				x.features = append(x.features, count{slot, f.Count})
			}
		}
		if won {
			x.y = 1
		}
		b.add(x)
	})
	return b.finish()
}

// zero takes the weights of the terms out of s.present.
func (s *simulation) zero(terms []int) {
	for _, i := range terms {
		clear(s.present.Terms[i].Weights)
	}
}

// between returns from..to-1.
func between(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// labels writes the simulation as a dataset of labels, in two parts of small row
// groups. Every fifth game is drawn.
func (s *simulation) labels(t testing.TB, zeroed string, change func(b *datasets.Batch)) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "labels")
	positions := schemas.Table{Columns: []schemas.Column{
		{Name: "game_id", Type: schemas.Int64}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true}}}
	if s.distinct {
		for _, name := range []string{"first_wins", "draws", "second_wins"} {
			positions.Columns = append(positions.Columns, schemas.Column{Name: name, Type: schemas.Int32})
		}
	}
	table := schemas.Labels(positions, []string{"quiescence_value"}, nil, "quiescence_value")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(), Params: s.seed,
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			text, err := s.present.TOML()
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
			b := datasets.NewBatch(table)
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
			s.play(func(game int, features []eval.Feature, phase int, won bool) {
				if part == 0 || part == 1 && game >= s.games/2 {
					if w != nil {
						end()
						if err := w.Close(datasets.Counts{}, nil); err != nil {
							t.Fatal(err)
						}
					}
					if w, err = out.Part(part); err != nil {
						t.Fatal(err)
					}
					part++
				}
				result := map[bool]string{true: "first", false: "second"}[won]
				if game%5 == 4 {
					result = "draw"
				}
				b.Col("game_id").AppendInt64(int64(game))
				b.Col("result").AppendString(result)
				if s.distinct {
					n := map[bool]int32{true: 3, false: 1}
					b.Col("first_wins").AppendInt32(n[won])
					b.Col("draws").AppendInt32(2)
					b.Col("second_wins").AppendInt32(n[!won])
				}
				b.Col("quiescence_value").AppendFloat32(float32(s.present.Score(features, phase)))
				b.Col("leaf_phase").AppendInt32(int32(phase))
				b.Col("features").AppendBytes(eval.AppendPacked(nil, features))
				if b.Rows++; b.Rows == 777 {
					end()
				}
			})
			end()
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

// fitTo runs the stage.
func fitTo(t testing.TB, p Params, workers int, in *datasets.Dir, columns columnReader) (*datasets.Dir, error) {
	t.Helper()
	return fitBy(t, p, Means{Workers: workers}, in, columns)
}

func fitBy(t testing.TB, p Params, m Means, in *datasets.Dir, columns columnReader) (*datasets.Dir, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fit")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "fit", Output: schemas.Weights.ID(), Params: p, Inputs: []string{in.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return run(ctx, p, m, Sources{Labels: in[0]}, out, columns)
		}}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	return datasets.Open(dir)
}

// gamesDir is a dataset of games without a part.
func gamesDir(t *testing.T) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			return nil
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

func small() *simulation {
	s := &simulation{terms: 12, perRow: 5, games: 300, perGame: 20, scale: 0.01, tapered: true, seed: 3}
	s.models()
	return s
}
