package label

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// Choices requests the legal moves instead of the positions: choices/v1 instead of labels/v2. Each legal move
// has a row, valued and traced at the position after it.
//
// They are made by this stage because a choice is a label of the position after a move: the same
// evaluator, searches and packing. Positions are a sufficient input, because they have the move
// played. Games are not replayed, and transform's filters and samples apply to decisions too.
type Choices struct {
	// Alternatives is the number of moves besides the one played that a decision may have, sampled by
	// Seed; 0: all. A conditional logit on a uniform sample has the same limit as one on all
	// alternatives (McFadden 1978, "Modelling the choice of residential location", the uniform
	// conditioning property).
	Alternatives int    `json:"alternatives,omitempty"`
	Seed         uint64 `json:"seed,omitempty"`
}

// undrawn notes alternatives that are left out.
const undrawn = "alternatives not drawn"

// choicesRows is the smallest number of rows of a row group, except for the last one of a
// row group of positions.
const choicesRows = 1 << 15

// validateChoices returns an error for parameters that cannot be combined with choices.
func (p Params) validateChoices() error {
	switch {
	case p.Choices == nil:
		return nil
	case p.Choices.Alternatives < 0:
		return fmt.Errorf("%d alternatives: want a non-negative number", p.Choices.Alternatives)
	case len(p.Adjudicate) > 0 || p.Variations || p.Solve > 0 || p.Endings != nil || p.Rollouts != nil || p.Mate > 0 || p.Engine != nil:
		return errors.New("choices have only values and features: omit --adjudicate, --pv, --solve, --syzygy, --rollouts, --mate and --engine")
	}
	return nil
}

// choicesTable returns the table of choices made from positions.
func (pl *plan[P]) choicesTable(positions schemas.Table) (schemas.Table, error) {
	if positions.Index("occurrences") >= 0 {
		return schemas.Table{}, errors.New("distinct positions (transform --dedup) represent many games with many moves: choices need every position of a game")
	}
	return schemas.Choices(positions, pl.values), nil
}

// chooser makes the choices of row groups of positions, one after the other.
type chooser[P games.Position[P]] struct {
	*worker[P]
	games.Decider[P]
	Choices
	rows []int // indices of the moves that are written
	text []byte
}

func newChooser[P games.Position[P]](pl *plan[P], p Choices) *chooser[P] {
	return &chooser[P]{worker: newWorker(pl), Decider: games.Decider[P]{Rules: pl.game.Rules}, Choices: p}
}

// label returns a datasets.MapFunc.
func (c *chooser[P]) label(in, out *columns.Batch) (counts manifest.Counts, err error) {
	counts.Read = int64(in.Rows)
	boards, played := in.Col("board"), in.Col("move")
	if boards == nil || played == nil {
		return counts, errors.New("positions without a board or move column")
	}
	w := choiceColumns(c.worker, in, out)
	for i := range in.Rows {
		if err := c.stopped(); err != nil {
			return counts, err
		}
		if i%progressRows == progressRows-1 {
			in.Seen(progressRows)
		}
		p, chosen, reason, err := c.Decide(boards.Value(i), played.Value(i))
		if err != nil {
			return counts, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		if reason != "" {
			counts.Reject(reason, 1)
			continue
		}
		c.sample(in.Col("game_id").Int64[i], in.Col("ply").Int32[i], chosen)
		if n := len(c.Moves) - len(c.rows); n > 0 {
			counts.Note(undrawn, int64(n))
		}
		for _, j := range c.rows {
			w.copy(i)
			w.move.AppendBytes(c.game.Rules.AppendCoordinates(c.text[:0], p, c.Moves[j]))
			w.played.AppendBool(j == chosen)
			w.legal.AppendInt32(int32(len(c.Moves)))
			c.trace(c.search(p.Play(c.Moves[j]), &w.output))
			w.phase.AppendInt32(int32(c.phase))
			w.features.AppendBytes(c.bytes)
			out.Rows++
		}
		counts.Written += int64(len(c.rows))
		if out.Rows >= choicesRows {
			if err := out.Flush(); err != nil {
				return counts, err
			}
		}
	}
	return counts, nil
}

// sample fills rows with the move played and the alternatives, ascending.
func (c *chooser[P]) sample(game int64, ply int32, chosen int) {
	c.rows = c.rows[:0]
	for j := range c.Moves {
		if j != chosen {
			c.rows = append(c.rows, j)
		}
	}
	if n := c.Alternatives; n > 0 && len(c.rows) > n {
		next := func(z uint64) uint64 { return splitmix.Mix(z + splitmix.Golden) }
		at := next(c.Seed ^ next(uint64(game)<<20^uint64(ply)+1))
		rank := func(j int) uint64 { return next(at + uint64(j)) }
		slices.SortFunc(c.rows, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
		c.rows = c.rows[:n]
	}
	c.rows = append(c.rows, chosen)
	slices.Sort(c.rows)
}

// choiceWriter writes the columns of choices: those copied from the position and those
// computed.
type choiceWriter[P games.Position[P]] struct {
	output[P]
	from, to            []*columns.Vec
	move, played, legal *columns.Vec
}

func choiceColumns[P games.Position[P]](w *worker[P], in, out *columns.Batch) (c choiceWriter[P]) {
	c.move, c.played, c.legal = out.Col("move"), out.Col("played"), out.Col("legal_moves")
	c.phase, c.features = out.Col("leaf_phase"), out.Col("features")
	c.variations = newVariations(w.game.Rules, out, w.values)
	for i := range out.Cols {
		v := &out.Cols[i]
		switch name := v.Column.Name; {
		case v == c.move, v == c.legal:
		case slices.Contains(w.values, name):
			if name == w.values[0] {
				c.values = out.Cols[i:][:len(w.values)]
			}
		case in.Col(name) != nil:
			c.from, c.to = append(c.from, in.Col(name)), append(c.to, v)
		}
	}
	return c
}

// copy copies the columns of the decision from row i.
func (c *choiceWriter[P]) copy(i int) {
	for k, v := range c.to {
		v.AppendFrom(c.from[k], i)
	}
}
