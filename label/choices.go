package label

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// Choices asks for the moves that could be played instead of the positions themselves:
// choices/v1 in the place of labels/v2, a row for each legal move of a position, valued
// and traced at the position behind it.
//
// They are made here and not by a stage of their own because a choice is a label of the
// position behind a move: the same evaluator, searches and packing. Positions are
// enough, for they have the move that was played; games need not be replayed again, and
// what transform filters and samples holds for decisions too.
type Choices struct {
	// Alternatives is the number of moves beside the one played that a decision may have,
	// drawn by Seed; 0: all. A conditional logit of a uniform draw has the same limit as
	// one of all (McFadden 1978, "Modelling the choice of residential location", the
	// uniform conditioning property).
	Alternatives int    `json:"alternatives,omitempty"`
	Seed         uint64 `json:"seed,omitempty"`
}

// Why positions are no decisions, and what is noted of others.
const (
	lastPosition = "no move"
	forcedMove   = "forced"
	illegalMove  = "not legal"
	undrawn      = "alternatives not drawn"
)

// choicesRows is how many rows a row group has at least, but for the last one of a row
// group of positions.
const choicesRows = 1 << 15

// validateChoices reports what does not go with choices.
func (p Params) validateChoices() error {
	switch {
	case p.Choices == nil:
		return nil
	case p.Choices.Alternatives < 0:
		return fmt.Errorf("%d alternatives: want a number that is not negative", p.Choices.Alternatives)
	case len(p.Adjudicate) > 0 || p.Variations || p.Solve > 0 || p.Engine != nil:
		return errors.New("choices have the values and features of moves alone: leave --adjudicate, --pv, --solve and --engine out")
	}
	return nil
}

// choicesTable returns the table of choices made from positions.
func (pl *plan[P]) choicesTable(positions schemas.Table) (schemas.Table, error) {
	if positions.Index("occurrences") >= 0 {
		return schemas.Table{}, errors.New("distinct positions (transform --dedup) stand for many games with many moves: choices need every position of a game")
	}
	return schemas.Choices(positions, pl.values), nil
}

// chooser makes the choices of row groups of positions, one after the other.
type chooser[P games.Position[P]] struct {
	*worker[P]
	Choices
	moves []games.Move
	rows  []int // of moves, those that are written
	text  []byte
}

// label returns a datasets.MapFunc.
func (c *chooser[P]) label(in, out *datasets.Batch) (counts datasets.Counts, err error) {
	counts.Read = int64(in.Rows)
	boards, played := in.Col("board"), in.Col("move")
	if boards == nil || played == nil {
		return counts, errors.New("positions without a board or move column")
	}
	w := choiceColumns(c.worker, in, out)
	for i := range in.Rows {
		if played.IsNull(i) {
			counts.Reject(lastPosition, 1)
			continue
		}
		p, err := c.game.Rules.UnpackBoard(boards.Value(i))
		if err != nil {
			return counts, fmt.Errorf("row %d of a row group: %w", i, err)
		}
		c.moves = p.AppendMoves(c.moves[:0])
		chosen := c.find(p, played.Value(i))
		switch {
		case chosen < 0:
			counts.Reject(illegalMove, 1)
			continue
		case len(c.moves) < 2:
			counts.Reject(forcedMove, 1)
			continue
		}
		c.draw(in.Col("game_id").Int64[i], in.Col("ply").Int32[i], chosen)
		if n := len(c.moves) - len(c.rows); n > 0 {
			counts.Note(undrawn, int64(n))
		}
		for _, j := range c.rows {
			w.copy(i)
			w.move.AppendBytes(c.game.Rules.AppendCoordinates(c.text[:0], p, c.moves[j]))
			w.played.AppendBool(j == chosen)
			w.legal.AppendInt32(int32(len(c.moves)))
			c.trace(c.search(p.Play(c.moves[j]), &w.columns))
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

// find returns the place of the move with that text, -1 when there is none.
func (c *chooser[P]) find(p P, text []byte) int {
	return slices.IndexFunc(c.moves, func(m games.Move) bool {
		c.text = c.game.Rules.AppendCoordinates(c.text[:0], p, m)
		return bytes.Equal(c.text, text)
	})
}

// draw fills rows with the move played and the alternatives, ascending.
func (c *chooser[P]) draw(game int64, ply int32, chosen int) {
	c.rows = c.rows[:0]
	for j := range c.moves {
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

// choiceWriter has the columns of choices: those that are the position's, and made ones.
type choiceWriter[P games.Position[P]] struct {
	columns[P]
	from, to            []*datasets.Vec
	move, played, legal *datasets.Vec
}

func choiceColumns[P games.Position[P]](w *worker[P], in, out *datasets.Batch) (c choiceWriter[P]) {
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

// copy takes over what row i says of the decision.
func (c *choiceWriter[P]) copy(i int) {
	for k, v := range c.to {
		v.AppendFrom(c.from[k], i)
	}
}
