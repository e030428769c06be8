package population

import (
	"context"
	"hash/fnv"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/players/choose"
)

// use is the purpose of a decision.
type use uint8

const (
	toCount use = iota // shapes
	toWeigh            // the features
	toTest
	forNothing
	uses
)

// readColumns are those read from the games.
var readColumns = []string{"game_id", "first_player", "second_player", "first_elo", "second_elo", "date", "base_ms", "variant", "start_position", "moves", "clocks_ms", "result"}

// decision is a choice between at least two moves.
type decision[P any] struct {
	use      use
	game     int64
	ply      int
	whose    int64 // what decisions depend by: a hash of the player's name; of one player, the game
	at       choose.Situation
	ratings  [2]int16 // of both sides; 0: none
	result   games.Outcome
	position P
	chosen   int      // among the legal moves
	line     *line[P] // the game, for engines; nil without
	before   choose.Before
}

// line is the moves of a game.
type line[P any] struct {
	start P
	moves []games.Move
}

// reader iterates over the decisions of row groups.
type reader[P games.Position[P]] struct {
	*learner[P]
	rower    *choose.Rower[P]
	unroller *games.Unroller[P]
	batch    *columns.Batch
	moves    []games.Move
	columns  []int16
}

func (l *learner[P]) readers() (all []*reader[P], err error) {
	for range l.workers {
		r := &reader[P]{learner: l, unroller: games.NewUnroller(l.game.Rules), batch: columns.NewBatch(l.in.Table, readColumns...)}
		if r.rower, err = choose.NewRower(l.game, nil, 0, nil); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// useOf returns the use of the decisions that a player makes in a game; of one player, of a game.
func (l *learner[P]) useOf(b *columns.Batch, i int, whose int64) use {
	late := false
	if v := b.Col("date"); l.TestFrom != "" {
		late = !v.IsNull(i) && string(v.Value(i)) >= l.TestFrom
	}
	held := splitmix.Share(l.Seed, whose) < l.Holdout || l.named != nil && late
	switch {
	case held && (late || l.TestFrom == ""):
		return toTest
	case held || late:
		return forNothing
	case l.copies.Held(b.Col("game_id").Int64[i], l.Shapes, l.Seed+1):
		return toCount
	}
	return toWeigh
}

// playerOf returns a number for the name of a side's player, another one in every game for a player without a name.
func playerOf(b *columns.Batch, i, side int) int64 {
	h := fnv.New64a()
	v := b.Col(playerColumns[side])
	if v.IsNull(i) {
		return int64(splitmix.Mix(uint64(b.Col("game_id").Int64[i])<<1 + uint64(side)))
	}
	h.Write(v.Value(i))
	return int64(splitmix.Mix(h.Sum64()))
}

// playerColumns have the names of the players, by side.
var playerColumns = [2]string{"first_player", "second_player"}

// rated returns the rating of a side, 0 if it is not known, and whether MinElo and MaxElo admit it.
func (l *learner[P]) rated(b *columns.Batch, i, side int) (rating int16, asked bool) {
	v := b.Col([]string{"first_elo", "second_elo"}[side])
	if v.IsNull(i) {
		return 0, l.MinElo == 0 && l.MaxElo == 0
	}
	n := int(v.Int32[i])
	return int16(n), n >= l.MinElo && (l.MaxElo == 0 || n <= l.MaxElo)
}

// eachDecision calls f with the decisions of one game, whose moves are in r.moves.
func (r *reader[P]) eachDecision(b *columns.Batch, i int, f func(d *decision[P]) error) error {
	d := decision[P]{game: b.Col("game_id").Int64[i], before: choose.Nothing, result: games.OutcomeNamed(b.Col("result").Value(i))}
	var of [2]use
	var who [2]int64
	for side := range of {
		who[side], of[side] = playerOf(b, i, side), forNothing
		if r.named != nil {
			who[side] = r.copies.Head(d.game)
		}
		rating, asked := r.rated(b, i, side)
		if d.ratings[side] = rating; asked && (r.named == nil || r.named.Match(b.Col(playerColumns[side]).Value(i))) {
			of[side] = r.useOf(b, i, who[side])
		}
	}
	if of[0] == forNothing && of[1] == forNothing {
		return nil
	}
	start, err := r.unroller.Start(b.Col("variant").Value(i), b.Col("start_position").Value(i))
	if err != nil {
		return nil
	}
	if len(r.Engines) > 0 {
		d.line = &line[P]{start: start}
	}
	var failed error
	_, _ = r.unroller.Play(start, b.Col("moves").Value(i), func(p P, m games.Move) { // to where it replays
		side, clock := p.ToMove(), clockOf(b, i, d.ply)
		if of[side] != forNothing && failed == nil && d.ply >= r.SkipPlies && !(clock >= 0 && float64(clock) < 1000*r.MinClock) {
			r.moves = p.AppendMoves(r.moves[:0])
			r.columns = r.game.Rules.AppendColumns(r.columns[:0], p)
			d.use, d.position, d.whose, d.chosen = of[side], p, who[side], slices.Index(r.moves, m)
			d.at = choose.Situation{Rating: float64(d.ratings[side]), Clock: clock, Phase: r.columns[0]}
			if d.chosen >= 0 && len(r.moves) > 1 {
				failed = f(&d)
			}
		}
		d.before = r.rower.After(d.before, p, m)
		d.ply++
		if d.line != nil {
			d.line.moves = append(d.line.moves, m)
		}
	})
	return failed
}

// clockOf returns the time left before the move of a ply in milliseconds, -1 if it is not known.
func clockOf(b *columns.Batch, i, ply int) int32 {
	clocks, base := b.Col("clocks_ms"), b.Col("base_ms")
	if left, known := clocks.Item(i, ply-2); known {
		return left
	}
	if ply < 2 && !clocks.IsNull(i) && !base.IsNull(i) {
		return base.Int32[i]
	}
	return -1
}

// all calls f with the decisions that have a use, on all workers. What f adds up must not depend on the order. keep chooses
// those that are returned, in the order of the games.
func (l *learner[P]) all(ctx context.Context, title string, f func(worker int, moves []games.Move, d *decision[P]) (keep bool)) (kept []decision[P], err error) {
	readers, err := l.readers()
	if err != nil {
		return nil, err
	}
	err = datasets.Each(ctx, l.in, l.workers, title, "games", func(worker int, g datasets.Group, emit func([]decision[P]) error) error {
		r := readers[worker]
		if err := g.Read(r.batch); err != nil {
			return err
		}
		var some []decision[P]
		for i := range r.batch.Rows {
			if err := r.eachDecision(r.batch, i, func(d *decision[P]) error {
				if f(worker, r.moves, d) {
					some = append(some, *d)
				}
				return ctx.Err()
			}); err != nil {
				return err
			}
		}
		return emit(some)
	}, func(some []decision[P]) error {
		kept = append(kept, some...)
		return nil
	})
	return kept, err
}
