package sparse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Row is one row as a Builder takes it.
type Row struct {
	Game   int64 // rows of one game depend on each other (Estimate.Error)
	Class  int   // rows of one class, such as a phase, are stored together, which spares the caches
	Y      float64
	Weight float64
	Offset float64   // the part of the score that no weight moves
	At     []uint32  // the weights of its entries
	X      []float32 // their values, as long as At; nil: all 1
}

// blockRows is the number of rows of a block, but for the last one of its class.
const blockRows = 1 << 12

// block is a stretch of rows of one class, column by column.
type block struct {
	class          int
	y, weight, off []float32 // weight and off are nil where they are 1 and 0
	game           []uint32  // by first appearance
	ends           []uint32  // where each row's entries end
	at             []uint32
	x              []float32 // nil: all 1
	first          int       // number of its first row
}

func (b *block) rows() int { return len(b.y) }

// Store holds the rows of a fit.
type Store struct {
	Weights int     // number of weights, numbered from 0
	Rows    int     // number of rows
	Games   int     // distinct ones
	Entries int64   // of all rows
	Sum     float64 // of the rows' weights

	blocks []*block
	lanes  []span // of blocks: what one goroutine adds up at a time
	counts []uint32
	ids    []int64 // of the games, by number
}

// span is a stretch of numbers from from to to-1.
type span struct{ from, to int }

// Counts returns how often each weight occurs.
func (s *Store) Counts() []uint32 { return s.counts }

// Builder appends rows. Equal rows in equal order give equal stores.
type Builder struct {
	s     *Store
	open  map[int]*block // by class
	games map[int64]uint32
}

// NewBuilder returns a builder of a store for that many weights.
func NewBuilder(weights int) *Builder {
	return &Builder{s: &Store{Weights: weights, counts: make([]uint32, weights)}, open: map[int]*block{}, games: map[int64]uint32{}}
}

// Add appends r, whose slices it copies. An entry beyond the weights and a target, weight or
// offset that is no number is an error.
func (b *Builder) Add(r *Row) error {
	if r.X != nil && len(r.X) != len(r.At) {
		return fmt.Errorf("row %d has %d entries and %d values", b.s.Rows, len(r.At), len(r.X))
	}
	for _, at := range r.At {
		if int(at) >= b.s.Weights {
			return fmt.Errorf("row %d has an entry of weight %d: there are %d", b.s.Rows, at, b.s.Weights)
		}
	}
	for _, v := range []float64{r.Y, r.Weight, r.Offset} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("row %d has target %v, weight %v and offset %v: want numbers", b.s.Rows, r.Y, r.Weight, r.Offset)
		}
	}
	if r.Weight < 0 {
		return fmt.Errorf("row %d has the weight %v", b.s.Rows, r.Weight)
	}
	c := b.open[r.Class]
	if c == nil {
		c = &block{class: r.Class}
		b.open[r.Class] = c
	}
	for _, at := range r.At {
		b.s.counts[at]++
	}
	c.appendRow(r, b.number(r.Game))
	b.s.Rows++
	b.s.Entries += int64(len(r.At))
	b.s.Sum += r.Weight
	if c.rows() == blockRows {
		b.close(c)
	}
	return nil
}

// number returns the number of a game.
func (b *Builder) number(game int64) uint32 {
	n, known := b.games[game]
	if !known {
		n = uint32(len(b.games))
		b.games[game], b.s.ids = n, append(b.s.ids, game)
	}
	return n
}

// appendRow appends a row.
func (c *block) appendRow(r *Row, game uint32) {
	n := len(c.y)
	c.y, c.game = append(c.y, float32(r.Y)), append(c.game, game)
	c.weight = keep(c.weight, n, r.Weight, 1)
	c.off = keep(c.off, n, r.Offset, 0)
	if r.X != nil && c.x == nil {
		c.x = constant(len(c.at), 1)
	}
	c.at = append(c.at, r.At...)
	switch {
	case r.X != nil:
		c.x = append(c.x, r.X...)
	case c.x != nil:
		c.x = append(c.x, constant(len(r.At), 1)...)
	}
	c.ends = append(c.ends, uint32(len(c.at)))
}

// keep appends v to a column of n values that is nil while all are usual.
func keep(column []float32, n int, v, usual float64) []float32 {
	if column == nil {
		if v == usual {
			return nil
		}
		column = constant(n, float32(usual))
	}
	return append(column, float32(v))
}

func constant(n int, v float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// close ends a block and trims its columns.
func (b *Builder) close(c *block) {
	c.y, c.weight, c.off, c.game = slices.Clone(c.y), slices.Clone(c.weight), slices.Clone(c.off), slices.Clone(c.game)
	c.ends, c.at, c.x = slices.Clone(c.ends), slices.Clone(c.at), slices.Clone(c.x)
	b.s.blocks = append(b.s.blocks, c)
	delete(b.open, c.class)
}

// Finish returns the store: the blocks by class, within a class in the order of their rows.
func (b *Builder) Finish() *Store {
	s := b.s
	var last []*block
	for _, c := range b.open {
		last = append(last, c)
	}
	slices.SortFunc(last, func(x, y *block) int { return cmp.Compare(x.class, y.class) })
	for _, c := range last {
		b.close(c)
	}
	slices.SortStableFunc(s.blocks, func(x, y *block) int { return cmp.Compare(x.class, y.class) })
	n := 0
	for _, c := range s.blocks {
		c.first = n
		n += c.rows()
	}
	s.Games = len(b.games)
	s.lanes = lanesOf(s.blocks, s.Rows, s.Weights)
	return s
}

// lanesOf cuts blocks into lanes of about as many rows each. Each lane has a sum of its own
// per weight, so there are fewer where there are many weights.
func lanesOf(blocks []*block, rows, weights int) (lanes []span) {
	const most, sums = 16, 1 << 24
	want := max(2, min(most, sums/max(1, weights)))
	from := 0
	for i, c := range blocks {
		if end := c.first + c.rows(); end*want >= rows*(len(lanes)+1) || i == len(blocks)-1 {
			lanes = append(lanes, span{from, i + 1})
			from = i + 1
		}
	}
	return lanes
}
