package rows

// Unjoined is the level of a row whose step to the next one of its game temporal differences
// are not to learn from.
const Unjoined = 1

// Line appends the entries of line i of the design to at and x: the parameters and their
// values, e(p) as w_0's. A parameter may occur more than once.
func (p *Layout) Line(b *Block, i int, at []int32, x []float64) ([]int32, []float64) {
	c := p.r.Design.classes[b.class[i]]
	for code := range b.row(i) {
		at, x = append(at, p.param[c.a][code]), append(x, c.ma*p.value[code])
		if c.mb != 0 {
			at, x = append(at, p.param[c.b][code]), append(x, c.mb*p.value[code])
		}
	}
	k := len(p.r.Design.dense)
	for j, s := range p.r.Design.dense {
		if v := b.dense[i*k+j]; v != 0 {
			at, x = append(at, int32(p.r.Design.slots[s].params[0])), append(x, float64(v))
		}
	}
	return append(at, int32(p.r.Design.Scale())), append(x, float64(b.Value[i]))
}

// Place locates the rows of a game.
type Place struct {
	Block *Block
	Span
	ID int64
}

// Places returns the games of r in the order of their rows.
func (r *Store) Places() []Place { return r.In(Span{0, len(r.Blocks)}) }

// In returns the games of some blocks, as of a chunk.
func (r *Store) In(blocks Span) (out []Place) {
	for _, b := range r.Blocks[blocks.From:blocks.To] {
		from := 0
		for _, run := range b.Games {
			out = append(out, Place{b, Span{from, run.End}, run.ID})
			from = run.End
		}
	}
	return out
}
