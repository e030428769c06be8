package report

import (
	"context"
	"math"
	"math/bits"
	"runtime"

	"kifu/datasets"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// The two sides of a search: the games it looks at, and those it is confirmed on.
const (
	train = iota
	held
)

// splitReader reads labels a row group at a time.
type splitReader struct {
	dir      *datasets.Dir
	value    string
	columns  []string
	sqlNames []string // of the columns, as SQL takes them
	params   SplitParams
	bin      float64
	wanted   []bool   // of the columns, those that are read; nil: all
	given    []bitset // where the given conditions hold, by row
}

// bitset is a set of row numbers.
type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitset) count() (n int) { return b.common(b) }
func (b bitset) common(c bitset) (n int) {
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}

// rowBlock is the rows of a row group that count, column by column, and the games they
// are of. Its memory is reused.
type rowBlock struct {
	batch   *datasets.Batch
	number  []int     // of the row in the dataset
	value   []float64 // evaluation
	won     []uint8   // 2 first, 1 a draw that counts half, 0 second
	columns [][]float64
	games   []gameRows

	forced, unfinished, noValue int64
}

// gameRows are neighbouring rows of a game.
type gameRows struct {
	id       int64
	side     int
	from, to int
}

func (r *splitReader) block() *rowBlock {
	names := []string{"game_id", "result", r.value}
	for k, name := range r.columns {
		if r.reads(k) {
			names = append(names, name)
		}
	}
	return &rowBlock{batch: datasets.NewBatch(r.dir.Table, names...), columns: make([][]float64, len(r.columns))}
}

func (r *splitReader) reads(column int) bool { return r.wanted == nil || r.wanted[column] }

// read fills b with the rows of g that have a result and a value.
func (r *splitReader) read(g datasets.Group, b *rowBlock) error {
	b.batch.Reset()
	if err := g.Read(b.batch); err != nil {
		return err
	}
	b.number, b.value, b.won, b.games = b.number[:0], b.value[:0], b.won[:0], b.games[:0]
	b.forced, b.unfinished, b.noValue = 0, 0, 0
	ids, results, values := b.batch.Col("game_id"), b.batch.Col("result"), b.batch.Col(r.value)
	var kept []int
	for i := range b.batch.Rows {
		won, ok := wonBy(results, i, r.params.Draws == DrawsHalf)
		if !ok {
			b.unfinished++
			continue
		}
		v := numberAt(values, i)
		if math.IsNaN(v) {
			b.noValue++
			continue
		}
		if schemas.Forced(v) {
			b.forced++
			continue
		}
		if id, n := ids.Int64[i], len(b.games); n == 0 || b.games[n-1].id != id {
			b.games = append(b.games, gameRows{id: id, side: r.side(id), from: len(kept)})
		}
		kept = append(kept, i)
		b.games[len(b.games)-1].to = len(kept)
		b.number, b.value, b.won = append(b.number, int(g.First)+i), append(b.value, v), append(b.won, won)
	}
	for k, name := range r.columns {
		if !r.reads(k) {
			continue
		}
		b.columns[k] = b.columns[k][:0]
		column := b.batch.Col(name)
		for _, i := range kept {
			b.columns[k] = append(b.columns[k], numberAt(column, i))
		}
	}
	return nil
}

func wonBy(results *datasets.Vec, i int, half bool) (won uint8, ok bool) {
	if results.IsNull(i) {
		return 0, false
	}
	switch string(results.Value(i)) {
	case "first":
		return 2, true
	case "second":
		return 0, true
	case "draw":
		return 1, half
	}
	return 0, false
}

// numberAt is the value of a column as a number, NaN for null.
func numberAt(v *datasets.Vec, i int) float64 {
	if v.IsNull(i) {
		return math.NaN()
	}
	switch v.Column.Type {
	case schemas.Bool:
		if v.Bool[i] {
			return 1
		}
		return 0
	case schemas.Int16, schemas.Int32:
		return float64(v.Int32[i])
	case schemas.Int64:
		return float64(v.Int64[i])
	case schemas.Float32:
		return float64(v.Float32[i])
	}
	return v.Float64[i]
}

