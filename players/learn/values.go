package learn

import (
	"context"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/players/decide"
	"kifu/search"
)

// positionsATask is the number of positions that a worker values as one task.
const positionsATask = 8

// value computes the values of the decisions, and with calm also the values of the test of fit. A position that was decided more than once is
// searched once; a search to the greatest depth gives the values of all depths. The positions are
// counted by w or, without it, by a bar of their own.
func value[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, calm bool, workers int, decisions []decision[P], w *work) error {
	first, distinct := distinct(decisions)
	searchers := make([]*search.Searcher[P], workers)
	for i := range searchers {
		e, err := g.NewEvaluator(p.Eval)
		if err != nil {
			return err
		}
		searchers[i] = search.New(e)
	}
	var bar *progress.Bar
	if w == nil {
		bar = progress.Start(ctx, "search", int64(len(distinct)), "positions")
	}
	defer bar.Done()
	tasks := (len(distinct) + positionsATask - 1) / positionsATask
	err := ordered.Run(ctx, tasks, workers, func(worker, task int, emit func(int) error) error {
		of := distinct[task*positionsATask : min(len(distinct), (task+1)*positionsATask)]
		for _, i := range of {
			if err := ctx.Err(); err != nil {
				return err
			}
			decisions[i].values = decide.Values(searchers[worker], decisions[i].position, p.MaxDepth)
			switch {
			case p.Quiescence:
				decisions[i].quiet = decide.QuietValues(searchers[worker], decisions[i].position, p.MaxDepth)
			case calm:
				decisions[i].calm = decide.QuietValues(searchers[worker], decisions[i].position, 1)[0]
			}
			bar.Add(1)
		}
		return emit(len(of))
	}, func(n int) error {
		w.searched(n)
		return nil
	})
	for i := range decisions {
		of := &decisions[first[i]]
		decisions[i].values, decisions[i].quiet, decisions[i].calm = of.values, of.quiet, of.calm
	}
	return err
}
