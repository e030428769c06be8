package rows

// Subset returns the games of r for which keep holds, in the order of r.
func (r *Store) Subset(keep func(id int64) bool) *Store {
	out := r.pick(func(out *Store, b, nb *Block) {
		from := 0
		for _, run := range b.Games {
			if keep(run.ID) {
				nb.appendRun(b, from, run.End, len(r.Design.dense))
				nb.Games = append(nb.Games, Run{run.ID, nb.Rows()})
				out.Games++
			}
			from = run.End
		}
	})
	if r.Design.Decided != nil {
		out.WeighDecisions(false)
	}
	return out
}

// Only returns the rows of r for whose levels keep holds, in the order of r.
func (r *Store) Only(keep func(level uint8) bool) *Store {
	return r.pick(func(out *Store, b, nb *Block) {
		from := 0
		for _, run := range b.Games {
			before := nb.Rows()
			for ; from < run.End; from++ {
				to := from
				for to < run.End && keep(b.Level[to]) {
					to++
				}
				if to > from {
					nb.appendRun(b, from, to, len(r.Design.dense))
					from = to - 1
				}
			}
			if nb.Rows() > before {
				nb.Games = append(nb.Games, Run{run.ID, nb.Rows()})
				out.Games++
			}
		}
	})
}

// Every returns every nth row of r, in the order of r.
func (r *Store) Every(n int) *Store {
	next := 0
	return r.pick(func(out *Store, b, nb *Block) {
		for _, run := range b.Games {
			before := nb.Rows()
			for ; next < run.End; next += n {
				nb.appendRun(b, next, next+1, len(r.Design.dense))
			}
			if nb.Rows() > before {
				nb.Games = append(nb.Games, Run{run.ID, nb.Rows()})
				out.Games++
			}
		}
		next -= b.Rows()
	})
}

// pick returns a store of what some appends to a block nb of each block b of r. Its chunks are
// of the rows of r's.
func (r *Store) pick(some func(out *Store, b, nb *Block)) *Store {
	out := &Store{Design: r.Design, atoms: r.atoms, order: r.order, Players: r.Players, Names: r.Names, Copies: r.Copies}
	for _, chunk := range r.Chunks {
		before := len(out.Blocks)
		for _, b := range r.Blocks[chunk.From:chunk.To] {
			nb := &Block{}
			some(out, b, nb)
			out.add(nb)
		}
		if n := len(out.Blocks); n > before {
			out.Chunks = append(out.Chunks, Span{before, n})
		}
	}
	return out
}

// add adds a block, if it has a row.
func (r *Store) add(b *Block) {
	if b.Rows() == 0 {
		return
	}
	r.Blocks = append(r.Blocks, b)
	r.N += b.Rows()
	for i := range b.Y {
		r.Weight += b.WeightOf(i)
	}
}

// appendRun appends the rows from..to-1 of b, which have k dense columns.
func (nb *Block) appendRun(b *Block, from, to, k int) {
	start, end := b.start(from), b.ends[to-1]
	shift := uint32(len(nb.gaps)) - start
	for _, e := range b.ends[from:to] {
		nb.ends = append(nb.ends, e+shift)
	}
	nb.gaps, nb.atoms = append(nb.gaps, b.gaps[start:end]...), b.atoms
	nb.Value, nb.Y, nb.class = append(nb.Value, b.Value[from:to]...), append(nb.Y, b.Y[from:to]...), append(nb.class, b.class[from:to]...)
	nb.Stratum, nb.dense = append(nb.Stratum, b.Stratum[from:to]...), append(nb.dense, b.dense[from*k:to*k]...)
	if b.Level != nil {
		nb.Level = append(nb.Level, b.Level[from:to]...)
	}
	if b.Weight != nil {
		nb.Weight = append(nb.Weight, b.Weight[from:to]...)
	}
}

// ByGame weighs the rows so that every game counts the same. The weights add up to the
// number of rows.
func (r *Store) ByGame() { r.WeighGames(float64(r.N) / float64(r.Games)) }

// WeighGames weighs the rows so that the rows of every game, or its decisions, weigh each together.
func (r *Store) WeighGames(each float64) {
	r.each, r.alike = each, nil
	if r.Design.Decided != nil {
		r.weighDecisions(each)
		return
	}
	r.Weight = 0
	for _, b := range r.Blocks {
		weight := b.Weight
		if weight == nil {
			weight = make([]float32, b.Rows())
		}
		from := 0
		for _, run := range b.Games {
			sum := 0.0
			for i := from; i < run.End; i++ {
				sum += b.WeightOf(i)
			}
			for i := from; i < run.End; i++ {
				weight[i] = float32(each * b.WeightOf(i) / sum)
				r.Weight += float64(weight[i])
			}
			from = run.End
		}
		b.Weight = weight
	}
}
