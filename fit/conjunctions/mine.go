package conjunctions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
)

// Set is a conjunction.
type Set struct {
	Atoms   []uint32 // ascending
	Support int      // positions in which all are true, and none before it in the list that decides
	Won     int      // of them, those that are won
	Decides bool     // where it is true, none after it in the list counts
}

// Limits bound the conjunctions to find.
type Limits struct {
	Support int     // true in at least so many positions
	Size    int     // of at most so many atoms; 0: any number
	Merge   float64 // one that is true in at least this share of the positions of a part is merged with it; 0 means 1
	Most    int     // an error beyond so many; 0: any number
	Fewer   bool    // beyond Most, those of fewer atoms instead of an error
	// Pair reports whether two atoms may be in one conjunction; nil: all may. Lists has for each
	// atom the lists it is in, a bit each, of which the atoms of a conjunction have one in common;
	// nil: no lists.
	Pair  func(a, b uint32) bool
	Lists []uint64
}

// Found are the conjunctions of a sample.
type Found struct {
	Levels []Level
	N      int // of all levels
	Merged int // with a part of theirs
	Rare   int // were counted and are true too rarely
	// LeftOut is the least number of atoms whose conjunctions were too many; 0: none.
	LeftOut int
}

// Level has the conjunctions of one size, ordered by their atoms. The next level's conjunctions that
// begin with conjunction i are the ones from first[i] to first[i+1].
type Level struct {
	parent, atom, support, won []uint32
	lists                      []uint64
	first                      []uint32
}

// mine finds the conjunctions within limits.
func mine(ctx context.Context, s *Sample, atoms *Atoms, l Limits, workers int) (*Found, error) {
	l.Merge = cmp.Or(l.Merge, 1)
	m := &miner{Sample: s, Limits: l, atoms: atoms, found: &Found{}, place: make([]int, len(atoms.List))}
	m.single()
	for size := 2; l.Size == 0 || size <= l.Size; size++ {
		before, merged, rare := m.found.N, m.found.Merged, m.found.Rare
		err := m.extend(ctx, workers)
		if l.Fewer && errors.As(err, new(tooMany)) {
			m.found.Levels[size-2].first, m.found.Merged, m.found.Rare, m.found.LeftOut = nil, merged, rare, size
			break
		}
		if err != nil {
			return nil, err
		}
		if m.found.N == before {
			break
		}
	}
	return m.found, nil
}

// miner is the state of a search.
type miner struct {
	*Sample
	Limits
	atoms *Atoms
	found *Found
	place []int // of an atom in the first level, -1 if it is not in it
}

// single finds the conjunctions of one atom.
func (m *miner) single() {
	var level Level
	for a, bits := range m.Bits {
		m.place[a] = -1
		n := count(bits)
		lists := ^uint64(0)
		if m.Lists != nil {
			lists = m.Lists[a]
		}
		switch {
		case lists == 0:
		case n < max(1, m.Support):
			m.found.Rare++
		case float64(n) >= m.Merge*float64(m.N): // adds nothing in most positions
			m.found.Merged++
		default:
			m.place[a] = len(level.atom)
			level.add(0, uint32(a), uint32(n), uint32(countBoth(bits, m.Won)), lists)
		}
	}
	m.found.Levels, m.found.N = []Level{level}, len(level.atom)
}

func (l *Level) add(parent, atom, support, won uint32, lists uint64) {
	l.parent, l.atom, l.support, l.won, l.lists = append(l.parent, parent), append(l.atom, atom), append(l.support, support), append(l.won, won), append(l.lists, lists)
}

// stretch is the number of conjunctions that a worker extends at a time.
const stretch = 64

// tooMany is the error for more conjunctions than Limits.Most.
type tooMany string

func (t tooMany) Error() string { return string(t) }

