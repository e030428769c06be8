package population

import (
	"context"
	"math"
	"strings"

	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/search/engine"
)

// Engine is a program whose first move is compared with the model's.
type Engine struct {
	Name    string   `json:"name"`
	Options []string `json:"options,omitempty"`
	engine.Limits
	Start func(ctx context.Context) (engine.Engine, error) `json:"-"`
}

// ask has the engine choose a move in each decision of the test.
func (l *learner[P]) ask(ctx context.Context, all []guessed) error {
	if l.Engine == nil {
		return nil
	}
	bar := progress.Start(ctx, "engine", int64(len(all)), "decisions")
	defer bar.Done()
	pool := make([]*engine.Keeper, l.workers)
	for w := range pool {
		pool[w] = engine.Keep(l.Engine.Start)
		defer pool[w].Close()
	}
	next := 0
	return ordered.Run(ctx, (len(all)+piece-1)/piece, l.workers, func(worker, task int, emit func([]guess) error) error {
		var some []guess
		for i := task * piece; i < min(len(all), (task+1)*piece); i++ {
			g, err := l.first(ctx, pool[worker], &l.tested[i])
			if err != nil {
				return err
			}
			some = append(some, g)
			bar.Add(1)
		}
		return emit(some)
	}, func(some []guess) error {
		for _, g := range some {
			all[next].by = append(all[next].by, g)
			next++
		}
		return nil
	})
}

// first returns the guess of an engine that names one move; it has no chances.
func (l *learner[P]) first(ctx context.Context, k *engine.Keeper, d *decision[P]) (guess, error) {
	rules := l.game.Rules
	if err := k.NewGame(ctx); err != nil {
		return guess{}, err
	}
	v, err := k.Search(ctx, string(rules.AppendPosition(nil, d.position)))
	if err != nil {
		return guess{}, err
	}
	moves := d.position.AppendMoves(nil)
	if strings.EqualFold(string(rules.AppendCoordinates(nil, d.position, moves[d.chosen])), v.Best) {
		return guess{math.NaN(), 0, 1}, nil
	}
	return guess{math.NaN(), 1, len(moves) - 1}, nil // the others are as likely
}
