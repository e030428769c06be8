package evolve

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	"kifu/games"
	"kifu/search"
)

// pairing is a game to be played: the indices in the population of the first mover and the
// other player.
type pairing [2]int

// pairings returns the games of one generation.
func (p Params) pairings(rng *rand.Rand) []pairing {
	var all []pairing
	for i := range p.Population {
		if p.RoundRobin {
			for j := range p.Population {
				if j != i {
					all = append(all, pairing{i, j})
				}
			}
			continue
		}
		for range p.Games {
			j := rng.IntN(p.Population - 1)
			if j >= i {
				j++
			}
			all = append(all, pairing{i, j})
		}
	}
	return all
}

// gamesAGeneration returns the number of pairings.
func (p Params) gamesAGeneration() int {
	if p.RoundRobin {
		return p.Population * (p.Population - 1)
	}
	return p.Population * p.Games
}

// table is the state of one worker that plays.
type table[P games.Position[P]] struct {
	*run[P]
	replay  games.Replay[P]
	players map[int]*search.Searcher[P] // by strategy
	seen    []uint64
	best    []games.Move
}

// seat makes the players of a population and releases the others.
func (t *table[P]) seat(population []*individual) error {
	stays := map[int]bool{}
	for _, s := range population {
		stays[s.id] = true
		if err := t.welcome(s); err != nil {
			return err
		}
	}
	maps.DeleteFunc(t.players, func(id int, _ *search.Searcher[P]) bool { return !stays[id] })
	return nil
}

// welcome makes the player of a strategy unless it exists.
func (t *table[P]) welcome(s *individual) error {
	if t.players[s.id] != nil {
		return nil
	}
	e, err := t.game.NewEvaluator(t.encoding.modelOf(s))
	if err == nil {
		t.players[s.id] = search.New(e)
	}
	return err
}

// play plays one game and returns its outcome and number of plies.
func (t *table[P]) play(ctx context.Context, sides [2]*individual, rng *rand.Rand) (games.Outcome, int, error) {
	t.replay.Reset(t.start)
	t.seen = append(t.seen[:0], t.start.Hash())
	repeats := func(hash uint64) bool { return slices.Contains(t.seen, hash) }
	for plies := 0; ; plies++ {
		if o, _ := t.replay.Outcome(); o != games.Undecided {
			return o, plies, nil
		}
		if plies == t.MaxPlies {
			return games.Drawn, plies, nil
		}
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		p := t.replay.Position()
		t.best, _ = t.players[sides[p.ToMove()].id].Best(p, t.Depth, repeats, t.best[:0])
		slices.Sort(t.best)
		t.replay.Play(t.best[rng.IntN(len(t.best))])
		t.seen = append(t.seen, t.replay.Position().Hash())
	}
}
