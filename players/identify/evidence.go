package identify

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"kifu/datasets"
	"kifu/games"
	"kifu/internal/progress"
	"kifu/internal/splitmix"
	"kifu/players/decide"
	"kifu/search"
)

// question is a decision that the candidates' strategies are evaluated on.
type question[P games.Position[P]] struct {
	seat     *seat
	position P
	chosen   int
	rank     uint64
}

// replay replays the games with evidence: the tree's is summed, and decisions for the
// strategies are sampled.
func (f *finder[P]) replay(ctx context.Context, known, asked *datasets.Dir) error {
	for _, s := range f.seats {
		s.models = make([]float64, len(f.Library))
		for i := range s.trees {
			s.trees[i] = make([]float64, len(f.Library))
		}
	}
	each := func(in *datasets.Dir, of map[int64][]*seat, uses ...use) error {
		r := decide.Reader[P]{Rules: f.game.Rules, In: in, Workers: f.workers}
		return r.Each(ctx, "decisions", f.wants(of, uses...), func(g *decide.Replayed[P]) {
			if g.Err != nil {
				f.counts.Reject(string(games.ReasonOf(g.Err)), 1)
				return
			}
			for _, s := range of[g.ID] {
				if s.use != toTree {
					f.ask(s, g)
				}
			}
		})
	}
	if err := each(known, f.known, toFit, toTest); err != nil {
		return err
	}
	if f.asked != nil {
		if err := each(asked, f.asked, toGuess); err != nil {
			return err
		}
	}
	f.counts.Written = int64(len(f.questions))
	if len(f.questions) == 0 {
		return errors.New("no decision is left: all moves were forced or outside the plies")
	}
	return nil
}

// ask takes the evidence of one seat.
func (f *finder[P]) ask(s *seat, g *decide.Replayed[P]) {
	var own []question[P]
	g.Decisions(s.side, f.SkipPlies, f.MaxPly, func(ply int, p P, legal []games.Move, chosen int) {
		if ply < treePlies {
			f.tree.judge(s, p.Hash(), decide.Key(p, g.Moves[ply]), len(legal))
		}
		own = append(own, question[P]{seat: s, position: p, chosen: chosen,
			rank: splitmix.Mix(f.Seed ^ splitmix.Mix(uint64(g.ID)<<16^uint64(ply)+1))})
	})
	if len(own) > f.Decisions {
		slices.SortFunc(own, func(a, b question[P]) int { return cmp.Compare(a.rank, b.rank) })
		own = own[:f.Decisions]
	}
	s.decisions = len(own)
	f.questions = append(f.questions, own...)
}

// value has the strategies of the library choose in all decisions.
func (f *finder[P]) value(ctx context.Context) error {
	bar := progress.Start(ctx, "search", int64(len(f.questions)*len(f.Library)), "positions")
	defer bar.Done()
	logs := make([]float64, len(f.questions))
	for k, c := range f.Library {
		values := decide.Values[P]
		if c.Quiescence {
			values = decide.QuietValues[P]
		}
		if err := decide.Search(ctx, f.game, c.Eval, f.workers, len(f.questions), func(s *search.Searcher[P], i int) {
			q := &f.questions[i]
			of := values(s, q.position, c.Depth)[c.Depth-1]
			logs[i] = decide.LogChance(of, q.chosen, max(c.Temperature, decide.LeastTemperature), max(c.Lapse, decide.LeastLapse))
		}, func(n int) { bar.Add(int64(n)) }); err != nil {
			return err
		}
		for i, l := range logs {
			f.questions[i].seat.models[k] += l
		}
	}
	return nil
}
