package population

import (
	"context"
	"errors"
	"math"
	"slices"

	"kifu/games"
	"kifu/internal/clogit"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/splitmix"
	"kifu/players/choose"
	"kifu/players/shapes"
)

// quantiles are the shares of the decisions rated below the knots of ratings.
var quantiles = []float64{0.1, 0.5, 0.9}

// begin counts the decisions of each use, and sets what the model needs to describe them.
func (l *learner[P]) begin(ctx context.Context) error {
	counts, ratings, clocks := make([][uses]int64, l.workers), make([][1 << 13]int64, l.workers), make([]bool, l.workers)
	legal := make([]int64, l.workers)
	if _, err := l.all(ctx, "count decisions", func(worker int, moves []games.Move, d *decision[P]) bool {
		counts[worker][d.use]++
		if d.use == toCount {
			legal[worker] += int64(min(len(moves), mostOf))
		}
		if d.use == toWeigh {
			clocks[worker] = clocks[worker] || d.at.Clock >= 0
			ratings[worker][min(max(int(d.at.Rating), 0), 1<<13-1)]++
		}
		return false
	}); err != nil {
		return err
	}
	var rated [1 << 13]int64
	for w := range l.workers {
		l.legal += legal[w]
		for u, n := range counts[w] {
			l.total[u] += n
		}
		for r, n := range ratings[w] {
			rated[r] += n
		}
	}
	switch {
	case l.total[toWeigh] == 0 && l.MinElo+l.MaxElo > 0:
		return errors.New("no move to fit to: no player to learn from has a rating within --min-elo and --max-elo")
	case l.total[toWeigh] == 0:
		return errors.New("no move to fit to: give more games, a smaller --holdout, or a later --test-from")
	case l.total[toTest] == 0 && l.TestFrom == "" && len(l.Player) == 0:
		return errors.New("no move to test on: --holdout draws players, and none of these was drawn. Give games of more players, or a larger --holdout")
	case l.total[toTest] == 0:
		return errors.New("no move to test on: give more games, a larger --holdout, or an earlier --test-from")
	case l.shapes != nil && l.total[toCount] == 0:
		return errors.New("no move to count shapes in: give more games, or --shapes 0")
	}
	if l.Prior != nil {
		l.model = *l.Prior
		return nil
	}
	l.model = choose.Model{Game: l.game.Rules.Name(), Depth: l.Depth, Ratings: knots(rated[:]), Clocks: slices.Contains(clocks, true), Eval: l.Eval}
	of := l.game.Default().Knots
	if len(of) > 1 {
		l.model.Phases = [2]float64{float64(of[0]), float64(of[len(of)-1])}
	}
	return nil
}

// knots returns ratings at the quantiles, in hundreds; none where fewer than two differ. rated counts decisions by rating, 0 for
// none.
func knots(rated []int64) (at []float64) {
	total, below := int64(0), int64(0)
	for _, n := range rated[1:] {
		total += n
	}
	for r, n := range rated {
		if r > 0 {
			below += n
		}
		for total > 0 && len(at) < len(quantiles) && float64(below) >= quantiles[len(at)]*float64(total) {
			at = append(at, 100*math.Round(float64(r)/100))
		}
	}
	if at = slices.Compact(at); len(at) < 2 {
		return nil
	}
	return at
}

// Shapes are weighed by about mostMoves moves at most, four bytes each, and by about mostOf of a decision: the one played and a sample of the
// others, which leaves the estimate consistent (McFadden, "Modelling the Choice of Residential Location", 1978, section 6). So a game with many
// legal moves gives more decisions.
const mostMoves, mostOf = 1 << 26, 100

// count takes samples of the decisions to fit to and to test on, and weighs shapes by others.
func (l *learner[P]) count(ctx context.Context) error {
	share := [uses]float64{toWeigh: float64(l.Decisions) / float64(l.total[toWeigh]), toTest: float64(l.Tested) / float64(l.total[toTest])}
	var counter *shapes.Counter[P]
	if l.shapes != nil {
		counter = shapes.NewCounter(l.shapes, 0, l.workers)
		share[toCount] = mostMoves / float64(l.legal)
	}
	kept, err := l.all(ctx, "replay", func(worker int, moves []games.Move, d *decision[P]) bool {
		if d.use == toCount && counter != nil {
			counter.Played(worker, d.position, moves, d.chosen)
		}
		return splitmix.Share(l.Seed+2, d.game<<16+int64(d.ply)) < share[d.use]
	})
	if err != nil {
		return err
	}
	to := [uses]*[]decision[P]{toCount: &l.counted, toWeigh: &l.fitted, toTest: &l.tested}
	for _, d := range kept {
		*to[d.use] = append(*to[d.use], d)
	}
	if counter == nil {
		return nil
	}
	counter.Keep(l.MinPlayed)
	return l.strengths(ctx, counter)
}

