package split

import (
	"context"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/report/examples"
	"kifu/report/split/search"
)

// findExamples chooses positions of the shown splits: the values of most of them are wrong in the
// split's direction.
func (s *report) findExamples(ctx context.Context, p search.Params, in []*datasets.Dir) (err error) {
	for _, k := range listed(s.Shown()) {
		s.asks = append(s.asks, examples.Ask{Number: k.number(), Name: k.Condition.Name, Condition: k.Condition.SQL, More: k.Weight.Value > 0})
	}
	var games *datasets.Dir
	if len(in) > 1 {
		games = in[1]
	}
	s.game = board.Named(ctx, s.Source.Game)
	s.examples, err = examples.Find(ctx, in[0], games, s.Value, p.Workers, s.asks)
	return err
}
