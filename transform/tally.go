package transform

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"kifu/internal/spill"
	"kifu/internal/splitmix"
)

// tally summarises a distinct position.
type tally struct {
	first   place    // the least
	results [4]int32 // occurrences by games.Outcome
}

const tallySize = 8 + 4*4

func (t *tally) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(t.first))
	for _, n := range t.results {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

func (t *tally) read(b []byte) {
	t.first = place(binary.LittleEndian.Uint64(b))
	for i := range t.results {
		t.results[i] = int32(binary.LittleEndian.Uint32(b[8+4*i:]))
	}
}

// firsts holds the tallies of all buckets on disk.
type firsts struct {
	*spill.File
	groups []int64   // first game_id of each row group
	runs   [][]int64 // by bucket and row group: start of the run; one more for the end
}

func newFirsts(path string, groups []int64, buckets int) (*firsts, error) {
	s, err := spill.Create(path, 1)
	return &firsts{s, groups, make([][]int64, buckets)}, err
}

// tallyAll tallies all buckets of places.
func (f *firsts) tallyAll(ctx context.Context, workers int, places *spill.File) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range workers {
		g.Go(func() error {
			var t tallier
			var buf []byte
			for {
				bucket := int(next.Add(1) - 1)
				if bucket >= len(f.runs) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				var err error
				if buf, err = places.Read(bucket, buf); err != nil {
					return err
				}
				t.count(buf)
				if f.runs[bucket], err = f.write(t.tallies); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// write sorts and spills tallies and returns the start of the run of each row group.
func (f *firsts) write(tallies []tally) ([]int64, error) {
	slices.SortFunc(tallies, func(a, b tally) int { return cmp.Compare(a.first, b.first) })
	buf := make([]byte, 0, len(tallies)*tallySize)
	for i := range tallies {
		buf = tallies[i].append(buf)
	}
	offset, err := f.Put(0, buf)
	runs := make([]int64, len(f.groups)+1)
	at := 0
	for i, id := range f.groups {
		at += sort.Search(len(tallies)-at, func(k int) bool { return tallies[at+k].first.gameID() >= id })
		runs[i] = offset + int64(at*tallySize)
	}
	runs[len(f.groups)] = offset + int64(len(buf))
	return runs, err
}

// tallier tallies one bucket after the other in a hash table with linear probing.
type tallier struct {
	slots   []int32 // index into tallies plus 1; 0 is free
	hashes  []uint64
	tallies []tally
}

// count tallies the hashes and places in data.
func (t *tallier) count(data []byte) {
	size := 1 << bits.Len(uint(2*len(data)/placeSize))
	if len(t.slots) < size {
		t.slots = make([]int32, size)
	}
	slots := t.slots[:size]
	clear(slots)
	t.hashes, t.tallies = t.hashes[:0], t.tallies[:0]
	for ; len(data) > 0; data = data[placeSize:] {
		hash := binary.LittleEndian.Uint64(data)
		p := place(binary.LittleEndian.Uint64(data[8:]))
		// The bucket was chosen by the top bits of the mixed hash; the low ones are free.
		slot := splitmix.Mix(hash) & uint64(size-1)
		for slots[slot] != 0 && t.hashes[slots[slot]-1] != hash {
			slot = (slot + 1) & uint64(size-1)
		}
		if slots[slot] == 0 {
			t.hashes = append(t.hashes, hash)
			t.tallies = append(t.tallies, tally{first: p})
			slots[slot] = int32(len(t.tallies))
		}
		entry := &t.tallies[slots[slot]-1]
		entry.first = min(entry.first, p)
		entry.results[p.outcome()]++
	}
}

// firstsRun holds the tallies whose first occurrence is in one row group, in the order of
// the games.
type firstsRun struct {
	firsts  *firsts
	buf     []byte
	tallies []tally
	at      int
}

// load reads the run of the row group with those games.
func (r *firstsRun) load(ids []int64) error {
	r.tallies, r.at = r.tallies[:0], 0
	if len(ids) == 0 {
		return nil
	}
	group := sort.Search(len(r.firsts.groups), func(i int) bool { return r.firsts.groups[i] > ids[0] }) - 1
	if group < 0 || r.firsts.groups[group] != ids[0] {
		return fmt.Errorf("the games changed while they were read")
	}
	for _, runs := range r.firsts.runs {
		size := int(runs[group+1] - runs[group])
		r.buf = slices.Grow(r.buf[:0], size)[:size]
		if err := r.firsts.ReadAt(r.buf, runs[group]); err != nil && size > 0 {
			return err
		}
		for at := 0; at < size; at += tallySize {
			var t tally
			t.read(r.buf[at:])
			r.tallies = append(r.tallies, t)
		}
	}
	slices.SortFunc(r.tallies, func(a, b tally) int { return cmp.Compare(a.first, b.first) })
	return nil
}

// talliesOf returns the tallies whose first occurrence is in a game. Call it for games in their order.
func (r *firstsRun) talliesOf(gameID int64) []tally {
	for r.at < len(r.tallies) && r.tallies[r.at].first.gameID() < gameID {
		r.at++
	}
	from := r.at
	for r.at < len(r.tallies) && r.tallies[r.at].first.gameID() == gameID {
		r.at++
	}
	return r.tallies[from:r.at]
}
