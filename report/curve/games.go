package curve

import (
	"context"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// known is who played the games of a dataset, once it was read.
type known struct {
	games *datasets.Dir
	names *dyads.Names
	index *bygame.Index
	of    *dyads.Clusters // by rows of games; those without labels or names are in none
	who   sheet.Known
}

// clusters reads who played the games that have labels.
func (s *reading) clusters(ctx context.Context, workers int) error {
	who, err := bygame.PlayersOf(ctx, s.known.games, workers, "curve: games", s.known.names)
	if err != nil {
		return err
	}
	labelled := make([]bool, s.known.games.Rows())
	batches := datasets.Batches(s.dir.Table, workers, "game_id")
	err = datasets.Each(ctx, s.dir, workers, "curve: read", "positions", func(worker int, g datasets.Group, emit func([]int64) error) error {
		if err := g.Read(batches[worker]); err != nil {
			return err
		}
		var rows []int64
		for i, ids := 0, batches[worker].Cols[0].Int64; i < len(ids); i++ {
			if i == 0 || ids[i] != ids[i-1] {
				rows = append(rows, who.Row(ids[i]))
			}
		}
		return emit(rows)
	}, func(rows []int64) error {
		for _, row := range rows {
			if row >= 0 {
				labelled[row] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	pairs := who.Pairs
	for row, is := range labelled {
		if !is {
			pairs[row] = dyads.Nobody
		}
	}
	of := dyads.Of(pairs)
	for row, pair := range pairs {
		if pair.A < 0 {
			of.Own[row] = 0
		}
	}
	s.known.index, s.known.of, s.known.who = who.Index, of, sheet.KnownOf(of, s.known.names)
	return nil
}
