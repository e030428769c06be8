package rows

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// kind is all that sums over values depend on of a row.
type kind struct{ value, y, weight float32 }

// kinds counts rows by kind.
type kinds struct {
	all    map[kind]int
	recent [1 << 15]struct { // those not yet in all, by a hash
		kind
		n int
	}
}

// add counts n rows more.
func (k *kinds) add(of kind, n int) {
	x := &k.recent[(math.Float32bits(of.value)+math.Float32bits(of.y)>>9)*0x9e3779b1>>17]
	if x.kind != of {
		if x.n > 0 {
			k.all[x.kind] += x.n
		}
		x.kind, x.n = of, 0
	}
	x.n += n
}

// counts returns the number of rows of each kind.
func (k *kinds) counts() map[kind]int {
	for i := range k.recent {
		if x := &k.recent[i]; x.n > 0 {
			k.all[x.kind] += x.n
			x.n = 0
		}
	}
	return k.all
}

// leastAlike is how many rows have to be alike, on average, to be counted.
const leastAlike = 8

// ByValue returns a row for each value, result and weight, which weighs as much as all its rows. Sums over
// values alone are the same over far fewer rows. Where few rows are alike it returns r.
func (r *Store) ByValue(workers int) *Store {
	if r.alike == nil {
		r.alike = r
		if r.Design.Decided != nil {
			return r
		}
		if counts := r.countKinds(workers); len(counts)*leastAlike <= r.N {
			r.alike = r.weighing(counts)
		}
	}
	return r.alike
}

// Counted is ByValue where rows have nothing but a value; otherwise it returns r.
func (r *Store) Counted(workers int) *Store {
	if len(r.Design.slots) > 0 {
		return r
	}
	return r.ByValue(workers)
}

// countKinds counts rows; it stops when few are alike.
func (r *Store) countKinds(workers int) map[kind]int {
	all := make([]kinds, max(1, workers))
	for w := range all {
		all[w].all = map[kind]int{}
	}
	r.Merge(workers, len(r.Chunks), func(w, i int) {
		k := &all[w]
		for _, b := range r.Blocks[r.Chunks[i].From:r.Chunks[i].To] {
			for row, v := range b.Value {
				if len(k.all)*leastAlike <= r.N {
					k.add(kind{v, b.Y[row], float32(b.WeightOf(row))}, 1)
				}
			}
		}
	}, func(int, int) {})
	for w := range all[1:] {
		for of, n := range all[1+w].counts() {
			all[0].add(of, n)
		}
	}
	return all[0].counts()
}

// weighing returns a store of a row for each kind.
func (r *Store) weighing(counts map[kind]int) *Store {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.y, b.y), cmp.Compare(a.weight, b.weight))
	})
	out := &Store{Design: r.Design, Stop: r.Stop, Games: r.Games, N: r.N, Weight: r.Weight}
	for some := range slices.Chunk(keys, chunkRows) {
		b := &Block{class: make([]uint16, len(some)), codes: codes{ends: make([]uint32, len(some))}, Games: []Run{{End: len(some)}}}
		for _, of := range some {
			b.Value, b.Y = append(b.Value, of.value), append(b.Y, of.y)
			b.Weight = append(b.Weight, of.weight*float32(counts[of]))
		}
		out.Chunks = append(out.Chunks, Span{len(out.Blocks), len(out.Blocks) + 1})
		out.Blocks = append(out.Blocks, b)
	}
	out.alike = out
	return out
}
