package learn

import (
	"context"

	"kifu/eval"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/players/decide"
	"kifu/search"
)

// value computes the values of the decisions, and with calm also the values of the test of fit. A position that was decided more than once is
// searched once; a search to the greatest depth gives the values of all depths. The positions are
// counted by w or, without it, by a bar of their own.
func value[P games.Position[P]](ctx context.Context, g eval.Game[P], p Params, calm bool, workers int, decisions []decision[P], w *work) error {
	first, distinct := distinct(decisions)
	var bar *progress.Bar
	if w == nil {
		bar = progress.Start(ctx, "search", int64(len(distinct)), "positions")
	}
	defer bar.Done()
	err := decide.Search(ctx, g, p.Eval, workers, len(distinct), func(s *search.Searcher[P], i int) {
		d := &decisions[distinct[i]]
		d.values = decide.Values(s, d.position, p.MaxDepth)
		switch {
		case p.Quiescence:
			d.quiet = decide.QuietValues(s, d.position, p.MaxDepth)
		case calm:
			d.calm = decide.QuietValues(s, d.position, 1)[0]
		}
		bar.Add(1)
	}, w.searched)
	for i := range decisions {
		of := &decisions[first[i]]
		decisions[i].values, decisions[i].quiet, decisions[i].calm = of.values, of.quiet, of.calm
	}
	return err
}
