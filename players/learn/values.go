package learn

import (
	"context"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/search"
)

// positionsATask is the number of positions that a worker values as one task.
const positionsATask = 8

// value computes the values of the decisions. A position that was decided more than once is
// searched once; a search to the greatest depth gives the values of all depths. The positions are
// counted by w or, without it, by a bar of their own.
func value[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, workers int, decisions []decision[P], w *work) error {
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
			decisions[i].values = moveValues(searchers[worker], decisions[i].position, p.MaxDepth)
			if p.Quiescence {
				decisions[i].quiet = quietValues(searchers[worker], decisions[i].position, p.MaxDepth)
			}
			bar.Add(1)
		}
		return emit(len(of))
	}, func(n int) error {
		w.searched(n)
		return nil
	})
	for i := range decisions {
		decisions[i].values, decisions[i].quiet = decisions[first[i]].values, decisions[first[i]].quiet
	}
	return err
}

// moveValues returns the values of the legal moves of p for its side to move, by look-ahead
// less one.
func moveValues[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	values := make([][]int32, deepest)
	for d := range values {
		values[d] = make([]int32, len(moves))
	}
	s.Alternatives(p, deepest, 1, func(d, i int, r search.Result[P]) { values[d-1][i] = r.Value * sign })
	return values
}

// quietValues returns the same by searches with quiescence at their leaves.
func quietValues[P games.Position[P]](s *search.Searcher[P], p P, deepest int) [][]int32 {
	moves, sign := p.AppendMoves(nil), p.ToMove().Sign()
	values := make([][]int32, deepest)
	for d := range values {
		values[d] = make([]int32, len(moves))
	}
	for i, m := range moves {
		next := p.Play(m)
		values[0][i] = s.Depth(next, 0).Value * sign
		if deepest > 1 {
			s.Deepen(next, deepest-1, func(d int, r search.Result[P]) { values[d][i] = r.Value * sign })
		}
	}
	return values
}
