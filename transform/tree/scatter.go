package tree

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/spill"
)

// texts numbers the texts of moves.
type texts struct {
	mu      sync.Mutex
	numbers map[string]uint32
}

func (t *texts) number(text string) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.numbers[text]
	if !ok {
		if t.numbers == nil {
			t.numbers = map[string]uint32{}
		}
		n = uint32(len(t.numbers))
		t.numbers[text] = n
	}
	return n
}

// list returns the texts by their numbers.
func (t *texts) list() []string {
	all := make([]string, len(t.numbers))
	for text, n := range t.numbers {
		all[n] = text
	}
	return all
}

// mostTexts is how many texts of moves an entry can distinguish.
const mostTexts = 1 << 24

// sourceColumns are the columns of the games that are read.
var sourceColumns = []string{"game_id", "first_elo", "second_elo", "variant", "start_position", "result", "moves", "date", "base_ms", "increment_ms"}

// chunkBytes is the number of bytes of a bucket that a worker collects before it writes them.
const chunkBytes = 16 << 10

// scatterer replays games into buckets. It must not be shared by goroutines.
type scatterer[P games.Position[P]] struct {
	rules    games.Rules[P]
	depth    int
	from     int64
	unroller *games.Unroller[P]
	names    *texts
	known    [1 << knownBits]knownText // of names, by a hash of the text
	to       *spill.Writer
	shift    int // of a hash to its bucket
	batch    *columns.Batch
	visited  visited
	entries  []entry // of a game
	text     []byte
}

// scatter puts the plies of games into the buckets of their positions, and counts the games.
func scatter[P games.Position[P]](ctx context.Context, rules games.Rules[P], p Params, workers int, f source, names *texts, to *spill.File) (manifest.Counts, error) {
	all := make([]*scatterer[P], workers)
	for i := range all {
		all[i] = &scatterer[P]{rules: rules, depth: p.Depth, from: f.from, unroller: games.NewUnroller(rules), names: names,
			to: spill.NewWriter(to, chunkBytes), shift: 64 - bits.TrailingZeros(uint(to.Buckets())),
			batch: columns.NewBatch(f.dir.Table, sourceColumns...), visited: visited{slots: make([]uint64, 2<<bits.Len(uint(p.Depth)))}}
	}
	counts := manifest.Counts{Read: f.dir.Rows()}
	err := datasets.Each(ctx, f.dir, workers, "read games", "games", func(worker int, g datasets.Group, emit func(manifest.Counts) error) error {
		s := all[worker]
		if err := g.Read(s.batch); err != nil {
			return err
		}
		c, err := s.put()
		if err != nil {
			return err
		}
		return emit(c)
	}, func(c manifest.Counts) error {
		counts.Add(c)
		return nil
	})
	if err != nil {
		return counts, err
	}
	for _, s := range all {
		if err := s.to.Flush(); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// put scatters the games of the batch. It counts those that cannot be replayed.
func (s *scatterer[P]) put() (c manifest.Counts, err error) {
	ids := s.batch.Col("game_id").Int64
	for row := range s.batch.Rows {
		facts, err := s.facts(row)
		if err != nil {
			return c, err
		}
		if err := s.replay(row); err != nil {
			c.Reject(string(games.ReasonOf(err)), 1)
			continue
		}
		game := ids[row] + s.from
		if game>>gameBits != 0 {
			return c, fmt.Errorf("game_id %d: a tree has those below %d", game, int64(1)<<gameBits)
		}
		for i := range s.entries {
			e := &s.entries[i]
			e.game, e.facts = game, facts
			if err := s.add(e); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// facts reads the facts of a game from the columns of a row.
func (s *scatterer[P]) facts(row int) (facts, error) {
	var elo [2]int32
	for side, name := range [2]string{"first_elo", "second_elo"} {
		if v := s.batch.Col(name); !v.IsNull(row) {
			elo[side] = v.Int32[row]
		}
	}
	result := games.OutcomeNamed(s.batch.Col("result").Value(row))
	date, ok := dateOf(s.batch.Col("date").Value(row))
	if !ok {
		return 0, fmt.Errorf("game_id %d: date %q: want a year, a month or a day as 1950-07-15", s.batch.Col("game_id").Int64[row], s.batch.Col("date").Value(row))
	}
	speed := 0
	if base, increment := s.batch.Col("base_ms"), s.batch.Col("increment_ms"); !base.IsNull(row) {
		speed = speedOf(base.Int32[row], increment.Int32[row])
	}
	return factsOf(date, elo, result, speed), nil
}

// replay sets s.entries to the first plies of a game, each position once.
func (s *scatterer[P]) replay(row int) error {
	s.entries = s.entries[:0]
	s.visited.reset()
	start, err := s.unroller.Start(s.batch.Col("variant").Value(row), s.batch.Col("start_position").Value(row))
	if err != nil {
		return err
	}
	codes := s.batch.Col("moves").Value(row)
	taken := codes[:min(len(codes), 2*s.depth)]
	last, err := s.unroller.Play(start, taken, func(p P, m games.Move) {
		if h := p.Hash(); s.visited.add(h) {
			s.text = s.rules.AppendCoordinates(s.text[:0], p, m)
			s.entries = append(s.entries, entry{hash: h, move: s.number()})
		}
	})
	if len(codes) < 2*s.depth && err == nil {
		if h := last.Hash(); s.visited.add(h) {
			s.entries = append(s.entries, entry{hash: h})
		}
	}
	return err
}

// knownText is a text of up to eight bytes and its number.
type knownText struct {
	text   uint64
	number uint32
}

// knownBits is the logarithm of how many texts a scatterer remembers: chess has less than 2,000.
const knownBits = 12

// number returns the number of s.text.
func (s *scatterer[P]) number() uint32 {
	if len(s.text) == 0 || len(s.text) > 8 {
		return s.names.number(string(s.text))
	}
	var bytes [8]byte
	copy(bytes[:], s.text)
	text := binary.LittleEndian.Uint64(bytes[:])
	k := &s.known[text*0x9e3779b97f4a7c15>>(64-knownBits)] // Fibonacci hashing
	if k.text != text {
		*k = knownText{text, s.names.number(string(s.text))}
	}
	return k.number
}

func (s *scatterer[P]) add(e *entry) error {
	if e.move >= mostTexts {
		return fmt.Errorf("more than %d texts of moves", mostTexts)
	}
	bucket := int(e.hash >> s.shift)
	return s.to.Put(bucket, e.append(s.to.Pending(bucket)))
}

// visited is the set of a game's positions.
type visited struct {
	slots []uint64 // 0: empty
	zero  bool     // a position has the hash 0
}

func (v *visited) reset() {
	clear(v.slots)
	v.zero = false
}

// add reports whether the hash is new.
func (v *visited) add(hash uint64) bool {
	if hash == 0 {
		was := v.zero
		v.zero = true
		return !was
	}
	for i := hash; ; i++ {
		switch at := &v.slots[i&uint64(len(v.slots)-1)]; *at {
		case 0:
			*at = hash
			return true
		case hash:
			return false
		}
	}
}
