package fit

import (
	"cmp"
	"slices"
)

// rows holds the positions of a fit in memory, about two bytes a feature: a (slot,
// value) pair that occurs anywhere is an atom, and a row is a list of atom codes.
// A pass first multiplies every atom's value with its weight, so that a row's score is
// a sum of table entries; the gradient is gathered atom by atom and folded at the end.
//
// Rows lie in blocks of whole games, in the order in which they were read.
type rows struct {
	d      *design
	atoms  []atom
	blocks []*block
	chunks []span // of blocks: the unit of work and of summation

	n      int     // rows
	games  int     // distinct
	weight float64 // sum of the rows' weights
}

type atom struct {
	slot  int32
	value float64
}

type span struct{ from, to int }

type block struct {
	value   []float32 // e(p)
	y       []float32 // 1 the first player won, 0 the second
	weight  []float32 // nil: all 1
	class   []uint16
	stratum []uint8   // see stratumOf
	target  []float32 // another value, to be blended into y; nil without one
	level   []uint8   // which scale or set the row belongs to; nil without one
	dense   []float32 // row by row, len(design.dense) each
	ends    []uint32  // where the row's codes end
	narrow  []uint16  // the codes, when they fit
	wide    []uint32  // the codes otherwise
	games   []gameRun
}

// gameRun is a stretch of rows of one game.
type gameRun struct {
	id  int64
	end int // the row behind it
}

const (
	blockRows = 1024 // at least, but for the last block
	maxChunks = 64
)

func (b *block) rows() int { return len(b.y) }

// start is where the codes of row i begin.
func (b *block) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

// code is the code at a place.
func (b *block) code(at uint32) uint32 {
	if b.narrow != nil {
		return uint32(b.narrow[at])
	}
	return b.wide[at]
}

func (b *block) weightOf(i int) float64 {
	if b.weight == nil {
		return 1
	}
	return float64(b.weight[i])
}

// row is one position on its way into rows.
type row struct {
	game     int64
	value    float64
	y        float64
	weight   float64
	target   float64
	won      results // of its games
	phase    int
	stratum  uint8
	level    uint8
	features []count
	dense    []float64
}

// count is how often a row has a slot.
type count struct {
	slot uint16
	n    int16
}

// builder appends rows. Equal rows in equal order give equal stores.
type builder struct {
	r      *rows
	direct []int32 // atom of (slot, count) for small counts, -1 when there is none
	rare   map[count]int32
	seen   map[int64]bool
	apart  bool   // the rows of some game do not lie together
	blend  bool   // rows have a target
	levels bool   // rows have a level
	spill  *spill // takes the codes; nil: they stay in memory

	cur     *block
	codes   []uint32
	highest uint32
}

const directCounts = 16 // counts -16..15

func newBuilder(d *design) *builder {
	b := &builder{r: &rows{d: d}, rare: map[count]int32{}, seen: map[int64]bool{}}
	b.direct = make([]int32, len(d.slots)*2*directCounts)
	for i := range b.direct {
		b.direct[i] = -1
	}
	return b
}

