package main

import (
	"context"
	"math"
	"math/rand/v2"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/dyads"
	"kifu/report/calibration"
	"kifu/report/depth"
	"kifu/report/page"
	"kifu/report/sheet"
	"kifu/schemas"
)

// The values of a position: the true one, and with errors that stay for a while.
var searches = [3]string{"static_value", "quiescence_value", "depth_2_value"}

// lastPhase is the phase of all later positions of a game, which has one more with each position.
const lastPhase = 19

var judgedLabels = schemas.Labels(schemas.Table{Columns: []schemas.Column{
	{Name: "game_id", Type: schemas.Int64}, {Name: "ply", Type: schemas.Int32}, {Name: "result", Type: schemas.String, Nullable: true, Repeats: true},
	{Name: "first_elo", Type: schemas.Int16, Nullable: true}, {Name: "second_elo", Type: schemas.Int16, Nullable: true},
}}, searches[:], nil, searches[2])

// write3 makes labels of d's games with the values of three searches.
func (d clubDesign) write3(rng *rand.Rand, out *datasets.Builder) (pairs []dyads.Pair, err error) {
	out.SetMeta("game", "simulation")
	out.SetMeta("unit", "centipawns")
	out.SetMeta("leaf", searches[2])
	out.SetTable(judgedLabels)
	w, err := out.Part(0)
	if err != nil {
		return nil, err
	}
	b := columns.NewBatch(out.Table())
	var off [2]float64
	last, ply := -1, 0
	pairs = d.play(rng, func(game int, value float64, columns []float64, won bool) {
		for i, size := range [2]float64{120, 60} {
			off[i] = 0.8*off[i] + 0.6*size*rng.NormFloat64()
			if game != last { // players' styles are in what the searches do not see
				off[i], ply = size*(rng.NormFloat64()+columns[1]/2), warmUp
			}
		}
		last = game
		ply++
		b.Col("game_id").AppendInt64(int64(game))
		b.Col("ply").AppendInt32(int32(ply))
		b.Col("result").AppendString(map[bool]string{true: "first", false: "second"}[won])
		b.Col("first_elo").AppendNull()
		b.Col("second_elo").AppendNull()
		b.Col(searches[0]).AppendFloat32(float32(value + off[0]))
		b.Col(searches[1]).AppendFloat32(float32(value + off[1]))
		b.Col(searches[2]).AppendFloat32(float32(value))
		b.Col("leaf_phase").AppendInt32(int32(min(ply-warmUp-1, lastPhase)))
		b.Col("features").AppendBytes(nil)
		b.Rows++
	})
	return pairs, w.CloseWith(b, manifest.Counts{}, nil)
}

// searched returns the intervals of report calibration and report depth of the games' values of three
// searches: of log-losses, their paired differences, and the regression of the deep search on a shallow
// one.
func (d clubDesign) searched(ctx context.Context, dir string, seed, i uint64) ([]playedInterval, error) {
	return playedAs(ctx, judgedLabels.ID(), d.write3, dir, seed, i, func(in, games *datasets.Dir) (all []playedInterval, err error) {
		clusters, out := sheet.Clusters{Names: []int{1}}, files{}
		c := calibration.Params{Values: searches[:], Sources: []string{"labels"}, Holdout: 0.3, Seed: 1, Bins: 20, Draws: "exclude", Workers: 1, Clusters: clusters}
		if err := calibration.Make(ctx, c, []*datasets.Dir{in, games}, page.Alone(out)); err != nil {
			return nil, err
		}
		p := depth.Params{Sources: []string{"labels"}, Workers: 1, Clusters: clusters}
		if err := depth.Make(ctx, p, []*datasets.Dir{in, games}, page.Alone(out)); err != nil {
			return nil, err
		}
		add := func(file, key string, names ...string) error {
			return eachRow(out[file], func(text func(string) string, number func(string) float64) {
				for _, name := range names {
					kind, of := text("kind"), text(key)
					if kind == "phase" {
						of += ", phase " + text("level")
					}
					if (kind == "all" || kind == "phase" && file == "depth.csv") && !math.IsNaN(number(name)) { // the first has no difference
						all = append(all, playedInterval{name + " of " + of, number(name), number(name + "_low"), number(name + "_high"), math.NaN()})
					}
				}
			})
		}
		if err := add("calibration.csv", "forecast", "log_loss", "difference"); err != nil {
			return nil, err
		}
		return all, add("depth.csv", "shallow", "a", "b", "sigma", "sigma_difference")
	})
}
