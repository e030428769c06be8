package rows

import (
	"cmp"
	"slices"

	"kifu/fit/mapped"
	"kifu/internal/dyads"
	"kifu/internal/ordered"
)

// Store holds the positions of a fit in memory, about a byte a feature. A (slot, value) pair
// that occurs anywhere is an atom; a row is a list of atom codes. A pass first multiplies every
// atom's value by its weight, so a row's score is a sum of table entries. The gradient is gathered
// atom by atom and folded at the end.
//
// Rows are in blocks of whole games, in the order in which they were read.
type Store struct {
	Design *Design
	atoms  []atom
	order  []uint32 // the atoms by slot and value, the order in which they are summed
	Blocks []*Block
	Chunks []Span // of blocks: the unit of work and of summation

	Players dyads.Players // of the games; nil: none is known
	Names   *dyads.Names  // of the players; may be nil

	// Copies are games that go into a fold together, by id: each has the id of its group.
	Copies map[int64]int64

	// Ask has sums over the rows made by others; nil, or with an error: they are made here.
	Ask Ask
	// Stop ends every walk over the rows soon after it is closed. Sums made then are worth nothing. Nil: never.
	Stop   <-chan struct{}
	rounds int     // that were sent
	starts []int64 // of each chunk, Row.At of its first row; nil: its rows lay apart
	each   float64 // what each game weighs, see WeighGames
	blend  float64 // the scale of Blend
	alike  *Store  // of ByValue; nil: not looked for

	N      int     // rows
	Games  int     // distinct
	Weight float64 // sum of the rows' weights
}

type atom struct {
	slot  int32
	value float64
}

// Span is a stretch of numbers from From to To-1.
type Span struct{ From, To int }

// Block is a stretch of rows of whole games, column by column.
type Block struct {
	Value   []float32 // e(p)
	Y       []float32 // 1 the first player won, 0 the second
	Weight  []float32 // nil: all 1
	class   []uint16
	Stratum []uint8   // a number of the caller, or NoStratum
	target  []float32 // another value, to be blended into y; nil without one
	Level   []uint8   // the scale or set that the row belongs to; nil without one
	dense   []float32 // row by row, len(Design.dense) each
	codes
	Games []Run
}

// Run is a stretch of rows of one game.
type Run struct {
	ID  int64
	End int // the row after its last
}

// NoStratum is the stratum of rows of which none is known.
const NoStratum = 255

const (
	blockRows = 1024 // at least, but for the last block of a chunk
	chunkRows = 1 << 14
)

// IDs returns the ids of the games in the order of their rows.
func (r *Store) IDs() []int64 {
	ids := make([]int64, 0, r.Games)
	for _, b := range r.Blocks {
		for _, run := range b.Games {
			ids = append(ids, run.ID)
		}
	}
	return ids
}

// Merge is ordered.Merge without the work that begins after Stop.
func (r *Store) Merge(workers, n int, work, merge func(w, i int)) {
	going := func(do func(w, i int)) func(w, i int) {
		return func(w, i int) {
			if !r.Stopped() {
				do(w, i)
			}
		}
	}
	ordered.Merge(workers, n, going(work), going(merge))
}

// Stopped reports whether Stop is closed.
func (r *Store) Stopped() bool {
	select {
	case <-r.Stop:
		return true
	default:
		return false
	}
}

// Group returns the id of the group of a game's copies, its own if it has none.
func (r *Store) Group(game int64) int64 {
	if head, ok := r.Copies[game]; ok {
		return head
	}
	return game
}

// GamesBefore returns the number of games before each block.
func (r *Store) GamesBefore() []int {
	before, n := make([]int, len(r.Blocks)), 0
	for i, b := range r.Blocks {
		before[i] = n
		n += len(b.Games)
	}
	return before
}

// NamesOf returns the names of players, if they are known.
func (r *Store) NamesOf(players []int32) []string {
	if r.Names == nil {
		return nil
	}
	return r.Names.Of(players)
}

