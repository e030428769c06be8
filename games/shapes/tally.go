package shapes

import "slices"

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
