package patterns

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/clogit"
)

// predict writes a row for each decision of the held-out games.
func (l *learner[P]) predict(ctx context.Context, out *datasets.Builder) error {
	o := datasets.MapOptions{Workers: l.workers, Columns: readColumns, Title: "predict", Unit: "positions"}
	return datasets.Map(ctx, l.in, out, o, func() datasets.MapFunc {
		f := &predictor[P]{reader: l.reader()}
		return f.predict
	})
}

// predictor predicts the moves of row groups.
type predictor[P games.Position[P]] struct {
	*reader[P]
	chances []float64
}

// predict is a datasets.MapFunc.
func (f *predictor[P]) predict(in, out *columns.Batch) (datasets.Counts, error) {
	copied := []string{"game_id", "ply", "first_to_move", "move", "result", "first_elo", "second_elo", "phase"}
	from, to := make([]*columns.Vec, len(copied)), make([]*columns.Vec, len(copied))
	for i, name := range copied {
		from[i], to[i] = in.Col(name), out.Col(name)
	}
	legal, better, equal := out.Col("legal_moves"), out.Col("better"), out.Col("equal")
	size, rate, probability := out.Col("size"), out.Col("rate"), out.Col("probability")
	counts, err := f.eachDecision(in, toTest, func(row int, p P, chosen int) error {
		f.rate(p)
		by := f.rates
		if f.weights != nil {
			d := clogit.New[float32](len(f.names))
			f.add(d, p, f.moves, f.rates, f.sizes, f.before(in, row))
			d.End(0, chosen)
			_, f.chances = d.Chances(0, f.weights.Beta, f.chances)
			by = f.chances
		}
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
		legal.AppendInt32(int32(len(f.moves)))
		better.AppendInt32(above)
		equal.AppendInt32(same)
		size.AppendInt32(int32(f.sizes[chosen]))
		rate.AppendFloat32(float32(f.rates[chosen]))
		probability.AppendFloat32(float32(own / sum))
		out.Rows++
		return nil
	})
	counts.Written = int64(out.Rows)
	return counts, err
}

// rate computes the rates of the moves, and how many sizes of each were counted.
func (r *reader[P]) rate(p P) {
	overall := float64(r.decisions) / float64(r.legal)
	r.rates, r.sizes = r.rates[:0], r.sizes[:0]
	for range r.moves {
		r.rates, r.sizes = append(r.rates, overall), append(r.sizes, 0)
	}
	r.shapes.EachPattern(p, r.moves, func(move int, key uint64) bool {
		n, kept := r.number.find(key)
		if !kept {
			return false
		}
		r.rates[move] = (float64(r.played[n]) + r.rates[move]) / (float64(r.available[n]) + 1)
		r.sizes[move]++
		return r.sizes[move] < r.learner.sizes
	})
}