// Clusters returns the games as their players make them depend; nil where no player is known.
func (r *Store) Clusters() *dyads.Clusters {
	if r.Players == nil {
		return nil
	}
	var games []dyads.Pair
	for _, id := range r.IDs() {
		games = append(games, r.Players.Of(id))
	}
	return dyads.Of(games)
}

// Rows returns the number of rows.
func (b *Block) Rows() int { return len(b.Y) }

// columns returns the columns of b, the widest numbers first.
func (b *Block) columns() []mapped.Column {
	return []mapped.Column{mapped.Of(&b.Value), mapped.Of(&b.Y), mapped.Of(&b.Weight), mapped.Of(&b.target), mapped.Of(&b.dense),
		mapped.Of(&b.ends), mapped.Of(&b.atoms), mapped.Of(&b.class), mapped.Of(&b.gaps), mapped.Of(&b.Stratum), mapped.Of(&b.Level)}
}

// Only returns some rows of b, without their codes.
func (b *Block) Only(some Span) *Block {
	out := &Block{Value: b.Value[some.From:some.To], Y: b.Y[some.From:some.To]}
	if b.Weight != nil {
		out.Weight = b.Weight[some.From:some.To]
	}
	return out
}

// WeightOf returns the weight of row i.
func (b *Block) WeightOf(i int) float64 {
	if b.Weight == nil {
		return 1
	}
	return float64(b.Weight[i])
}

// Row is one position as a Builder takes it.
type Row struct {
	At       int64 // where the row is in its dataset, or an earlier one of its game
	Game     int64
	Value    float64
	Y        float64
	Weight   float64
	Target   float64
	Won      Results // of its games
	Phase    int
	Stratum  uint8
	Level    uint8
	Features []Count
	Dense    []float64
}

// Results counts positions by the result of their game.
type Results struct{ First, Draws, Second float64 }

// Sum returns the number of positions.
func (w Results) Sum() float64 { return w.First + w.Draws + w.Second }

// Count is the number of times that a row has a slot.
type Count struct {
	Slot uint32
	N    int16
}

// Builder appends rows. Equal rows in equal order give equal stores.
type Builder struct {
	r      *Store
	direct []int32 // atom of (slot, count) for small counts, -1 without one
	rare   map[Count]int32
	latest int64           // game
	seen   map[int64]bool  // the games; nil while they ascend
	Apart  bool            // the rows of some game are not together
	Blend  bool            // rows have a target
	Levels bool            // rows have a level
	Spill  *mapped.Columns // takes the codes; nil: they stay in memory

	cur   *Block
	spare Block // the columns of the next one, which are empty
	coder coder
	phase int    // of the last row
	class uint16 // of that phase

	from, rows int  // first block of the current chunk, and its rows
	cut        bool // the chunk ends with the game
}

const directCounts = 16 // counts -16..15

// NewBuilder returns a builder of a store in design d.
func NewBuilder(d *Design) *Builder {
	b := &Builder{r: &Store{Design: d}, rare: map[Count]int32{}}
	b.direct = make([]int32, len(d.slots)*2*directCounts)
	for i := range b.direct {
		b.direct[i] = -1
	}
	return b
}

func (b *Builder) code(f Count) uint32 {
	if c := int(f.N) + directCounts; c >= 0 && c < 2*directCounts {
		at := &b.direct[int(f.Slot)*2*directCounts+c]
		if *at < 0 {
			*at = b.newAtom(f)
		}
		return uint32(*at)
	}
	at, ok := b.rare[f]
	if !ok {
		at = b.newAtom(f)
		b.rare[f] = at
	}
	return uint32(at)
}

func (b *Builder) newAtom(f Count) int32 {
	b.r.atoms = append(b.r.atoms, atom{int32(f.Slot), float64(f.N)})
	return int32(len(b.r.atoms) - 1)
}

