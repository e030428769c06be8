package rows

import (
	"cmp"
	"iter"
	"slices"

	"kifu/internal/panels"
)

// codes are the atoms of a block's rows, about a byte each. The block lists its atoms by slot and value; a row is a list of
// gaps, the distances in that list from one atom to the next (panels.SumEach).
type codes struct {
	ends  []uint32 // where the row's gaps end
	gaps  []uint8
	atoms []uint32 // by place
}

// start returns where the gaps of row i start.
func (c *codes) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return c.ends[i-1]
}

// row returns the codes of the atoms of row i.
func (c *codes) row(i int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		place := uint32(0)
		for _, gap := range c.gaps[c.start(i):c.ends[i]] {
			place += uint32(gap)
			if gap < panels.Wide && !yield(c.atoms[place]) {
				return
			}
		}
	}
}

// atomsOf returns atoms among which are all of some rows: the block's, or if the rows have fewer codes these, which repeat.
func (c *codes) atomsOf(some Span) (out []uint32) {
	if some.To > some.From && int(c.ends[some.To-1]-c.start(some.From)) >= len(c.atoms) {
		return c.atoms
	}
	for i := some.From; i < some.To; i++ {
		for code := range c.row(i) {
			out = append(out, code)
		}
	}
	return out
}

func (c *codes) clone() codes {
	return codes{slices.Clone(c.ends), slices.Clone(c.gaps), slices.Clone(c.atoms)}
}

// emptied has the memory of c for others.
func (c *codes) emptied() codes { return codes{c.ends[:0], c.gaps[:0], c.atoms[:0]} }

// coder makes the codes of a block.
type coder struct {
	codes  []uint32 // of all rows, end to end
	places []uint32 // of atoms, from 1 on; 0: not in the block
	fresh  []uint32
}

// order adds the atoms that are not yet in order, which is by slot and value.
func (c *coder) order(order []uint32, atoms []atom) []uint32 {
	compare := func(i, j uint32) int {
		return cmp.Or(cmp.Compare(atoms[i].slot, atoms[j].slot), cmp.Compare(atoms[i].value, atoms[j].value))
	}
	c.fresh = c.fresh[:0]
	for code := len(order); code < len(atoms); code++ {
		c.fresh = append(c.fresh, uint32(code))
	}
	slices.SortFunc(c.fresh, compare)
	i := len(order) - 1
	order = slices.Grow(order, len(c.fresh))[:len(atoms)]
	for j := len(c.fresh) - 1; j >= 0; {
		if i >= 0 && compare(order[i], c.fresh[j]) > 0 {
			order[i+j+1] = order[i]
			i--
		} else {
			order[i+j+1] = c.fresh[j]
			j--
		}
	}
	return order
}

// encode appends the gaps and atoms of all rows to out, and empties the coder. out.ends come as the ends of the rows' codes, and
// become those of their gaps.
func (c *coder) encode(out *codes, order []uint32) {
	c.places = slices.Grow(c.places, len(order)-len(c.places))[:len(order)]
	for _, code := range c.codes {
		c.places[code] = 1
	}
	for _, code := range order {
		if c.places[code] > 0 {
			out.atoms = append(out.atoms, code)
			c.places[code] = uint32(len(out.atoms))
		}
	}
	from := uint32(0)
	for i, end := range out.ends {
		last := uint32(1)
		for _, code := range c.codes[from:end] {
			place := c.places[code]
			if place < last {
				panic("the slots of a row do not ascend")
			}
			for ; place-last >= panels.Wide; last += panels.Wide {
				out.gaps = append(out.gaps, panels.Wide)
			}
			out.gaps, last = append(out.gaps, uint8(place-last)), place
		}
		from, out.ends[i] = end, uint32(len(out.gaps))
	}
	for _, code := range out.atoms {
		c.places[code] = 0
	}
	c.codes = c.codes[:0]
}
