package evolve

import (
	"context"
	"fmt"

	"kifu/games"
	"kifu/internal/hands"
	"kifu/internal/splitmix"
)

// askedGames is the number of games of one question: with as many strategies of a network as
// play them it has some 300 kB.
const askedGames = 4

// question is some games of a generation, and the strategies that play them.
type question struct {
	Players map[int]strategy // by place in the population
	Games   []pairing
	Numbers []int // of the games in the evolution, for their random numbers
}

// strategy holds what decides how an individual plays.
type strategy struct {
	ID      int
	Weights []float64
	King    float64
}

// finished is a game that was played.
type finished struct {
	Pairing pairing
	Outcome games.Outcome
	Plies   int
}

// ask has the games played by others.
func (r *run[P]) ask(ctx context.Context, h hands.Hands, population []*individual, pairings []pairing, first int, take func(finished) error) error {
	n := (len(pairings) + askedGames - 1) / askedGames
	return h.Ask(ctx, n, nil, func(i int) []byte {
		q := question{Players: map[int]strategy{}}
		for at := i * askedGames; at < min((i+1)*askedGames, len(pairings)); at++ {
			q.Games, q.Numbers = append(q.Games, pairings[at]), append(q.Numbers, first+at)
			for _, place := range pairings[at] {
				s := population[place]
				q.Players[place] = strategy{s.id, s.weights, s.king}
			}
		}
		text, err := hands.Pack(q)
		if err != nil {
			panic(err) // all of these have an encoding
		}
		return text
	}, func(_ int, answer []byte) error {
		var played []finished
		if err := hands.Unpack(answer, &played); err != nil {
			return fmt.Errorf("the answer of a worker: %w", err)
		}
		for _, g := range played {
			if err := take(g); err != nil {
				return err
			}
			r.bar.Add(1)
		}
		return nil
	})
}

// serve plays the requested games.
func (r *run[P]) serve(ctx context.Context, d hands.Desk) error {
	t := r.tables[0]
	return d.Serve(ctx, func(text []byte) ([]byte, error) {
		var q question
		if err := hands.Unpack(text, &q); err != nil {
			return nil, err
		}
		population := map[int]*individual{}
		for place, s := range q.Players {
			population[place] = &individual{id: s.ID, weights: s.Weights, king: s.King}
			if err := t.welcome(population[place]); err != nil {
				return nil, err
			}
		}
		var played []finished
		for i, pair := range q.Games {
			rng := splitmix.Stream(r.Seed, forGames, q.Numbers[i])
			o, plies, err := t.play(ctx, [2]*individual{population[pair[0]], population[pair[1]]}, rng)
			if err != nil {
				return nil, err
			}
			played = append(played, finished{pair, o, plies})
		}
		if len(t.players) > 2*r.Population { // else those that died long ago stay
			clear(t.players)
		}
		return hands.Pack(played)
	})
}