// Add appends x. x.Features are in ascending order of their slots, each there once and none
// dense; x.Dense has a number for each dense slot.
func (b *Builder) Add(x *Row) {
	if b.cur != nil && b.cur.Games[len(b.cur.Games)-1].ID != x.Game {
		switch {
		case b.cut || b.rows >= chunkRows:
			b.endChunk()
		case b.cur.Rows() >= blockRows:
			b.flush()
		}
	}
	if b.cur == nil {
		next := b.spare
		b.cur = &next
	}
	if b.rows == 0 {
		b.r.starts = append(b.r.starts, x.At)
	}
	c := b.cur
	if n := len(c.Games); n == 0 || c.Games[n-1].ID != x.Game {
		if b.isNew(x.Game) {
			b.r.Games++
		} else {
			b.Apart = true
		}
		c.Games = append(c.Games, Run{ID: x.Game})
	}
	for _, f := range x.Features {
		b.coder.codes = append(b.coder.codes, b.code(f))
	}
	c.ends = append(c.ends, uint32(len(b.coder.codes)))
	for _, v := range x.Dense {
		c.dense = append(c.dense, float32(v))
	}
	c.Value = append(c.Value, float32(x.Value))
	c.Y = append(c.Y, float32(x.Y))
	if x.Weight != 1 && c.Weight == nil {
		c.Weight = make([]float32, len(c.Y)-1)
		for i := range c.Weight {
			c.Weight[i] = 1
		}
	}
	if c.Weight != nil {
		c.Weight = append(c.Weight, float32(x.Weight))
	}
	if b.r.N == 0 || x.Phase != b.phase {
		b.phase, b.class = x.Phase, b.r.Design.classOf(x.Phase)
	}
	c.class = append(c.class, b.class)
	c.Stratum = append(c.Stratum, x.Stratum)
	c.Games[len(c.Games)-1].End = len(c.Y)
	if b.Blend {
		c.target = append(c.target, float32(x.Target))
	}
	if b.Levels {
		c.Level = append(c.Level, x.Level)
	}
	b.rows++
	b.r.N++
	b.r.Weight += x.Weight
}

// isNew reports whether a game has no row yet. While games come in the order of their ids, as they mostly do, none is remembered.
func (b *Builder) isNew(game int64) bool {
	if b.seen == nil {
		if b.r.Games == 0 || game > b.latest {
			b.latest = game
			return true
		}
		b.seen = map[int64]bool{}
		for _, c := range append(slices.Clone(b.r.Blocks), b.cur) {
			for _, run := range c.Games {
				b.seen[run.ID] = true
			}
		}
	}
	is := !b.seen[game]
	b.seen[game] = true
	return is
}

// Cut ends the chunk with the game of the last row. It is called after each piece of a dataset that other
// processes may read. So the chunks and their sums do not depend on what comes before the piece, and are the
// same for every reader.
func (b *Builder) Cut() { b.cut = b.cur != nil }

// endChunk ends the current block and chunk.
func (b *Builder) endChunk() {
	b.flush()
	if n := len(b.r.Blocks); n > b.from {
		b.r.Chunks = append(b.r.Chunks, Span{b.from, n})
		b.from = n
	}
	b.rows, b.cut = 0, false
}

// flush ends the current block, whose slices are copied and used again.
func (b *Builder) flush() {
	c := b.cur
	if c == nil {
		return
	}
	b.r.order = b.coder.order(b.r.order, b.r.atoms)
	b.coder.encode(&c.codes, b.r.order)
	b.spare = Block{Value: c.Value[:0], Y: c.Y[:0], class: c.class[:0], Stratum: c.Stratum[:0], codes: c.emptied(), Games: c.Games[:0]}
	c.Value, c.Y, c.Weight = slices.Clone(c.Value), slices.Clone(c.Y), slices.Clone(c.Weight)
	c.class, c.Stratum, c.dense = slices.Clone(c.class), slices.Clone(c.Stratum), slices.Clone(c.dense)
	c.codes = c.clone()
	c.Games, c.target, c.Level = slices.Clone(c.Games), slices.Clone(c.target), slices.Clone(c.Level)
	if b.Spill != nil {
		b.Spill.Add(c.columns()...)
	}
	b.r.Blocks = append(b.r.Blocks, c)
	b.cur = nil
}

