package decide

import (
	"context"
	"slices"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/search"
)

// Decisions calls f with the moves of a side in which it had a choice, at plies Within first and end: the number of the
// chosen move among the legal ones, which f may use until it returns.
func (g *Replayed[P]) Decisions(side, first, end int, f func(ply int, p P, legal []games.Move, chosen int)) {
	var legal []games.Move
	for ply, p := range g.Positions {
		if int(p.ToMove()) != side || !Within(ply, first, end) {
			continue
		}
		legal = p.AppendMoves(legal[:0])
		if chosen := slices.Index(legal, g.Moves[ply]); chosen >= 0 && len(legal) > 1 {
			f(ply, p, legal, chosen)
		}
	}
}

// Search calls look with the numbers from 0 to n-1, on several workers, each with a searcher of its own that evaluates by m. It
// calls done with the numbers of positions that are done.
func Search[P games.Position[P]](ctx context.Context, g eval.Game[P], m *eval.Model, workers, n int, look func(s *search.Searcher[P], i int), done func(n int)) error {
	searchers := make([]*search.Searcher[P], workers)
	for i := range searchers {
		e, err := g.NewEvaluator(m)
		if err != nil {
			return err
		}
		searchers[i] = search.New(e)
	}
	return Divide(ctx, searchers, n, look, done)
}

// positionsATask is the number of positions that a worker searches as one task.
const positionsATask = 8

// Divide is Search by other workers.
func Divide[W any](ctx context.Context, workers []W, n int, look func(w W, i int), done func(n int)) error {
	tasks := (n + positionsATask - 1) / positionsATask
	return ordered.Run(ctx, tasks, len(workers), func(worker, task int, emit func(int) error) error {
		from, to := task*positionsATask, min(n, (task+1)*positionsATask)
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			look(workers[worker], i)
		}
		return emit(to - from)
	}, func(n int) error {
		done(n)
		return nil
	})
}
