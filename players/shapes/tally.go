package shapes

import (
	"slices"

	"kifu/games"
)

// tally counts keys in memory that grows with those that differ, not with how often they come.
type tally struct {
	keys    []uint64 // ascending
	counts  []uint32
	pending []uint64 // not counted yet
}

// mostPending is the number of keys that wait to be counted, or half of those that are known.
const mostPending = 1 << 16

func (t *tally) add(key uint64) {
	if t.pending = append(t.pending, key); len(t.pending) >= max(mostPending, len(t.keys)/2) {
		t.count()
	}
}

// count counts the keys that wait.
func (t *tally) count() {
	slices.Sort(t.pending)
	var one tally
	for i := 0; i < len(t.pending); {
		n := i + 1
		for n < len(t.pending) && t.pending[n] == t.pending[i] {
			n++
		}
		one.keys, one.counts = append(one.keys, t.pending[i]), append(one.counts, uint32(n-i))
		i = n
	}
	t.pending = t.pending[:0]
	t.merge(&one)
}

// merge adds what u has counted.
func (t *tally) merge(u *tally) {
	if len(t.keys) == 0 {
		t.keys, t.counts = u.keys, u.counts
		return
	}
	keys, counts := make([]uint64, 0, len(t.keys)+len(u.keys)), make([]uint32, 0, len(t.keys)+len(u.keys))
	for i, k := 0, 0; i < len(t.keys) || k < len(u.keys); {
		switch {
		case k == len(u.keys) || i < len(t.keys) && t.keys[i] < u.keys[k]:
			keys, counts = append(keys, t.keys[i]), append(counts, t.counts[i])
			i++
		case i == len(t.keys) || u.keys[k] < t.keys[i]:
			keys, counts = append(keys, u.keys[k]), append(counts, u.counts[k])
			k++
		default:
			keys, counts = append(keys, t.keys[i]), append(counts, t.counts[i]+u.counts[k])
			i, k = i+1, k+1
		}
	}
	t.keys, t.counts = keys, counts
}

// numbers numbers keys from 0 in the order in which they are added. Keys are hashes, so
// their low bits select the slot; a slot holds a number + 1, 0 when it is free.
type numbers struct {
	keys  []uint64 // by number
	slots []uint32
}

// add gives a new key the next number.
func (t *numbers) add(key uint64) {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]uint32, max(1024, 2*len(t.slots)))
		for i := range t.keys {
			t.put(uint32(i))
		}
	}
	t.keys = append(t.keys, key)
	t.put(uint32(len(t.keys) - 1))
}

func (t *numbers) put(number uint32) {
	mask := uint64(len(t.slots) - 1)
	at := t.keys[number] & mask
	for t.slots[at] != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = number + 1
}

// eachKept calls f with the number of each shape kept around each move of p, the smallest first, at most sizes of them.
func eachKept[P games.Position[P]](of games.Patterns[P], kept *numbers, sizes int, p P, moves []games.Move, f func(move int, number uint32)) {
	at, found := -1, 0
	of.EachPattern(p, moves, func(move int, key uint64) bool {
		if move != at {
			at, found = move, 0
		}
		n, ok := kept.find(key)
		if ok {
			f(move, n)
			found++
		}
		return ok && found < sizes // without it no larger one is kept
	})
}

// find returns the number of a key.
func (t *numbers) find(key uint64) (number uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	mask := uint64(len(t.slots) - 1)
	for at := key & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if n := t.slots[at] - 1; t.keys[n] == key {
			return n, true
		}
	}
	return 0, false
}
