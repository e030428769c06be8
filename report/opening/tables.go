package opening

import (
	"sync"
	"sync/atomic"

	"kifu/internal/splitmix"
	"kifu/schemas"
)

// The tables of a stream: sums by position and by move, all of them whole numbers and maxima, so
// that it does not matter in which order rows are added.

// edgeKey is a move that led from a position to another, in which an opening was named.
type edgeKey struct {
	moveKey
	child uint64
	name  uint32
	first bool
}

// moveKey is a move in a position; texts are numbers of stream.texts.
type moveKey struct {
	spot
	move uint32
}

// nodeSum counts the rows of a position, and the rows after which a move leads to another row.
type nodeSum struct {
	rows, left int64
	row        int64  // number of the first one, where its board is
	form       uint64 // equal for mirror images and rotations
}

func (s *nodeSum) add(t nodeSum) {
	if s.rows == 0 || t.rows > 0 && t.row < s.row {
		s.row, s.form = t.row, t.form
	}
	s.rows, s.left = s.rows+t.rows, s.left+t.left
}

// moveSum counts the rows in which a move was played, and those with another row after them.
type moveSum struct{ rows, left int64 }

func (s *moveSum) add(t moveSum) { s.rows, s.left = s.rows+t.rows, s.left+t.left }

// edgeSum holds what the query sums up of a move.
type edgeSum struct {
	games, wins, draws, losses int64
	own, owns                  int64 // ratings of who moved, and how many
	other, rated               int64 // the opponent's in games with a result
	ratedHalves                int64 // points in these, two a win
	years, yeared              int64
	value, parent              float32
	valued, parentValued       bool
	date                       schemas.Date // the last; 0: none
}

func (s *edgeSum) add(t edgeSum) {
	s.games, s.wins, s.draws, s.losses = s.games+t.games, s.wins+t.wins, s.draws+t.draws, s.losses+t.losses
	s.own, s.owns, s.other, s.rated = s.own+t.own, s.owns+t.owns, s.other+t.other, s.rated+t.rated
	s.ratedHalves += t.ratedHalves
	s.years, s.yeared = s.years+t.years, s.yeared+t.yeared
	s.value, s.valued = greatest(s.value, s.valued, t.value, t.valued)
	s.parent, s.parentValued = greatest(s.parent, s.parentValued, t.parent, t.parentValued)
	s.date = max(s.date, t.date)
}

// greatest is max of the query: nulls do not count, and a NaN is above all numbers.
func greatest(a float32, known bool, b float32, also bool) (float32, bool) {
	if !known || also && (b > a || b != b) {
		return b, also
	}
	return a, known
}

// keyed has a number without a pattern, by which it is found.
type keyed interface {
	comparable
	mix() uint64
}

func (s spot) mix() uint64    { return splitmix.Mix(s.hash ^ uint64(s.ply+1)*splitmix.Golden) }
func (k moveKey) mix() uint64 { return (k.spot.mix() ^ uint64(k.move)) * splitmix.Golden }
func (k edgeKey) mix() uint64 {
	return (k.hash ^ k.child<<1 ^ uint64(k.move)<<32 ^ uint64(k.name)<<16 ^ uint64(k.ply)) * splitmix.Golden
}

// sumsBy holds sums by key, in the order in which the keys came.
type sumsBy[K keyed, V any] struct {
	slots []int32 // number of a key from 1, by open addressing; their number is a power of two
	keys  []K
	sums  []V
}

// slot returns the slot of a key, or the free one where it would be.
func (t *sumsBy[K, V]) slot(k K) *int32 {
	mask := uint64(len(t.slots) - 1)
	h := k.mix()
	for i := h ^ h>>32; ; i++ {
		at := &t.slots[i&mask]
		if *at == 0 || t.keys[*at-1] == k {
			return at
		}
	}
}

// number returns the number of a key, from 0.
func (t *sumsBy[K, V]) number(k K) int32 {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]int32, max(1<<10, 2*len(t.slots)))
		for i, k := range t.keys {
			*t.slot(k) = int32(i + 1)
		}
	}
	at := t.slot(k)
	if *at == 0 {
		var none V
		t.keys, t.sums = append(t.keys, k), append(t.sums, none)
		*at = int32(len(t.keys))
	}
	return *at - 1
}

