package rows

import "kifu/internal/panels"

// Layout maps atoms to parameters: sums by parameter are computed directly from the
// codes of rows, without listing a row's columns.
type Layout struct {
	r     *Store
	param [][]int32 // by stage: each atom's parameter
	value []float64 // of each atom
	mixed []mixed   // of each atom; nil with one stage
}

// mixed is what the first two stages, mixed, need of an atom.
type mixed struct {
	value float64
	a, b  int32 // parameters
}

// Layout returns the mapping for the atoms of r.
func (r *Store) Layout() *Layout {
	p := &Layout{r: r, param: make([][]int32, r.Design.stages), value: make([]float64, len(r.atoms))}
	for s := range p.param {
		p.param[s] = make([]int32, len(r.atoms))
		for code, a := range r.atoms {
			p.param[s][code] = int32(r.Design.slots[a.slot].params[s])
		}
	}
	for code, a := range r.atoms {
		p.value[code] = a.value
		if len(p.param) > 1 {
			p.mixed = append(p.mixed, mixed{a.value, p.param[0][code], p.param[1][code]})
		}
	}
	return p
}

// Gather adds the numbers of d times lines of the design to grad, for the rows of b in some.
func (p *Layout) Gather(b *Block, some Span, d, grad []float64) {
	p.gatherCodes(b, some, d, grad)
	k := len(p.r.Design.dense)
	for i := some.From; i < some.To; i++ {
		d := d[i-some.From]
		grad[p.r.Design.Scale()] += d * float64(b.Value[i])
		for j, s := range p.r.Design.dense {
			grad[p.r.Design.slots[s].params[0]] += d * float64(b.dense[i*k+j])
		}
	}
}

func (p *Layout) gatherCodes(b *Block, some Span, d, grad []float64) {
	for i := some.From; i < some.To; i++ {
		c := p.r.Design.classes[b.class[i]]
		da, db := d[i-some.From]*c.ma, d[i-some.From]*c.mb
		if c.a == 0 && c.b == 1 {
			for code := range b.row(i) {
				x := &p.mixed[code]
				grad[x.a] += da * x.value
				grad[x.b] += db * x.value
			}
			continue
		}
		pa := p.param[c.a]
		value := p.value[:len(pa)]
		for code := range b.row(i) {
			grad[pa[code]] += da * value[code]
		}
		if c.mb == 0 {
			continue
		}
		pb := p.param[c.b][:len(value)]
		for code := range b.row(i) {
			grad[pb[code]] += db * value[code]
		}
	}
}

// Dots overwrites dst with the product of v with line i of the design, for each row i of b
// in some. It uses t.
func (p *Layout) Dots(b *Block, some Span, v []float64, t Tables, dst []float64) []float64 {
	for _, code := range b.atomsOf(some) {
		if p.mixed != nil && t.columns == nil {
			x := &p.mixed[code]
			t.pairs[code] = panels.Pair{x.value * v[x.a], x.value * v[x.b]}
			continue
		}
		for s, params := range p.param {
			t.set(s, code, p.value[code]*v[params[code]])
		}
	}
	s := Scorer{r: p.r, tab: t, dense: p.r.denseWeights(v), scale: v[p.r.Design.Scale()]}
	return s.Some(b, some, dst[:0])
}