// side draws a game by a hash of its number.
func (r *splitReader) side(id int64) int {
	if splitmix.Share(r.params.Seed, id) < r.params.Holdout {
		return held
	}
	return train
}

// survey is what the first pass sees: the evaluations with their results, and a sample
// of the rows to set thresholds by.
type survey struct {
	values     map[int32]*[2]outcomes // by fineOf, for each side
	sides      [2]sideCount
	forced     int64
	unfinished int64
	noValue    int64
	types      []schemas.Type // of the columns
	sample     [][]float64    // by column
	rows       []int          // numbers of the rows in the sample
	at         []int32        // their values, as fineOf has them
	games      []gameRows     // of one row group
	given      []bitset       // the reader's
}

// outcomes counts positions and twice their wins.
type outcomes struct{ n, won uint32 }

const sampleRows = 200_000

// survey reads all rows once.
func (r *splitReader) survey(ctx context.Context) (*survey, error) {
	v := &survey{values: map[int32]*[2]outcomes{}, sample: make([][]float64, len(r.columns)), given: r.given}
	for _, name := range r.columns {
		v.types = append(v.types, r.dir.Table.Columns[r.dir.Table.Index(name)].Type)
	}
	// A power of two of rows to one that is taken.
	every := uint64(1)
	for r.dir.Rows()/int64(every) > sampleRows {
		every *= 2
	}
	workers := r.workers()
	blocks := make([]*rowBlock, workers)
	for w := range blocks {
		blocks[w] = r.block()
	}
	seen := map[int64]bool{}
	last := int64(-1)
	err := datasets.Each(ctx, r.dir, workers, "splits: survey", "positions", func(w int, g datasets.Group, emit func(*survey) error) error {
		b := blocks[w]
		if err := r.read(g, b); err != nil {
			return err
		}
		return emit(b.survey(r.bin, every))
	}, func(part *survey) error {
		for f, cells := range part.values {
			sum := v.values[f]
			if sum == nil {
				sum = &[2]outcomes{}
				v.values[f] = sum
			}
			for side, c := range cells {
				sum[side].n, sum[side].won = sum[side].n+c.n, sum[side].won+c.won
			}
		}
		for _, g := range part.games {
			if g.id == last {
				v.sides[g.side].Positions += int64(g.to - g.from)
				continue
			}
			if seen[g.id] {
				return dataErrorf("%s: the positions of game %d do not lie together, and tests go game by game: write those of a game one after another", r.dir.Path, g.id)
			}
			seen[g.id], last = true, g.id
			v.sides[g.side].Games++
			v.sides[g.side].Positions += int64(g.to - g.from)
		}
		v.forced, v.unfinished, v.noValue = v.forced+part.forced, v.unfinished+part.unfinished, v.noValue+part.noValue
		v.rows, v.at = append(v.rows, part.rows...), append(v.at, part.at...)
		for k := range v.sample {
			v.sample[k] = append(v.sample[k], part.sample[k]...)
		}
		return nil
	})
	return v, err
}

// survey is the survey of one row group. Rows are sampled by their number, one of every.
func (b *rowBlock) survey(bin float64, every uint64) *survey {
	v := &survey{values: map[int32]*[2]outcomes{}, sample: make([][]float64, len(b.columns)), forced: b.forced, unfinished: b.unfinished, noValue: b.noValue}
	v.games = append(v.games, b.games...)
	for _, g := range b.games {
		for i := g.from; i < g.to; i++ {
			f := fineOf(b.value[i], bin)
			cells := v.values[f]
			if cells == nil {
				cells = &[2]outcomes{}
				v.values[f] = cells
			}
			cells[g.side].n++
			cells[g.side].won += uint32(b.won[i])
			if splitmix.Hash(0, int64(b.number[i]))%every == 0 {
				v.rows, v.at = append(v.rows, b.number[i]), append(v.at, f)
				for k := range b.columns {
					v.sample[k] = append(v.sample[k], b.columns[k][i])
				}
			}
		}
	}
	return v
}

func (r *splitReader) workers() int {
	if r.params.Workers > 0 {
		return r.params.Workers
	}
	return runtime.GOMAXPROCS(0)
}