// sum returns the sum of a key, which is valid until the next call.
func (t *sumsBy[K, V]) sum(k K) *V { return &t.sums[t.number(k)] }

// find returns the sum of a key, nil if it has none.
func (t *sumsBy[K, V]) find(k K) *V {
	if len(t.slots) == 0 {
		return nil
	}
	if at := *t.slot(k); at > 0 {
		return &t.sums[at-1]
	}
	return nil
}

func (t *sumsBy[K, V]) reset() {
	clear(t.slots)
	t.keys, t.sums = t.keys[:0], t.sums[:0]
}

// tables are the sums of some positions.
type tables struct {
	mu    sync.Mutex
	nodes sumsBy[spot, nodeSum]
	moves sumsBy[moveKey, moveSum] // only of boards that are merged, and with choices
	edges sumsBy[edgeKey, edgeSum]
}

func (t *tables) reset() {
	t.nodes.reset()
	t.moves.reset()
	t.edges.reset()
}

func (t *tables) entries() int { return len(t.nodes.keys) + len(t.moves.keys) + len(t.edges.keys) }

// sharded is the tables of all positions, in shards that are filled at the same time.
type sharded struct {
	shards  [64]tables
	entries atomic.Int64
}

func (t *sharded) shard(s spot) *tables { return &t.shards[s.mix()>>58] }

// add adds the tables of some rows.
func (t *sharded) add(part *tables) {
	lock := func(at spot, f func(to *tables)) {
		to := t.shard(at)
		to.mu.Lock()
		before := to.entries()
		f(to)
		t.entries.Add(int64(to.entries() - before))
		to.mu.Unlock()
	}
	for i, k := range part.nodes.keys {
		lock(k, func(to *tables) { to.nodes.sum(k).add(part.nodes.sums[i]) })
	}
	for i, k := range part.moves.keys {
		lock(k.spot, func(to *tables) { to.moves.sum(k).add(part.moves.sums[i]) })
	}
	for i, k := range part.edges.keys {
		lock(k.spot, func(to *tables) { to.edges.sum(k).add(part.edges.sums[i]) })
	}
}

// noText is the number of the empty text.
const noText = 0

// texts numbers texts.
type texts struct {
	mu   sync.Mutex
	at   map[string]uint32
	text []string
}

func (t *texts) number(text string) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.at[text]
	if !ok {
		if t.at == nil {
			t.at = map[string]uint32{}
		}
		n = uint32(len(t.text))
		t.at[text], t.text = n, append(t.text, text)
	}
	return n
}

// frequent reports which positions can have as many rows as a shown move has games: by counters,
// several a position, which positions share by chance. It may take a rare position for a frequent one
// and never the reverse, in memory that does not depend on their number.
type frequent struct {
	words []atomic.Uint32
	most  uint32 // what a counter counts to
}

const (
	counterBits = 4
	counters    = 2 // of a position
	// mostWords bounds the memory of the counters, 4 bytes each.
	mostWords = 1 << 26
)

// newFrequent makes counters for so many rows, of positions with least rows or more.
func newFrequent(rows int64, least int) *frequent {
	f := &frequent{most: uint32(min(least, 1<<counterBits-1))}
	words := 1 << 10
	for int64(words) < rows && words < mostWords {
		words <<= 1
	}
	f.words = make([]atomic.Uint32, words)
	return f
}

// cell returns the word and the shift of counter n of a position.
func (f *frequent) cell(key uint64, n int) (*atomic.Uint32, uint64) {
	h := splitmix.Hash(key, int64(n))
	return &f.words[h>>8&uint64(len(f.words)-1)], h & 0xff % (32 / counterBits) * counterBits
}

func (f *frequent) add(key uint64) {
	for n := range counters {
		word, shift := f.cell(key, n)
		for {
			old := word.Load()
			if old>>shift&(1<<counterBits-1) >= f.most || word.CompareAndSwap(old, old+1<<shift) {
				break
			}
		}
	}
}

func (f *frequent) has(key uint64) bool {
	for n := range counters {
		if word, shift := f.cell(key, n); word.Load()>>shift&(1<<counterBits-1) < f.most {
			return false
		}
	}
	return true
}
