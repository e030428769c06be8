package duplicates

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"kifu/internal/spill"
)

// pair is a duplicate with its original.
type pair struct {
	id, original    int64
	plies, ofPlies  int32
	prefix          bool
	players         bool
	date, sameScore bool
}

const pairSize = 25

func (p *pair) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.id))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.original))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.plies))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(p.ofPlies))
	var flags byte
	for i, is := range []bool{p.prefix, p.players, p.date, p.sameScore} {
		if is {
			flags |= 1 << i
		}
	}
	return append(dst, flags)
}

func (p *pair) read(b []byte) {
	p.id, p.original = int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
	p.plies, p.ofPlies = int32(binary.LittleEndian.Uint32(b[16:])), int32(binary.LittleEndian.Uint32(b[20:]))
	p.prefix, p.players, p.date, p.sameScore = b[24]&1 > 0, b[24]&2 > 0, b[24]&4 > 0, b[24]&8 > 0
}

// gamesPerRun is the number of games, by their ids, that share a bucket of the results.
const gamesPerRun = 1 << 20

// matcher finds the duplicates of one bucket after the other.
type matcher struct {
	params  Params
	out     *spill.File
	data    []byte // the bucket
	entries []entry
	longest []int          // by entry: the game it is a duplicate of, itself if of none
	end     []int          // by entry: end of the games that begin with it
	buf     map[int][]byte // duplicates found, by run
}

// bucket writes the duplicates in m.data.
func (m *matcher) bucket() error {
	m.entries = m.entries[:0]
	for b := m.data; len(b) > 0; {
		var e entry
		b = e.read(b)
		m.entries = append(m.entries, e)
	}
	slices.SortFunc(m.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.start, b.start), bytes.Compare(a.moves, b.moves), a.rank(&b))
	})
	m.buf = map[int][]byte{}
	m.findLongest()
	for i := range m.entries {
		e, original := &m.entries[i], &m.entries[m.longest[i]]
		if e == original {
			continue
		}
		p := pair{id: e.id, original: original.id, plies: int32(e.plies()), ofPlies: int32(original.plies()),
			prefix:    len(e.moves) < len(original.moves),
			players:   e.players[0].agrees(original.players[0]) && e.players[1].agrees(original.players[1]),
			date:      bytes.HasPrefix(e.date, original.date) || bytes.HasPrefix(original.date, e.date),
			sameScore: e.result == original.result || e.result == 0 || original.result == 0,
		}
		run := int(p.id / gamesPerRun)
		if run < 0 || run >= m.out.Buckets() {
			return fmt.Errorf("game_id %d: not in the games", p.id)
		}
		m.buf[run] = p.append(m.buf[run])
	}
	for run, data := range m.buf {
		if _, err := m.out.Put(run, data); err != nil {
			return err
		}
	}
	return nil
}

// findLongest sets m.longest for the sorted entries. The games that begin with an entry
// follow it directly. The longest of them counts, of several the first by rank; and of
// games with equal moves that no game continues, the first by rank.
func (m *matcher) findLongest() {
	n := len(m.entries)
	m.longest, m.end = slices.Grow(m.longest[:0], n)[:n], slices.Grow(m.end[:0], n)[:n]
	for i := n - 1; i >= 0; i-- {
		best, next := i, i+1
		for next < n && m.begins(i, next) {
			of := m.longest[next]
			o, b := &m.entries[of], &m.entries[best]
			if len(o.moves) > len(b.moves) || len(o.moves) == len(b.moves) && o.rank(b) < 0 {
				best = of
			}
			next = m.end[next]
		}
		m.longest[i], m.end[i] = best, next
	}
	for i := 1; i < n; i++ {
		if a, b := &m.entries[i-1], &m.entries[i]; a.start == b.start && bytes.Equal(a.moves, b.moves) {
			m.longest[i] = m.longest[i-1]
		}
	}
}

// begins reports whether entry i is a duplicate of entry k, which follows it.
func (m *matcher) begins(i, k int) bool {
	a, b := &m.entries[i], &m.entries[k]
	if a.start != b.start || !bytes.HasPrefix(b.moves, a.moves) {
		return false
	}
	return len(a.moves) == len(b.moves) || a.plies() >= m.params.MinPrefix
}
