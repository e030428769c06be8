package clean

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// gone are the games that are left out, one for each, in order of their ids.
type gone []Out

// bitset has a bit per game, with the number of bits before each word.
type bitset struct {
	words  []uint64
	before []int64
}

func newBitset(n int64) *bitset { return &bitset{words: make([]uint64, n/64+1)} }

func (s *bitset) add(id int64)      { s.words[id>>6] |= 1 << (id & 63) }
func (s *bitset) has(id int64) bool { return s.words[id>>6]>>(id&63)&1 > 0 }

// count prepares below.
func (s *bitset) count() {
	s.before = make([]int64, len(s.words))
	n := int64(0)
	for i, w := range s.words {
		s.before[i] = n
		n += int64(bits.OnesCount64(w))
	}
}

// below returns how many ids below id are in s.
func (s *bitset) below(id int64) int64 {
	return s.before[id>>6] + int64(bits.OnesCount64(s.words[id>>6]&(1<<(id&63)-1)))
}

// settle sorts the games that are left out and follows each to the game that stays. Of a game
// that is named more than once the first counts.
func (r *run) settle() error {
	n := r.in.Rows()
	r.left = newBitset(n)
	for _, g := range r.gone {
		if g.ID < 0 || g.ID >= n || g.Kept >= n {
			return fmt.Errorf("game_id %d does not occur in %s", max(g.ID, g.Kept), r.in.Path)
		}
		r.left.add(g.ID)
	}
	slices.SortStableFunc(r.gone, func(a, b Out) int { return cmp.Compare(a.ID, b.ID) })
	r.gone = slices.CompactFunc(r.gone, func(a, b Out) bool { return a.ID == b.ID })
	r.left.count()
	for i := range r.gone {
		kept, same := r.gone[i].Kept, r.gone[i].Same
		for steps := 0; kept >= 0 && r.left.has(kept); steps++ {
			if steps > len(r.gone) {
				return fmt.Errorf("game %d is listed as a duplicate of itself", r.gone[i].ID)
			}
			next := r.gone.entry(kept)
			kept, same = next.Kept, same && next.Same
		}
		r.gone[i].Kept, r.gone[i].Same = kept, same
	}
	return nil
}

// entry returns the entry of a game that is left out.
func (g gone) entry(id int64) *Out {
	i, _ := slices.BinarySearchFunc(g, id, func(o Out, id int64) int { return cmp.Compare(o.ID, id) })
	return &g[i]
}