// strengths weighs the shapes that were counted.
func (l *learner[P]) strengths(ctx context.Context, counter *shapes.Counter[P]) error {
	all := new(shapes.Choices)
	none := func() (struct{}, error) { return struct{}{}, nil }
	err := rows(ctx, l, "shapes", l.counted, none, func(_ struct{}, some []decision[P]) (*shapes.Choices, error) {
		c := new(shapes.Choices)
		for i := range some {
			d := &some[i]
			moves, chosen := sampled(d.position.AppendMoves(nil), d.chosen, splitmix.Hash(l.Seed+3, d.game<<16+int64(d.ply)))
			counter.Choice(c, d.position, moves, chosen)
		}
		return c, ctx.Err()
	}, func(c *shapes.Choices) error {
		all.Append(c)
		return nil
	})
	if err != nil {
		return err
	}
	l.counted = nil
	bar := progress.Start(ctx, "weigh shapes", 0, "passes")
	defer bar.Done()
	l.model.Shapes, err = counter.Weigh(all, l.workers, func() error { bar.Add(1); return ctx.Err() })
	return err
}

// sampled keeps the move played and about mostOf of the others, in their order.
func sampled(moves []games.Move, chosen int, seed uint64) ([]games.Move, int) {
	share, n, at := mostOf/float64(len(moves)), 0, 0
	for i, m := range moves {
		if i == chosen {
			at = n
		} else if splitmix.Share(seed, int64(i)) >= share {
			continue
		}
		moves[n] = m
		n++
	}
	return moves[:n], at
}

// piece is how many decisions one worker makes the rows of at once.
const piece = 64

// rows makes something of decisions and hands it on in their order; each worker has a maker of its own.
func rows[P games.Position[P], M, T any](ctx context.Context, l *learner[P], title string, of []decision[P], maker func() (M, error), do func(m M, some []decision[P]) (T, error), take func(T) error) error {
	makers := make([]M, l.workers)
	for w := range makers {
		var err error
		if makers[w], err = maker(); err != nil {
			return err
		}
	}
	bar := progress.Start(ctx, title, int64(len(of)), "decisions")
	defer bar.Done()
	return ordered.Run(ctx, (len(of)+piece-1)/piece, l.workers, func(worker, task int, emit func(T) error) error {
		some := of[task*piece : min(len(of), (task+1)*piece)]
		made, err := do(makers[worker], some)
		if err != nil {
			return err
		}
		bar.Add(int64(len(some)))
		return emit(made)
	}, take)
}

// gathered are rows of decisions: of the model, and of each value alone.
type gathered struct {
	all   *clogit.Data[float32]
	looks []*clogit.Data[float32]
}

func (l *learner[P]) gathered(r *choose.Rower[P]) gathered {
	g := gathered{all: clogit.NewIn[float32](len(r.Names), len(l.model.Contexts())).With(l.model.Pairs)}
	for range r.Looks() {
		g.looks = append(g.looks, clogit.New[float32](1))
	}
	return g
}

// add adds a decision.
func (g *gathered) add(m *choose.Model, r interface{ Look(int) []float64 }, of int64, chosen int, at choose.Situation) {
	g.all.EndIn(m.Context(nil, at), of, chosen)
	for look, d := range g.looks {
		for _, v := range r.Look(look) {
			d.Add(0, choose.Score(v))
			d.EndRow()
		}
		d.End(of, chosen)
	}
}

// weigh fits the weights.
func (l *learner[P]) weigh(ctx context.Context) error {
	rower := func() (*choose.Rower[P], error) {
		return choose.NewRower(l.game, l.model.Eval, l.Depth, l.model.Shapes)
	}
	r, err := rower()
	if err != nil {
		return err
	}
	l.model.Features = r.Names
	var sum *gathered
	err = rows(ctx, l, "features", l.fitted, rower, func(r *choose.Rower[P], some []decision[P]) (gathered, error) {
		g := l.gathered(r)
		var moves []games.Move
		for i := range some {
			d := &some[i]
			moves = d.position.AppendMoves(moves[:0])
			r.Add(g.all, d.position, moves, d.before)
			g.add(&l.model, r, d.whose, d.chosen, d.at)
		}
		return g, ctx.Err()
	}, func(g gathered) error {
		if sum == nil {
			sum = &g
			return nil
		}
		sum.all.Append(g.all)
		for i, d := range g.looks {
			sum.looks[i].Append(d)
		}
		return nil
	})
	if err != nil {
		return err
	}
	bar := progress.Start(ctx, "fit", 0, "passes")
	defer bar.Done()
	step := func() error { bar.Add(1); return ctx.Err() }
	if l.Prior != nil {
		l.fit, err = l.near(sum.all, step)
	} else {
		l.fit, err = sum.all.FitWide(l.ridges(sum.all), l.workers, step)
	}
	if err != nil {
		return err
	}
	if l.Prior == nil {
		if l.model.Pairs, err = sum.all.LearnPairs(l.fit.Beta, l.Seed+3, l.workers, step); err != nil {
			return err
		}
	}
	if l.looks, err = lists.Try(sum.looks, func(d *clogit.Data[float32]) (*clogit.Fit, error) { return d.Fit(1e-3, l.workers) }); err != nil {
		return err
	}
	l.model.Weights = slices.Clone(l.fit.Beta)
	l.model.Round()
	return nil
}

// apart is how many times stronger the differences between situations are pulled to 0 than the weights that hold always.
const apart = 4

// ridges returns the prior: a pull of 1 is one unit of log-odds per standard deviation of a feature among the moves of a
// decision.
func (l *learner[P]) ridges(d *clogit.Data[float32]) []float64 {
	contexts := len(l.model.Contexts())
	var all []float64
	for _, s := range d.Squares() {
		for c := range contexts {
			ridge := max(l.Pull*s, 1e-6)
			if c > 0 {
				ridge *= apart
			}
			all = append(all, ridge)
		}
	}
	return all
}
