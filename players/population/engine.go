package population

import (
	"context"
	"math"
	"slices"
	"strings"

	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/search/engine"
)

// Engine is a program whose moves are compared with the model's.
type Engine struct {
	Name      string          `json:"name"`    // in the tables
	Program   string          `json:"program"` // the name that it reports
	Arguments []string        `json:"arguments,omitempty"`
	Options   []engine.Option `json:"options,omitempty"`
	engine.Limits
	Start func(ctx context.Context) (engine.Engine, error) `json:"-"`
}

// ask has the engines choose a move in each decision of the test.
func (l *learner[P]) ask(ctx context.Context, all []guessed) error {
	for i := range l.Engines {
		if err := l.askOne(ctx, &l.Engines[i], all); err != nil {
			return err
		}
	}
	return nil
}

func (l *learner[P]) askOne(ctx context.Context, e *Engine, all []guessed) error {
	bar := progress.Start(ctx, e.Name, int64(len(all)), "decisions")
	defer bar.Done()
	pool := make([]*engine.Keeper, l.workers)
	for w := range pool {
		pool[w] = engine.Keep(e.Start)
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

// leastChance is the chance of a move that an engine's policy rounds to 0, or leaves out.
const leastChance = 0.00005

// first returns an engine's guess. Its move ranks first, and the others by its policy. Without a policy the others are
// as likely, and it has no chances.
func (l *learner[P]) first(ctx context.Context, k *engine.Keeper, d *decision[P]) (guess, error) {
	if err := k.NewGame(ctx); err != nil {
		return guess{}, err
	}
	var told []string
	rules, p := l.game.Rules, d.line.start
	for _, m := range d.line.moves[:d.ply] {
		told = append(told, string(rules.AppendCoordinates(nil, p, m)))
		p = p.Play(m)
	}
	a, err := k.Move(ctx, string(rules.AppendPosition(nil, d.line.start)), told)
	if err != nil {
		return guess{}, err
	}
	moves := p.AppendMoves(nil)
	named := func(text string) int { // a program may write castling as in Chess960
		i := slices.IndexFunc(moves, func(m games.Move) bool {
			return strings.EqualFold(string(rules.AppendCoordinates(nil, p, m)), text)
		})
		if i < 0 {
			if m, err := rules.ParseMove(p, []byte(text)); err == nil {
				i = slices.Index(moves, m)
			}
		}
		return i
	}
	values, log := make([]float64, len(moves)), math.NaN()
	if a.Policy != nil {
		for i := range values {
			values[i] = leastChance
		}
		for text, chance := range a.Policy {
			if i := named(text); i >= 0 {
				values[i] = max(chance, leastChance)
			}
		}
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		log = math.Log(values[d.chosen] / sum)
	}
	if i := named(a.Best); i >= 0 {
		values[i] = 2 // above every chance
	}
	return order(values, d.chosen, log), nil
}
