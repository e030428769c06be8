package evolve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"kifu/datasets"
	"kifu/datasets/journal"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/hands"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/splitmix"
)

// run is one running evolution.
type run[P games.Position[P]] struct {
	Params
	game     eval.Game[P]
	encoding *encoding
	start    P
	out      *datasets.Builder
	tables   []*table[P] // one a worker
	bar      *progress.Bar
}

// played holds the results of the games of a generation.
type played struct {
	Results []result `json:"results"` // by place in the population
	Plies   int64    `json:"plies"`
}

// result counts the games of one strategy in one generation.
type result struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

func (r result) games() int { return r.Wins + r.Draws + r.Losses }

// score returns the fitness.
func (r result) score() int { return r.Wins - 2*r.Losses }

func (r *result) count(o games.Outcome, side games.Side) {
	switch o {
	case games.WinFor(side):
		r.Wins++
	case games.WinFor(side.Other()):
		r.Losses++
	default:
		r.Draws++
	}
}

func (r *run[P]) run(ctx context.Context) error {
	r.bar = progress.Start(ctx, "evolve", int64(r.Generations*r.gamesAGeneration()), "games")
	defer r.bar.Done()
	h := history{Params: r.Params, game: r.game.Rules.Name(), weights: r.encoding.weights}
	population := lists.N(r.Population, func(i int) *individual { return r.encoding.first(i, splitmix.Stream(r.Seed, forStart, i)) })
	for g := range r.Generations {
		p, done, err := r.recall(g)
		if err == nil && !done {
			p, err = r.make(ctx, g, population)
		}
		if err != nil {
			return err
		}
		ranks := p.ranks(splitmix.Stream(r.Seed, forTies, g))
		h.add(population, ranks, p)
		if g < r.Generations-1 {
			population = r.breed(g+1, population, ranks)
		} else {
			h.best, h.model = population[ranks[0]], r.encoding.modelOf(population[ranks[0]])
		}
	}
	return h.writeTo(r.out)
}

// recall returns the results of generation g stored by a run that was interrupted after it.
func (r *run[P]) recall(g int) (p played, done bool, err error) {
	info, done := r.out.Done(g)
	if !done {
		return p, false, nil
	}
	if err = json.Unmarshal(info.State, &p); err != nil || len(p.Results) != r.Population {
		return p, false, fmt.Errorf("the results of generation %d are damaged (evolve again with --force): %v", g, err)
	}
	r.bar.Skip(int64(r.gamesAGeneration()))
	return p, true, nil
}

// make plays the games of generation g, of which it keeps each in a journal, and writes the generation.
func (r *run[P]) make(ctx context.Context, g int, population []*individual) (p played, err error) {
	k, err := journal.Of[int, finished](r.out.Journal(fmt.Sprintf("games-%d", g)))
	if err != nil {
		return p, err
	}
	if p, err = r.play(ctx, g, population, k); err == nil {
		err = r.write(g, population, p.ranks(splitmix.Stream(r.Seed, forTies, g)), p)
	}
	return p, k.End(err)
}

// play plays the games of generation g that are not kept.
func (r *run[P]) play(ctx context.Context, g int, population []*individual, k *journal.Values[int, finished]) (played, error) {
	p := played{Results: make([]result, len(population))}
	pairings, first := r.pairings(splitmix.Stream(r.Seed, forPairings, g)), g*r.gamesAGeneration()
	take := func(g finished) error {
		for side, place := range g.Pairing {
			p.Results[place].count(g.Outcome, games.Side(side))
		}
		p.Plies += int64(g.Plies)
		return nil
	}
	if h := hands.Of(ctx); h != nil {
		return p, r.ask(ctx, h, population, pairings, first, take)
	}
	for _, t := range r.tables {
		if err := t.seat(population); err != nil {
			return p, err
		}
	}
	err := ordered.Run(ctx, len(pairings), len(r.tables), func(worker, i int, emit func(finished) error) error {
		if g, played := k.Kept(i); played {
			r.bar.Skip(1)
			return emit(g)
		}
		pair := pairings[i]
		o, plies, err := r.tables[worker].play(ctx, [2]*individual{population[pair[0]], population[pair[1]]}, splitmix.Stream(r.Seed, forGames, first+i))
		if err != nil {
			return err
		}
		r.bar.Add(1)
		g := finished{pair, o, plies}
		return errors.Join(k.Keep(i, g), emit(g))
	}, take)
	return p, err
}

// ranks returns the indices into the population, best first; ties are broken by rng.
func (p played) ranks(rng *rand.Rand) []int {
	places := rng.Perm(len(p.Results))
	slices.SortStableFunc(places, func(a, b int) int { return p.Results[b].score() - p.Results[a].score() })
	return places
}

// breed returns the population of generation g: the better half of the previous one, and a
// child of each.
func (r *run[P]) breed(g int, population []*individual, ranks []int) []*individual {
	half := len(ranks) / 2
	next := lists.Of(ranks[:half], func(place int) *individual { return population[place] })
	for i, parent := range next {
		id := r.Population + (g-1)*half + i
		next = append(next, parent.child(id, g, splitmix.Stream(r.Seed, forChildren, id)))
	}
	return next
}

// Purposes of random numbers: each has a stream of its own.
const (
	forStart = iota + 1
	forPairings
	forGames
	forTies
	forChildren
)