// Finish returns the store. Rows of a game that came in several stretches are moved
// together, to the place of the game's first row.
func (b *Builder) Finish() *Store {
	b.endChunk()
	if b.Apart {
		return b.together()
	}
	return b.r
}

// together builds the store again with the rows of each game adjacent.
func (old *Builder) together() *Store {
	r := old.r
	type place struct {
		game  int // by first appearance
		block *Block
		id    int64
		row   int
	}
	order := map[int64]int{}
	var found []place
	for _, b := range r.Blocks {
		from := 0
		for _, run := range b.Games {
			g, ok := order[run.ID]
			if !ok {
				g = len(order)
				order[run.ID] = g
			}
			for i := from; i < run.End; i++ {
				found = append(found, place{g, b, run.ID, i})
			}
			from = run.End
		}
	}
	slices.SortStableFunc(found, func(a, b place) int { return cmp.Compare(a.game, b.game) })
	nb := NewBuilder(r.Design)
	nb.Blend, nb.Levels = old.Blend, old.Levels
	x := &Row{}
	phaseOf := r.Design.phases()
	for _, p := range found {
		r.load(p.block, p.row, x)
		x.Game, x.Phase = p.id, phaseOf[p.block.class[p.row]]
		nb.Add(x)
	}
	nb.Finish().starts = nil
	return nb.r
}

// load reads a row back, except for its game and phase.
func (r *Store) load(b *Block, i int, x *Row) {
	x.Value, x.Y, x.Weight, x.Stratum = float64(b.Value[i]), float64(b.Y[i]), b.WeightOf(i), b.Stratum[i]
	x.Features, x.Dense = x.Features[:0], x.Dense[:0]
	if b.target != nil {
		x.Target = float64(b.target[i])
	}
	if b.Level != nil {
		x.Level = b.Level[i]
	}
	k := len(r.Design.dense)
	for code := range b.row(i) {
		a := r.atoms[code]
		x.Features = append(x.Features, Count{uint32(a.slot), int16(a.value)})
	}
	for _, v := range b.dense[i*k : (i+1)*k] {
		x.Dense = append(x.Dense, float64(v))
	}
}

// counts writes the slots of row i and their counts to at and x, in ascending order with
// the value e(p) as the last slot, and returns their number. at and x are long enough.
func (r *Store) counts(b *Block, i int, at []int32, x []float64) (n int) {
	for code := range b.row(i) {
		a := &r.atoms[code]
		at[n], x[n] = a.slot, a.value
		n++
	}
	k := len(r.Design.dense)
	for j, s := range r.Design.dense {
		if v := b.dense[i*k+j]; v != 0 {
			at[n], x[n] = int32(s), float64(v)
			n++
		}
	}
	at[n], x[n] = int32(len(r.Design.slots)), float64(b.Value[i])
	return n + 1
}

// phases returns a phase of each class.
func (d *Design) phases() []int {
	out := make([]int, len(d.classes))
	done := make([]bool, len(d.classes))
	for phase, c := range d.byPhase {
		if !done[c] || phase < out[c] {
			out[c], done[c] = phase, true
		}
	}
	return out
}

// Bytes returns the memory that the rows take.
func (r *Store) Bytes() int {
	n := 0
	for _, b := range r.Blocks {
		n += 4*(len(b.Value)+len(b.Y)+len(b.Weight)+len(b.dense)+len(b.ends)+len(b.atoms)) + 2*len(b.class) + len(b.gaps) + len(b.Stratum) + len(b.Level) + 16*len(b.Games)
	}
	return n
}
