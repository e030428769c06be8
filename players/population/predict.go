package population

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/clogit"
	"kifu/players/choose"
)

// guess is how something predicted the move of a decision.
type guess struct {
	log    float64 // ln of the chance of the move played; NaN for an order of moves without chances
	better int     // moves held more likely
	equal  int     // moves held as likely, with the one played
}

// first returns the share of its first k moves that the move played is, where equal ones take their places in random order.
func (g guess) first(k int) float64 {
	return max(0, min(1, float64(k-g.better)/float64(g.equal)))
}

// guessed is a decision of the test with its predictors: the model; the model of others (for one player) or
// the model without pairs; a random legal move; each value alone; the engine.
type guessed struct {
	game    int64
	ply     int
	whose   int64
	rating  float64
	by      []guess
	chances []chance // of the model
}

// chance is a move's probability by the model, and whether it was played.
type chance struct {
	p      float64
	played bool
}

// order returns a guess by the values of the moves.
func order(values []float64, chosen int, log float64) guess {
	g := guess{log: log}
	for _, v := range values {
		if v > values[chosen] {
			g.better++
		}
		if v == values[chosen] {
			g.equal++
		}
	}
	return g
}

// predicted is a worker's result for some decisions.
type predicted struct {
	rows    *columns.Batch
	guesses []guessed
}

// predict writes a row for each decision of the test, and the tables.
func (l *learner[P]) predict(ctx context.Context, out *datasets.Builder) error {
	part, err := out.Part(0)
	if err != nil {
		return err
	}
	var all []guessed
	counts := manifest.Counts{Read: int64(len(l.tested))}
	err = rows(ctx, l, "predict", l.tested, func() (*choose.Predictor[P], error) { return choose.NewPredictor(l.game, &l.model) }, func(r *choose.Predictor[P], some []decision[P]) (predicted, error) {
		p := predicted{rows: columns.NewBatch(out.Table())}
		for i := range some {
			p.guesses = append(p.guesses, l.guess(r, &some[i], p.rows))
		}
		return p, ctx.Err()
	}, func(p predicted) error {
		all = append(all, p.guesses...)
		counts.Written += int64(p.rows.Rows)
		return part.Put(p.rows)
	})
	if err == nil {
		err = l.ask(ctx, all)
	}
	if err := part.End(err, counts, nil); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b guessed) int {
		return cmp.Or(cmp.Compare(a.whose, b.whose), cmp.Compare(a.game, b.game), cmp.Compare(a.ply, b.ply))
	})
	return l.write(all, out)
}

// guess predicts a decision and writes its row.
func (l *learner[P]) guess(r *choose.Predictor[P], d *decision[P], to *columns.Batch) guessed {
	moves := d.position.AppendMoves(nil)
	p := r.Chances(d.position, moves, d.before, d.at)
	g := guessed{game: d.game, ply: d.ply, whose: d.whose, rating: d.at.Rating}
	g.by = append(g.by, order(p, d.chosen, math.Log(p[d.chosen])))
	if l.Prior != nil {
		q := r.By(l.Prior)
		g.by = append(g.by, order(q, d.chosen, math.Log(q[d.chosen])))
	} else if l.model.Pairs != nil {
		q := r.By(&choose.Model{Weights: l.model.Weights})
		g.by = append(g.by, order(q, d.chosen, math.Log(q[d.chosen])))
	}
	g.by = append(g.by, guess{-math.Log(float64(len(moves))), 0, len(moves)})
	for look := range r.Looks() {
		one := clogit.New[float32](1)
		for _, v := range r.Look(look) {
			one.Add(0, choose.Score(v))
			one.EndRow()
		}
		one.End(0, d.chosen)
		log, _ := one.Chances(0, l.looks[look].Beta, nil)
		g.by = append(g.by, order(r.Look(look), d.chosen, log))
	}
	for i, x := range p {
		g.chances = append(g.chances, chance{x, i == d.chosen})
	}
	l.row(to, r, d, moves, g.by[0], p[d.chosen])
	return g
}

// row writes the row of a decision.
func (l *learner[P]) row(to *columns.Batch, r *choose.Predictor[P], d *decision[P], moves []games.Move, g guess, p float64) {
	to.Col("game_id").AppendInt64(d.game)
	to.Col("ply").AppendInt32(int32(d.ply))
	to.Col("first_to_move").AppendBool(d.position.ToMove() == games.First)
	to.Col("move").AppendBytes(l.game.Rules.AppendCoordinates(nil, d.position, moves[d.chosen]))
	to.Col("result").AppendText([]byte(d.result.String()))
	to.Col("first_elo").AppendInt32If(int32(d.ratings[0]), d.ratings[0] > 0)
	to.Col("second_elo").AppendInt32If(int32(d.ratings[1]), d.ratings[1] > 0)
	to.Col("phase").AppendInt32(int32(d.at.Phase))
	to.Col("legal_moves").AppendInt32(int32(len(moves)))
	to.Col("better").AppendInt32(int32(g.better))
	to.Col("equal").AppendInt32(int32(g.equal))
	to.Col("size").AppendInt32(int32(r.Shape(d.chosen)))
	to.Col("rate").AppendFloat32(float32(p))
	to.Col("probability").AppendFloat32(float32(p))
	to.Rows++
}
