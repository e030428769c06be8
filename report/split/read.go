package split

import (
	"context"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/splitmix"
	"kifu/report/shape"
	"kifu/schemas"
)

// The two sides of a search: the games it looks at, and those it is confirmed on; and both
// together.
const (
	train = iota
	held
	both
)

// reader reads labels a row group at a time.
type reader struct {
	dir      *datasets.Dir
	value    string
	columns  []string
	sqlNames []string // of the columns, as SQL takes them
	params   Params
	bin      float64
	wanted   []bool   // of the columns, those that are read; nil: all
	given    []bitset // where the given conditions hold, by row
	clusters *clusters
}

// rowBlock is the rows of a row group that count, column by column, and the games they
// are of. Its memory is reused.
type rowBlock struct {
	batch   *columns.Batch
	number  []int     // of the row in the dataset
	value   []float64 // evaluation
	won     []uint8   // 2 first, 1 a draw that counts half, 0 second
	columns [][]float64
	games   []gameRows
	kept    []int // numbers of the rows in the row group

	forced, unfinished, noValue int64
}

// gameRows are neighbouring rows of a game.
type gameRows struct {
	id       int64
	side     int
	from, to int
}

func (r *reader) block() *rowBlock {
	names := []string{"game_id", "result", r.value}
	for k, name := range r.columns {
		if r.reads(k) {
			names = append(names, name)
		}
	}
	return &rowBlock{batch: columns.NewBatch(r.dir.Table, names...), columns: make([][]float64, len(r.columns))}
}

func (r *reader) reads(column int) bool { return r.wanted == nil || r.wanted[column] }

// read fills b with the rows of g that have a result and a value.
func (r *reader) read(g datasets.Group, b *rowBlock) error {
	b.batch.Reset()
	if err := g.Read(b.batch); err != nil {
		return err
	}
	b.number, b.value, b.won, b.games = b.number[:0], b.value[:0], b.won[:0], b.games[:0]
	b.forced, b.unfinished, b.noValue = 0, 0, 0
	ids, results, values := b.batch.Col("game_id"), b.batch.Col("result"), b.batch.Col(r.value)
	b.kept = b.kept[:0]
	for i := range b.batch.Rows {
		won, ok := wonBy(results, i, r.params.Draws == shape.DrawsHalf)
		if !ok {
			b.unfinished++
			continue
		}
		v := values.Number(i)
		if math.IsNaN(v) {
			b.noValue++
			continue
		}
		if schemas.Forced(v) {
			b.forced++
			continue
		}
		if id, n := ids.Int64[i], len(b.games); n == 0 || b.games[n-1].id != id {
			b.games = append(b.games, gameRows{id: id, side: r.side(id), from: len(b.kept)})
		}
		b.kept = append(b.kept, i)
		b.games[len(b.games)-1].to = len(b.kept)
		b.number, b.value, b.won = append(b.number, int(g.First)+i), append(b.value, v), append(b.won, won)
	}
	for k, name := range r.columns {
		if !r.reads(k) {
			continue
		}
		b.columns[k] = numbers(b.columns[k], b.batch.Col(name), b.kept)
	}
	return nil
}

// ends takes the first and the last game out of b, which may go on in other row groups, as blocks of their own.
func (b *rowBlock) ends() (ends []*rowBlock) {
	n := len(b.games)
	if n == 0 {
		return nil
	}
	for _, g := range []gameRows{b.games[0], b.games[n-1]}[:min(n, 2)] {
		one := &rowBlock{games: []gameRows{{id: g.id, side: g.side}}, columns: make([][]float64, len(b.columns))}
		one.append(b, g)
		ends = append(ends, one)
	}
	b.games = b.games[1:max(1, n-1)]
	return ends
}

// append adds the rows of a game of o to the one game of b.
func (b *rowBlock) append(o *rowBlock, g gameRows) {
	b.number, b.value, b.won = append(b.number, o.number[g.from:g.to]...), append(b.value, o.value[g.from:g.to]...), append(b.won, o.won[g.from:g.to]...)
	for k, column := range o.columns {
		if column != nil {
			b.columns[k] = append(b.columns[k], column[g.from:g.to]...)
		}
	}
	b.games[0].to = len(b.value)
}

// joined calls take with the games that are at the ends of row groups, as wholes.
type joined struct {
	take func(b *rowBlock)
	open *rowBlock // the last one so far
}

func (j *joined) add(ends []*rowBlock) {
	for _, b := range ends {
		if j.open != nil && j.open.games[0].id == b.games[0].id {
			j.open.append(b, b.games[0])
			continue
		}
		j.end()
		j.open = b
	}
}

func (j *joined) end() {
	if j.open != nil {
		j.take(j.open)
	}
	j.open = nil
}

// eachBlock reads all rows in blocks of whole games, and calls take with what visit makes of each, in order. Games at the ends of row
// groups are visited one by one, as by one more worker.
func eachBlock[R any](ctx context.Context, r *reader, title string, visit func(worker int, b *rowBlock) R, take func(R)) error {
	type made struct {
		whole R
		ends  []*rowBlock
	}
	blocks := lists.N(r.workers(), func(int) *rowBlock { return r.block() })
	games := joined{take: func(b *rowBlock) { take(visit(len(blocks), b)) }}
	err := datasets.Each(ctx, r.dir, len(blocks), title, "positions", func(w int, g datasets.Group, emit func(made) error) error {
		if err := r.read(g, blocks[w]); err != nil {
			return err
		}
		ends := blocks[w].ends()
		return emit(made{visit(w, blocks[w]), ends})
	}, func(m made) error {
		take(m.whole)
		games.add(m.ends)
		return nil
	})
	games.end()
	return err
}

// wonBy returns the first player's points, two a win.
func wonBy(results *columns.Vec, i int, half bool) (won uint8, ok bool) {
	switch schemas.OutcomeOf(results.Value(i)) {
	case schemas.FirstWon:
		return 2, true
	case schemas.SecondWon:
		return 0, true
	case schemas.Drawn:
		return 1, half
	}
	return 0, false
}

// numbers returns these rows of a column as numbers, NaN for null, in the memory of to.
func numbers(to []float64, v *columns.Vec, rows []int) []float64 {
	to = slices.Grow(to[:0], len(rows))[:len(rows)]
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		take(to, v.Int32, rows)
	case schemas.Float32:
		take(to, v.Float32, rows)
	default:
		for k, i := range rows {
			to[k] = v.Number(i)
		}
		return to
	}
	if v.Column.Nullable {
		for k, i := range rows {
			if !v.Valid[i] {
				to[k] = math.NaN()
			}
		}
	}
	return to
}

func take[T int32 | float32](to []float64, from []T, rows []int) {
	for k, i := range rows {
		to[k] = float64(from[i])
	}
}

// side draws a game by a hash of its number.
func (r *reader) side(id int64) int {
	if splitmix.Share(r.params.Seed, id) < r.params.Holdout {
		return held
	}
	return train
}

// outcomes counts positions and twice their wins.
type outcomes struct{ n, won uint32 }

func (r *reader) workers() int { return ordered.Workers(r.params.Workers) }