// extend finds the conjunctions of one atom more than the longest so far: one pass over the
// bitmaps.
func (m *miner) extend(ctx context.Context, workers int) error {
	last := len(m.found.Levels) - 1
	from := &m.found.Levels[last]
	n := len(from.atom)
	bar := progress.Start(ctx, fmt.Sprintf("conjunctions of %d", last+2), int64(n), "conjunctions of "+fmt.Sprint(last+1))
	defer bar.Done()
	var next Level
	from.first = make([]uint32, 1, n+1)
	extenders := make([]extender, max(1, workers))
	type extended struct {
		Level
		ends         []uint32
		merged, rare int
	}
	err := ordered.Run(ctx, (n+stretch-1)/stretch, len(extenders), func(worker, k int, emit func(extended) error) error {
		x, out := &extenders[worker], extended{}
		for i := k * stretch; i < min(n, (k+1)*stretch); i++ {
			merged, rare := x.extend(m, last, i, &out.Level)
			out.merged, out.rare = out.merged+merged, out.rare+rare
			out.ends = append(out.ends, uint32(len(out.atom)))
		}
		bar.Add(int64(len(out.ends)))
		return emit(out)
	}, func(x extended) error {
		for _, end := range x.ends {
			from.first = append(from.first, uint32(len(next.atom))+end)
		}
		next.parent, next.atom = append(next.parent, x.parent...), append(next.atom, x.atom...)
		next.support, next.won, next.lists = append(next.support, x.support...), append(next.won, x.won...), append(next.lists, x.lists...)
		m.found.Merged, m.found.Rare = m.found.Merged+x.merged, m.found.Rare+x.rare
		if m.Most > 0 && m.found.N+len(next.atom) > m.Most {
			return tooMany(fmt.Sprintf("more than %s conjunctions of up to %d atoms are true in %d positions or more: raise --min-support, lower --max-size, keep their squares together (--distance, --squares), or raise --most",
				human.Grouped(int64(m.Most)), last+2, m.Support))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(next.atom) > 0 {
		m.found.Levels, m.found.N = append(m.found.Levels, next), m.found.N+len(next.atom)
	}
	return nil
}

// extender has the buffers of a worker.
type extender struct {
	atoms []uint32
	words []uint64
	part  []uint32
}

// extend appends what conjunction i of a level becomes with each of the atoms that came after
// its last one in the conjunctions that share the others.
func (x *extender) extend(m *miner, level, i int, out *Level) (merged, rare int) {
	from := &m.found.Levels[level]
	end := len(from.atom)
	if level > 0 {
		end = int(m.found.Levels[level-1].first[from.parent[i]+1])
	}
	x.atoms = m.found.atomsOf(x.atoms, level, i)
	ready := false // words are i's
	last := from.atom[i]
	for j := i + 1; j < end; j++ {
		b := from.atom[j]
		lists := from.lists[i] & from.lists[j]
		if m.atoms.List[b].Group == m.atoms.List[last].Group || lists == 0 || m.Pair != nil && !m.Pair(last, b) {
			continue
		}
		least, known := x.leastPart(m, level, b, min(from.support[i], from.support[j]))
		if !known {
			continue
		}
		if !ready {
			x.words, ready = m.and(x.words, x.atoms, 0, len(m.Won)), true
		}
		n := countBoth(x.words, m.Bits[b])
		switch {
		case n < max(1, m.Support):
			rare++
		case float64(n) >= m.Merge*float64(least):
			merged++
		default:
			_, won := countThree(x.words, m.Bits[b], m.Won)
			out.add(uint32(i), b, uint32(n), uint32(won), lists)
		}
	}
	return merged, rare
}

// leastPart returns the least support of the parts of x.atoms with b that lack one atom, of
// which least is for two; known is false if one was not found.
func (x *extender) leastPart(m *miner, level int, b, least uint32) (_ uint32, known bool) {
	for skip := range len(x.atoms) - 1 {
		x.part = append(append(append(x.part[:0], x.atoms[:skip]...), x.atoms[skip+1:]...), b)
		at, found := m.find(x.part)
		if !found {
			return 0, false
		}
		least = min(least, m.found.Levels[level].support[at])
	}
	return least, true
}

// find returns the place of a conjunction in its level.
func (m *miner) find(atoms []uint32) (at int, found bool) {
	at = m.place[atoms[0]]
	if at < 0 {
		return 0, false
	}
	for k, a := range atoms[1:] {
		first := m.found.Levels[k].first
		from, to := int(first[at]), int(first[at+1])
		i, found := slices.BinarySearch(m.found.Levels[k+1].atom[from:to], a)
		if !found {
			return 0, false
		}
		at = from + i
	}
	return at, true
}

// atomsOf returns the atoms of conjunction i of a level, in dst.
func (f *Found) atomsOf(dst []uint32, level, i int) []uint32 {
	dst = append(dst[:0], make([]uint32, level+1)...)
	for ; level >= 0; level-- {
		dst[level] = f.Levels[level].atom[i]
		i = int(f.Levels[level].parent[i])
	}
	return dst
}

// Sets returns all conjunctions, short ones first, equal sizes ordered by their atoms.
func (f *Found) Sets() []Set {
	all := make([]Set, 0, f.N)
	for k := range f.Levels {
		l := &f.Levels[k]
		for i := range l.atom {
			all = append(all, Set{Atoms: f.atomsOf(nil, k, i), Support: int(l.support[i]), Won: int(l.won[i])})
		}
	}
	return all
}

// Truths returns how often conjunctions are true, in all.
func Truths(sets []Set) int64 { return lists.Sum(sets, func(s Set) int64 { return int64(s.Support) }) }

// near reports whether cells are at most so far apart, by columns and by rows.
func (a *Atoms) near(distance int) func(x, y uint32) bool {
	return func(x, y uint32) bool {
		c, d := a.List[x].Cell, a.List[y].Cell
		if c < 0 || d < 0 {
			return true
		}
		w := a.board.Columns
		return max(abs(c%w-d%w), abs(c/w-d/w)) <= distance
	}
}

func abs(x int) int { return max(x, -x) }

// lists returns the lists that each atom is in; one of a column is in all.
func (a *Atoms) lists(squares [][]string) ([]uint64, error) {
	if len(squares) == 0 {
		return nil, nil
	}
	of := map[int]uint64{}
	for i, list := range squares {
		for _, name := range list {
			cell := a.board.Cell(name)
			if cell < 0 {
				return nil, fmt.Errorf("--squares: the board has no square %q: it has %s to %s", name, a.board.Names[a.cells[0]], a.board.Names[a.cells[len(a.cells)-1]])
			}
			if of[cell]&(1<<i) != 0 {
				return nil, fmt.Errorf("--squares: %s occurs twice in a list", name)
			}
			of[cell] |= 1 << i
		}
	}
	masks := make([]uint64, len(a.List))
	for i, atom := range a.List {
		masks[i] = of[atom.Cell]
		if atom.Cell < 0 {
			masks[i] = ^uint64(0)
		}
	}
	return masks, nil
}

// byWeight sorts indices by the size of their weights, the largest first, then by index.
func byWeight(weights []float64) []int {
	order := lists.N(len(weights), func(i int) int { return i })
	size := func(i int) float64 { return max(weights[i], -weights[i]) }
	sort.SliceStable(order, func(i, j int) bool { return size(order[i]) > size(order[j]) })
	return order
}
