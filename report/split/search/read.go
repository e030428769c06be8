package search

import (
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/report/shape"
	"kifu/schemas"
)

// The two sides of a search: the games it looks at, and those it is confirmed on; and both
// together.
const (
	Train = iota
	Held
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
	given    []bitset // where the given conditions hold, by row
	clusters *clusters
}

// rowBlock is the rows of a row group that count, column by column, and the games they
// are of. Its memory is reused.
type rowBlock struct {
	batch   *columns.Batch
	number  []int          // of the row in the dataset
	value   []float64      // evaluation
	won     []uint8        // 2 first, 1 a draw that counts half, 0 second
	vecs    []*columns.Vec // of the batch, by column
	columns [][]float64    // of a block without a batch
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
	names := append([]string{"game_id", "result", r.value}, r.columns...)
	b := &rowBlock{batch: columns.NewBatch(r.dir.Table, names...)}
	for _, name := range r.columns {
		b.vecs = append(b.vecs, b.batch.Col(name))
	}
	return b
}

// read fills b with the rows of g that have a result and a value, without their columns.
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
	return nil
}

// column returns the rows from from to until of column k, in the memory of to where they are in the batch.
func (b *rowBlock) column(to []float64, k, from, until int) []float64 {
	if b.batch == nil {
		return b.columns[k][from:until]
	}
	return numbers(to, b.vecs[k], b.kept[from:until])
}

// ends takes the first and the last game out of b, which may go on in other row groups, as blocks of their own.
func (b *rowBlock) ends() (ends []*rowBlock) {
	n := len(b.games)
	if n == 0 {
		return nil
	}
	for _, g := range []gameRows{b.games[0], b.games[n-1]}[:min(n, 2)] {
		one := &rowBlock{columns: make([][]float64, max(len(b.vecs), len(b.columns)))}
		one.append(b, g)
		ends = append(ends, one)
	}
	b.games = b.games[1:max(1, n-1)]
	return ends
}

// append adds the rows of a game of o to b, whose last game may be the same.
func (b *rowBlock) append(o *rowBlock, g gameRows) {
	if n := len(b.games); n == 0 || b.games[n-1].id != g.id {
		b.games = append(b.games, gameRows{id: g.id, side: g.side, from: len(b.value)})
	}
	b.number, b.value, b.won = append(b.number, o.number[g.from:g.to]...), append(b.value, o.value[g.from:g.to]...), append(b.won, o.won[g.from:g.to]...)
	for k := range b.columns {
		b.columns[k] = append(b.columns[k], o.column(nil, k, g.from, g.to)...)
	}
	b.games[len(b.games)-1].to = len(b.value)
}

// joined has the games that are at the ends of row groups, as wholes.
type joined struct {
	rowBlock
	take func(b *rowBlock) error // some of them, when they are many
}

const manyRows = 1 << 16

// add adds a row group's.
func (j *joined) add(ends []*rowBlock) error {
	for _, b := range ends {
		if n := len(j.games); len(j.value) > manyRows && j.games[n-1].id != b.games[0].id {
			if err := j.end(); err != nil {
				return err
			}
		}
		j.append(b, b.games[0])
	}
	return nil
}

// end takes those that are left.
func (j *joined) end() error {
	err := j.take(&j.rowBlock)
	j.rowBlock = rowBlock{columns: make([][]float64, len(j.columns))}
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
		appendRows(to, v.Int32, rows)
	case schemas.Float32:
		appendRows(to, v.Float32, rows)
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

func appendRows[T int32 | float32](to []float64, from []T, rows []int) {
	for k, i := range rows {
		to[k] = float64(from[i])
	}
}

// side draws a game and its copies by a hash of its number.
func (r *reader) side(id int64) int {
	if r.clusters.copies.Held(id, r.params.Holdout, r.params.Seed) {
		return Held
	}
	return Train
}

// outcomes counts positions and twice their wins.
type outcomes struct{ n, won uint32 }

// add counts the position of a key.
func (o *outcomes) add(key uint16) { o.n, o.won = o.n+1, o.won+uint32(key%3) }