func (b *builder) code(f count) uint32 {
	if c := int(f.n) + directCounts; c >= 0 && c < 2*directCounts {
		at := &b.direct[int(f.slot)*2*directCounts+c]
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

func (b *builder) newAtom(f count) int32 {
	b.r.atoms = append(b.r.atoms, atom{int32(f.slot), float64(f.n)})
	return int32(len(b.r.atoms) - 1)
}

// add appends x. x.features are in ascending order of their slots, none of which is
// dense; x.dense has a number for each dense slot.
func (b *builder) add(x *row) {
	if b.cur != nil && b.cur.rows() >= blockRows && b.cur.games[len(b.cur.games)-1].id != x.game {
		b.flush()
	}
	if b.cur == nil {
		b.cur = &block{}
	}
	c := b.cur
	if n := len(c.games); n == 0 || c.games[n-1].id != x.game {
		if b.seen[x.game] {
			b.apart = true
		} else {
			b.r.games++
			b.seen[x.game] = true
		}
		c.games = append(c.games, gameRun{id: x.game})
	}
	for _, f := range x.features {
		code := b.code(f)
		b.highest = max(b.highest, code)
		b.codes = append(b.codes, code)
	}
	c.ends = append(c.ends, uint32(len(b.codes)))
	for _, v := range x.dense {
		c.dense = append(c.dense, float32(v))
	}
	c.value = append(c.value, float32(x.value))
	c.y = append(c.y, float32(x.y))
	if x.weight != 1 && c.weight == nil {
		c.weight = make([]float32, len(c.y)-1)
		for i := range c.weight {
			c.weight[i] = 1
		}
	}
	if c.weight != nil {
		c.weight = append(c.weight, float32(x.weight))
	}
	c.class = append(c.class, b.r.d.classOf(x.phase))
	c.stratum = append(c.stratum, x.stratum)
	c.games[len(c.games)-1].end = len(c.y)
	if b.blend {
		c.target = append(c.target, float32(x.target))
	}
	if b.levels {
		c.level = append(c.level, x.level)
	}
	b.r.n++
	b.r.weight += x.weight
}

// flush ends the current block and lets go of the spare room in its slices.
func (b *builder) flush() {
	c := b.cur
	if c == nil {
		return
	}
	if b.highest < 1<<16 {
		c.narrow = make([]uint16, len(b.codes))
		for i, code := range b.codes {
			c.narrow[i] = uint16(code)
		}
	} else {
		c.wide = slices.Clone(b.codes)
	}
	c.value, c.y, c.weight = slices.Clone(c.value), slices.Clone(c.y), slices.Clone(c.weight)
	c.class, c.stratum, c.dense = slices.Clone(c.class), slices.Clone(c.stratum), slices.Clone(c.dense)
	c.ends, c.games, c.target, c.level = slices.Clone(c.ends), slices.Clone(c.games), slices.Clone(c.target), slices.Clone(c.level)
	if b.spill != nil {
		b.spill.take(c)
	}
	b.r.blocks = append(b.r.blocks, c)
	b.cur, b.codes, b.highest = nil, b.codes[:0], 0
}

// finish returns the store. Rows of a game that came in several stretches are put
// together first, at the place of the game's first row.
func (b *builder) finish() *rows {
	b.flush()
	if b.apart {
		return b.together()
	}
	b.r.cut()
	return b.r
}

// cut makes the chunks.
func (r *rows) cut() {
	per := max(1, (r.n+maxChunks-1)/maxChunks)
	from, size := 0, 0
	for i, blk := range r.blocks {
		size += blk.rows()
		if size >= per || i == len(r.blocks)-1 {
			r.chunks = append(r.chunks, span{from, i + 1})
			from, size = i+1, 0
		}
	}
}

// together builds the store again with every game's rows together.
func (old *builder) together() *rows {
	r := old.r
	type place struct {
		game  int // by first appearance
		block *block
		id    int64
		row   int
	}
	order := map[int64]int{}
	var places []place
	for _, b := range r.blocks {
		from := 0
		for _, run := range b.games {
			g, ok := order[run.id]
			if !ok {
				g = len(order)
				order[run.id] = g
			}
			for i := from; i < run.end; i++ {
				places = append(places, place{g, b, run.id, i})
			}
			from = run.end
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.game, b.game) })
	nb := newBuilder(r.d)
	nb.blend, nb.levels = old.blend, old.levels
	x := &row{}
	phaseOf := r.d.phases()
	for _, p := range places {
		r.load(p.block, p.row, x)
		x.game, x.phase = p.id, phaseOf[p.block.class[p.row]]
		nb.add(x)
	}
	return nb.finish()
}

// load reads a row back, all but its game and phase.
func (r *rows) load(b *block, i int, x *row) {
	x.value, x.y, x.weight, x.stratum = float64(b.value[i]), float64(b.y[i]), b.weightOf(i), b.stratum[i]
	x.features, x.dense = x.features[:0], x.dense[:0]
	if b.target != nil {
		x.target = float64(b.target[i])
	}
	if b.level != nil {
		x.level = b.level[i]
	}
	k := len(r.d.dense)
	for j := b.start(i); j < b.ends[i]; j++ {
		a := r.atoms[b.code(j)]
		x.features = append(x.features, count{uint16(a.slot), int16(a.value)})
	}
	for _, v := range b.dense[i*k : (i+1)*k] {
		x.dense = append(x.dense, float64(v))
	}
}

// counts writes the slots of row i with what it has of them to at and x, which are long
// enough, ascending, the value e(p) as the last slot; it returns how many there are.
func (r *rows) counts(b *block, i int, at []int32, x []float64) (n int) {
	if b.narrow != nil {
		n = counts(r, b.narrow[b.start(i):b.ends[i]], at, x)
	} else {
		n = counts(r, b.wide[b.start(i):b.ends[i]], at, x)
	}
	k := len(r.d.dense)
	for j, s := range r.d.dense {
		if v := b.dense[i*k+j]; v != 0 {
			at[n], x[n] = int32(s), float64(v)
			n++
		}
	}
	at[n], x[n] = int32(len(r.d.slots)), float64(b.value[i])
	return n + 1
}

func counts[C uint16 | uint32](r *rows, codes []C, at []int32, x []float64) int {
	at, x = at[:len(codes)], x[:len(codes)]
	for j, code := range codes {
		a := &r.atoms[code]
		at[j], x[j] = a.slot, a.value
	}
	return len(codes)
}

// phases returns a phase of each class.
func (d *design) phases() []int {
	out := make([]int, len(d.classes))
	done := make([]bool, len(d.classes))
	for phase, c := range d.byPhase {
		if !done[c] || phase < out[c] {
			out[c], done[c] = phase, true
		}
	}
	return out
}

// bytes is the memory that the rows take.
func (r *rows) bytes() int {
	n := 0
	for _, b := range r.blocks {
		n += 4*(len(b.value)+len(b.y)+len(b.weight)+len(b.dense)+len(b.ends)+len(b.wide)) + 2*(len(b.class)+len(b.narrow)) + len(b.stratum) + len(b.level) + 16*len(b.games)
	}
	return n
}
