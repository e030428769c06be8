package patterns

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/players/shapes"
)

// predict writes a row for each decision of the held-out games.
func (l *learner[P]) predict(ctx context.Context, out *datasets.Builder) error {
	o := datasets.MapOptions{Workers: l.workers, Columns: readColumns, Title: "predict", Unit: "positions"}
	return datasets.Map(ctx, l.in, out, o, func() datasets.MapFunc {
		f := &predictor[P]{l.reader(), shapes.NewRater(l.of, l.counts)}
		return f.predict
	})
}

// predictor predicts the moves of row groups.
type predictor[P games.Position[P]] struct {
	*reader[P]
	rater *shapes.Rater[P]
}

// predict is a datasets.MapFunc.
func (f *predictor[P]) predict(in, out *columns.Batch) (manifest.Counts, error) {
	copied := []string{"game_id", "ply", "first_to_move", "move", "result", "first_elo", "second_elo", "phase"}
	from, to := make([]*columns.Vec, len(copied)), make([]*columns.Vec, len(copied))
	for i, name := range copied {
		from[i], to[i] = in.Col(name), out.Col(name)
	}
	legal, better, equal := out.Col("legal_moves"), out.Col("better"), out.Col("equal")
	size, rate, probability := out.Col("size"), out.Col("rate"), out.Col("probability")
	counts, err := f.eachDecision(in, true, func(row int, p P, chosen int) error {
		f.rater.Rate(p, f.Moves)
		by := f.rater.Rates
		own, sum := by[chosen], 0.0
		var above, same int32
		for _, r := range by {
			sum += r
			if r > own {
				above++
			}
			if r == own {
				same++
			}
		}
		for i, v := range to {
			v.AppendFrom(from[i], row)
		}
		legal.AppendInt32(int32(len(f.Moves)))
		better.AppendInt32(above)
		equal.AppendInt32(same)
		size.AppendInt32(int32(f.rater.Sizes[chosen]))
		rate.AppendFloat32(float32(own))
		probability.AppendFloat32(float32(own / sum))
		out.Rows++
		return nil
	})
	counts.Written = int64(out.Rows)
	return counts, err
}
