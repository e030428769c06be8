package patterns

import (
	"context"

	"kifu/datasets"
	"kifu/games"
)

// predict writes a row for each decision of the held-out games.
func (l *learner[P]) predict(ctx context.Context, out *datasets.Builder) error {
	o := datasets.MapOptions{Workers: l.workers, Columns: columns, Title: "predict", Unit: "positions"}
	return datasets.Map(ctx, l.in, out, o, func() datasets.MapFunc {
		f := &predictor[P]{reader: l.reader()}
		return f.predict
	})
}

// predictor predicts the moves of row groups.
type predictor[P games.Position[P]] struct {
	*reader[P]
	rates []float64
}

// predict is a datasets.MapFunc.
func (f *predictor[P]) predict(in, out *datasets.Batch) (datasets.Counts, error) {
	copied := []string{"game_id", "ply", "first_to_move", "move", "result", "first_elo", "second_elo", "phase"}
	from, to := make([]*datasets.Vec, len(copied)), make([]*datasets.Vec, len(copied))
	for i, name := range copied {
		from[i], to[i] = in.Col(name), out.Col(name)
	}
	legal, better, equal := out.Col("legal_moves"), out.Col("better"), out.Col("equal")
	size, rate, probability := out.Col("size"), out.Col("rate"), out.Col("probability")
	counts, err := f.eachDecision(in, true, func(row int, p P, chosen int) error {
		largest := f.rate(p, chosen)
		own, sum := f.rates[chosen], 0.0
		var above, same int32
		for _, r := range f.rates {
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
		size.AppendInt32(int32(largest))
		rate.AppendFloat32(float32(own))
		probability.AppendFloat32(float32(own / sum))
		out.Rows++
		return nil
	})
	counts.Written = int64(out.Rows)
	return counts, err
}

// rate computes the rates of the moves, and returns how many sizes of the chosen one were
// counted.
func (f *predictor[P]) rate(p P, chosen int) (largest int) {
	overall := float64(f.decisions) / float64(f.legal)
	f.rates = f.rates[:0]
	for range f.moves {
		f.rates = append(f.rates, overall)
	}
	at, sizes := -1, 0
	f.shapes.EachPattern(p, f.moves, func(move int, key uint64) bool {
		if move != at {
			at, sizes = move, 0
		}
		n, kept := f.number.find(key)
		if !kept {
			return false
		}
		f.rates[move] = (float64(f.played[n]) + f.rates[move]) / (float64(f.available[n]) + 1)
		if sizes++; move == chosen {
			largest = sizes
		}
		return sizes < f.sizes
	})
	return largest
}
