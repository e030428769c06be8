package fit

import (
	"context"
	"fmt"

	"kifu/eval"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// crossValidate fits to all games but those of one fold, for each fold, and evaluates
// every fit on the games it has not seen. The fold of a game is a hash of seed and id.
func crossValidate(ctx context.Context, r *rows, s settings, m *eval.Model, folds int, seed uint64) (*schemas.FitFolds, error) {
	out := &schemas.FitFolds{Folds: folds}
	var base, original, fitted evaluation
	for fold := range folds {
		in := func(id int64) bool { return int(splitmix.Hash(seed^foldSalt, id)%uint64(folds)) == fold }
		rest, held := r.subset(func(id int64) bool { return !in(id) }), r.subset(in)
		if held.n == 0 {
			return nil, fmt.Errorf("fold %d of %d has no game: take fewer --folds", fold+1, folds)
		}
		e, err := solve(ctx, rest, s)
		if err != nil {
			return nil, fmt.Errorf("without fold %d of %d: %w", fold+1, folds, err)
		}
		base.add(held, rest.base(s))
		if e.present != nil {
			original.add(held, e.original())
		}
		var one evaluation
		one.add(held, e.fitted())
		fitted.add(held, e.fitted())
		out.Each = append(out.Each, one.metrics())
	}
	out.Base, out.Fitted, out.Bands = base.metrics(), fitted.metrics(), fitted.bands(m)
	if original.total.n == fitted.total.n {
		metrics := original.metrics()
		out.Original = &metrics
	}
	return out, nil
}

// Salts keep the choices apart that are drawn by one seed.
const (
	foldSalt  = 0x5bd1e9955bd1e995
	capSalt   = 0x27d4eb2f165667c5
	curveSalt = 0x61c8864680b583eb
)

// subset is the games of r that keep takes, in r's order.
func (r *rows) subset(keep func(id int64) bool) *rows {
	out := &rows{d: r.d, atoms: r.atoms}
	for _, b := range r.blocks {
		nb := &block{}
		from := 0
		for _, run := range b.games {
			if keep(run.id) {
				nb.appendRun(b, from, run.end, len(r.d.dense))
				nb.games = append(nb.games, gameRun{run.id, nb.rows()})
				out.games++
			}
			from = run.end
		}
		out.take(nb)
	}
	out.cut()
	if r.d.decided != nil {
		out.weighDecisions(false)
	}
	return out
}

// only is the rows of r whose levels keep takes, in r's order.
func (r *rows) only(keep func(level uint8) bool) *rows {
	out := &rows{d: r.d, atoms: r.atoms}
	for _, b := range r.blocks {
		nb := &block{}
		from := 0
		for _, run := range b.games {
			before := nb.rows()
			for ; from < run.end; from++ {
				to := from
				for to < run.end && keep(b.level[to]) {
					to++
				}
				if to > from {
					nb.appendRun(b, from, to, len(r.d.dense))
					from = to - 1
				}
			}
			if nb.rows() > before {
				nb.games = append(nb.games, gameRun{run.id, nb.rows()})
				out.games++
			}
		}
		out.take(nb)
	}
	out.cut()
	return out
}

// take adds a block, if it has a row.
func (r *rows) take(b *block) {
	if b.rows() == 0 {
		return
	}
	r.blocks = append(r.blocks, b)
	r.n += b.rows()
	for i := range b.y {
		r.weight += b.weightOf(i)
	}
}

// appendRun appends the rows from..to-1 of b, which have k dense columns.
func (nb *block) appendRun(b *block, from, to, k int) {
	start := uint32(0)
	if from > 0 {
		start = b.ends[from-1]
	}
	end := b.ends[to-1]
	shift := uint32(len(nb.narrow)+len(nb.wide)) - start
	for _, e := range b.ends[from:to] {
		nb.ends = append(nb.ends, e+shift)
	}
	if b.narrow != nil {
		nb.narrow = append(nb.narrow, b.narrow[start:end]...)
	} else {
		nb.wide = append(nb.wide, b.wide[start:end]...)
	}
	nb.value, nb.y, nb.class = append(nb.value, b.value[from:to]...), append(nb.y, b.y[from:to]...), append(nb.class, b.class[from:to]...)
	nb.stratum, nb.dense = append(nb.stratum, b.stratum[from:to]...), append(nb.dense, b.dense[from*k:to*k]...)
	if b.level != nil {
		nb.level = append(nb.level, b.level[from:to]...)
	}
	if b.weight != nil {
		nb.weight = append(nb.weight, b.weight[from:to]...)
	}
}

// byGame weighs the rows so that every game counts the same. The weights add up to the
// number of rows.
func (r *rows) byGame() {
	each := float64(r.n) / float64(r.games)
	r.weight = 0
	for _, b := range r.blocks {
		weight := make([]float32, b.rows())
		from := 0
		for _, run := range b.games {
			sum := 0.0
			for i := from; i < run.end; i++ {
				sum += b.weightOf(i)
			}
			for i := from; i < run.end; i++ {
				weight[i] = float32(each * b.weightOf(i) / sum)
				r.weight += float64(weight[i])
			}
			from = run.end
		}
		b.weight = weight
	}
}
