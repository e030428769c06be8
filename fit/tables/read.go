package tables

import (
	"cmp"
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/losses"
	"kifu/fit/sparse"
	"kifu/games"
	"kifu/schemas"
)

// reader turns row groups into rows of entries.
type reader struct {
	p                           Params
	computed                    *computed.Labels
	extra                       *computed.Part // of the last row group's part
	index                       Indexer
	byGame                      map[int64]float64 // targets; nil: none
	wanted                      map[int64]bool    // games; nil: all
	copies                      *bygame.Copies    // of a game, which are held out with it
	batch                       *columns.Batch
	game, board, result, value  *columns.Vec
	firstWins, draws, secondWon *columns.Vec

	// Of the last row group; entries and their values end to end.
	rows   []row
	at     []uint32
	x      []float32
	counts manifest.Counts
}

// row is a row, y from the first player's side.
type row struct {
	game        int64
	y, weight   float64
	value       float64
	valued      bool
	held        bool
	from, end   int // entries
	signed      bool
	side        games.Side
	class       int
	valuesBegin int
}

func newReader(p Params, dir *datasets.Dir, x *computed.Labels, index Indexer) (*reader, error) {
	board := p.Board
	board = cmp.Or(board, "board")
	leaf := dir.Manifest.Meta["leaf"]
	names := []string{"game_id", board, "result", "first_wins", "draws", "second_wins"}
	if leaf != "" {
		names = append(names, leaf)
	}
	r := &reader{p: p, computed: x, index: index, batch: columns.NewBatch(dir.Table, names...)}
	col := r.batch.Col
	r.game, r.board, r.result, r.firstWins, r.draws, r.secondWon = col("game_id"), col(board), col("result"), col("first_wins"), col("draws"), col("second_wins")
	if leaf != "" {
		r.value = col(leaf)
	}
	if r.board == nil || r.board.Column.Type != schemas.FixedBytes {
		return nil, fmt.Errorf("%s has no column %q of packed positions: use labels made by kifu label, or name a column of label --pv with --board", dir.Path, board)
	}
	if r.game == nil || r.result == nil && r.firstWins == nil {
		return nil, fmt.Errorf("%s has no column game_id or no results", dir.Path)
	}
	return r, nil
}

// read reads a row group.
func (r *reader) read(ctx context.Context, g datasets.Group) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.extra, err = r.computed.Part(ctx, g.Part); err != nil {
		return err
	}
	if err := g.Read(r.batch); err != nil {
		return err
	}
	r.rows, r.at, r.x = r.rows[:0], r.at[:0], r.x[:0]
	r.counts = manifest.Counts{Read: int64(r.batch.Rows)}
	for i := range r.batch.Rows {
		row := row{game: r.game.Int64[i], weight: 1}
		if reason := r.outcome(i, g.At+i, &row); reason != "" {
			r.counts.Reject(reason, 1)
			continue
		}
		row.from, row.valuesBegin = len(r.at), len(r.x)
		e, err := r.index(r.at, r.x, r.board.Value(i))
		if err != nil {
			return fmt.Errorf("position %d, of game %d: %w", g.First+int64(i), row.game, err)
		}
		r.at, row.end, row.signed, row.side, row.class = e.At, len(e.At), e.X != nil, e.ToMove, e.Pieces
		if row.signed {
			r.x = e.X
		}
		if r.value != nil {
			row.value = float64(r.value.Float32[i])
			row.valued = row.value == row.value && !schemas.Forced(row.value)
		}
		row.held = r.copies.Held(row.game, r.p.Holdout, r.p.Seed)
		if row.held {
			r.counts.Note(computed.HeldOut, 1)
		}
		r.rows = append(r.rows, row)
	}
	return nil
}

// outcome sets target and weight of row i, which is row at of the part, or returns the reason to leave
// it out.
func (r *reader) outcome(i, at int, row *row) (reason string) {
	if !r.extra.Wanted(at) || r.wanted != nil && !r.wanted[row.game] {
		return bygame.Unwanted
	}
	won := computed.ResultOf(i, r.result, r.firstWins, r.draws, r.secondWon)
	if r.p.Method == losses.Value {
		row.y, row.weight = computed.Absent, max(1, won.Sum())
		if r.computed.Target >= 0 {
			row.y = r.extra.Target(at)
		}
		if target, known := r.byGame[row.game]; known && row.y == computed.Absent {
			row.y = target
		}
		switch {
		case row.y == computed.Absent:
			return bygame.NoTarget
		case schemas.Forced(row.y):
			return computed.ForcedWin
		}
		return ""
	}
	if r.p.Draws == fit.DrawsExclude && won.Draws > 0 {
		won.Draws = 0
		if won.Sum() == 0 {
			return bygame.DrawnGame
		}
	}
	row.weight = won.Sum()
	if row.weight == 0 {
		return bygame.NoResult
	}
	row.y = (won.First + won.Draws/2) / row.weight
	return ""
}

// builder gathers rows in order.
type builder struct {
	counts manifest.Counts
	// train and held; each has the tables' rows, the labels' values, and ones.
	tables, values, ones [2]*sparse.Builder
}

func newBuilder(weights int, valued bool) *builder {
	b := &builder{}
	for k := range 2 {
		b.tables[k], b.ones[k] = sparse.NewBuilder(weights), sparse.NewBuilder(1)
		if valued {
			b.values[k] = sparse.NewBuilder(1)
		}
	}
	return b
}

// add appends the rows of a row group. Values of tables are for the side to move, and so is
// the target.
func (b *builder) add(r *reader) error {
	b.counts.Add(r.counts)
	for i := range r.rows {
		x := &r.rows[i]
		k := 0
		if x.held {
			k = 1
		}
		row := sparse.Row{Game: x.game, Weight: x.weight, Y: x.y, At: []uint32{0}}
		if err := b.ones[k].Add(&row); err != nil {
			return err
		}
		if b.values[k] != nil && x.valued {
			row.X = []float32{float32(x.value)}
			if err := b.values[k].Add(&row); err != nil {
				return err
			}
		}
		row.Class, row.At, row.X = x.class, r.at[x.from:x.end], nil
		if x.signed {
			row.X = r.x[x.valuesBegin:][:x.end-x.from]
		}
		if x.side == games.Second {
			row.Y = -x.y
			if r.p.Method != losses.Value {
				row.Y = 1 - x.y
			}
		}
		if err := b.tables[k].Add(&row); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) finish() *input {
	in := &input{counts: b.counts, train: b.tables[0].Finish(), held: b.tables[1].Finish(), ones: b.ones[0].Finish(), heldOnes: b.ones[1].Finish()}
	if b.values[0] != nil {
		in.values, in.heldValues = b.values[0].Finish(), b.values[1].Finish()
	}
	return in
}
