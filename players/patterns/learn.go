package patterns

import (
	"context"
	"errors"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/players/shapes"
)

// learner holds what all workers share.
type learner[P games.Position[P]] struct {
	Params
	rules   games.Rules[P]
	of      games.Patterns[P]
	in      *datasets.Dir
	workers int

	copies *bygame.Copies // of a game, which are held out with it
	counts *shapes.Counts
}

// reader iterates over the decisions of row groups.
type reader[P games.Position[P]] struct {
	*learner[P]
	games.Decider[P]
	batch *columns.Batch
}

// readColumns are those that a reader reads.
var readColumns = []string{"game_id", "ply", "first_to_move", "move", "board", "result", "first_elo", "second_elo", "phase"}

func (l *learner[P]) reader() *reader[P] {
	return &reader[P]{learner: l, Decider: games.Decider[P]{Rules: l.rules}, batch: columns.NewBatch(l.in.Table, readColumns...)}
}

// held reports whether the moves of a game are predicted.
func (l *learner[P]) held(game int64) bool { return l.copies.Held(game, l.Holdout, l.Seed) }

// eachDecision calls f for the decisions of a row group in games that are held out or not, with the index of
// the move played in moves.
func (r *reader[P]) eachDecision(b *columns.Batch, held bool, f func(row int, p P, chosen int) error) (counts manifest.Counts, err error) {
	boards, played, game := b.Col("board"), b.Col("move"), b.Col("game_id")
	for i := range b.Rows {
		if r.held(game.Int64[i]) != held {
			continue
		}
		counts.Read++
		p, chosen, reason, err := r.Decide(boards.Value(i), played.Value(i))
		if err != nil {
			return counts, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		if reason != "" {
			counts.Reject(reason, 1)
			continue
		}
		if err := f(i, p, chosen); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// learns reports whether the decision of row i is used for learning.
func (r *reader[P]) learns(b *columns.Batch, i int) bool {
	if r.MinElo == 0 {
		return true
	}
	elo := b.Col("second_elo")
	if b.Col("first_to_move").Bool[i] {
		elo = b.Col("first_elo")
	}
	return !elo.IsNull(i) && elo.Int32[i] >= int32(r.MinElo)
}

// train calls f for the decisions to learn from, on all workers. The totals that f adds to
// must not depend on the order.
func (l *learner[P]) train(ctx context.Context, title string, f func(worker int, r *reader[P], p P, chosen int)) error {
	readers := lists.N(l.workers, func(int) *reader[P] { return l.reader() })
	return datasets.Each(ctx, l.in, l.workers, title, "positions", func(worker int, g datasets.Group, _ func(int) error) error {
		r := readers[worker]
		r.batch.Reset()
		if err := g.Read(r.batch); err != nil {
			return err
		}
		_, err := r.eachDecision(r.batch, false, func(row int, p P, chosen int) error {
			if r.learns(r.batch, row) {
				f(worker, r, p, chosen)
			}
			return nil
		})
		return err
	}, nil)
}

// learn counts the patterns.
func (l *learner[P]) learn(ctx context.Context) error {
	c := shapes.NewCounter(l.of, l.MaxSize, l.workers)
	if err := l.train(ctx, "count played", func(worker int, r *reader[P], p P, chosen int) { c.Played(worker, p, r.Moves, chosen) }); err != nil {
		return err
	}
	if c.Keep(l.MinPlayed); c.Decisions == 0 {
		if l.MinElo > 0 {
			return fmt.Errorf("no move to learn from: no player rated %d or more moves outside held-out games", l.MinElo)
		}
		return errors.New("no move to learn from: all positions have no move or are in held-out games")
	}
	err := l.train(ctx, "count available", func(worker int, r *reader[P], p P, _ int) { c.Available(worker, p, r.Moves) })
	l.counts = c.Done()
	return err
}
