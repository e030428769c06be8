package fit

// places says where atoms lie in the design: a sum by parameter is made straight from
// the codes of rows, without a list of a row's columns.
type places struct {
	r     *rows
	param [][]int32 // by stage: each atom's parameter
	value []float64 // each atom's
}

func (r *rows) places() *places {
	p := &places{r: r, param: make([][]int32, r.d.stages), value: make([]float64, len(r.atoms))}
	for s := range p.param {
		p.param[s] = make([]int32, len(r.atoms))
		for code, a := range r.atoms {
			p.param[s][code] = int32(r.d.slots[a.slot].params[s])
		}
	}
	for code, a := range r.atoms {
		p.value[code] = a.value
	}
	return p
}

// gather adds d times the row of the design to grad, for each of b's rows in some.
func (p *places) gather(b *block, some span, d, grad []float64) {
	if b.narrow != nil {
		gatherPlaces(p, b, b.narrow, some, d, grad)
	} else {
		gatherPlaces(p, b, b.wide, some, d, grad)
	}
	k := len(p.r.d.dense)
	for i := some.from; i < some.to; i++ {
		grad[p.r.d.scale()] += d[i] * float64(b.value[i])
		for j, s := range p.r.d.dense {
			grad[p.r.d.slots[s].params[0]] += d[i] * float64(b.dense[i*k+j])
		}
	}
}

func gatherPlaces[C uint16 | uint32](p *places, b *block, codes []C, some span, d, grad []float64) {
	from := b.start(some.from)
	for i := some.from; i < some.to; i++ {
		c := p.r.d.classes[b.class[i]]
		row := codes[from:b.ends[i]]
		from = b.ends[i]
		pa, da := p.param[c.a], d[i]*c.ma
		value := p.value[:len(pa)]
		for _, code := range row {
			grad[pa[code]] += da * value[code]
		}
		if c.mb == 0 {
			continue
		}
		pb, db := p.param[c.b][:len(value)], d[i]*c.mb
		for _, code := range row {
			grad[pb[code]] += db * value[code]
		}
	}
}
