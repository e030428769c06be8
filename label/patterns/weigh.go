package patterns

import (
	"context"
	"errors"

	"kifu/datasets"
	"kifu/internal/clogit"
	"kifu/internal/splitmix"
)

// ridge keeps the weight of a feature that no move has at 0.
const ridge = 1e-3

// weigh fits the weights of the features to decisions of games in which no pattern was counted.
func (l *learner[P]) weigh(ctx context.Context, out *datasets.Builder) error {
	counts := make([]int64, l.workers)
	if err := l.train(ctx, "count decisions", toWeigh, func(worker int, _ *reader[P], _ int, _ P, _ int) { counts[worker]++ }); err != nil {
		return err
	}
	for _, n := range counts {
		l.weighed += n
	}
	if l.weighed == 0 {
		return errors.New("no move is left to fit the weights of features to: give more games, or another share of them (--weigh)")
	}
	data, names, err := l.gather(ctx)
	if err != nil {
		return err
	}
	if l.weights, err = data.Fit(ridge, l.workers); err != nil {
		return err
	}
	return out.AddFile("features.csv", featuresCSV(names, l.weights))
}

// gather takes the features of the decisions, a seeded sample of them if they are too many, in the
// order of the positions.
func (l *learner[P]) gather(ctx context.Context) (*clogit.Data[float32], []string, error) {
	share := float64(l.MaxWeigh) / float64(l.weighed)
	readers := make([]*reader[P], l.workers)
	for w := range readers {
		readers[w] = l.reader()
	}
	all := clogit.New[float32](len(readers[0].names))
	err := datasets.Each(ctx, l.in, l.workers, "features", "positions", func(worker int, g datasets.Group, emit func(*clogit.Data[float32]) error) error {
		r := readers[worker]
		r.batch.Reset()
		if err := g.Read(r.batch); err != nil {
			return err
		}
		data := clogit.New[float32](len(r.names))
		game, ply := r.batch.Col("game_id").Int64, r.batch.Col("ply").Int32
		_, err := r.eachDecision(r.batch, toWeigh, func(row int, p P, chosen int) error {
			if !r.learns(r.batch, row) || splitmix.Share(l.Seed+2, game[row]<<16+int64(ply[row])) >= share {
				return nil
			}
			r.rate(p)
			r.add(data, p, r.moves, r.rates, r.sizes, r.before(r.batch, row))
			data.End(game[row], chosen)
			return nil
		})
		if err != nil {
			return err
		}
		return emit(data)
	}, func(data *clogit.Data[float32]) error {
		all.Append(data)
		return nil
	})
	return all, readers[0].names, err
}
