package bygame

import (
	"context"
	"errors"
	"hash/fnv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/splitmix"
	"kifu/schemas"
)

// CopiesFrom is the ply from which two games that share a position are copies, or agree so long that one
// reveals the other's end.
const CopiesFrom = 30

// CopiesMemory is memory for CopiesOf that suits where other work has no bound, in bytes.
const CopiesMemory = 64 << 20

// Copies are groups of games that share a position at the same ply, from ply CopiesFrom on, with each
// other or through others. Databases contain games twice, under different tags: a fit to one copy, tested on
// the other, would only seem to predict.
type Copies struct {
	Of     map[int64]int64 // game → the least id of its group; games of no group are not there
	groups int
}

// CopiesOf reads the positions of labels and the beginnings of their games. Either may be missing:
// choices have no hash of positions, and two copies need not share a sampled position. It returns
// nil if neither exists.
//
// Above memory bytes the evidence of a game, 16 bytes a position, is in a scratch file.
func CopiesOf(ctx context.Context, labels, games *datasets.Dir, title string, memory int64) (_ *Copies, err error) {
	if !hashed(labels) && games == nil || labels != nil && labels.Table.Index("occurrences") >= 0 {
		return nil, nil
	}
	all := newVisits(memory)
	if labels != nil {
		all.held = make([]visit, 0, min(labels.Rows(), memory/visitBytes+1))
	}
	defer func() { err = errors.Join(err, all.close()) }()
	if hashed(labels) {
		if err := eachVisit(ctx, labels, title, all.add); err != nil {
			return nil, err
		}
	}
	if games != nil {
		if err := eachBeginning(ctx, games, title, all.add); err != nil {
			return nil, err
		}
	}
	c := &Copies{Of: map[int64]int64{}}
	err = all.eachRun(ctx, func(sorted []visit) {
		for i := 1; i < len(sorted); i++ {
			if a, b := sorted[i-1], sorted[i]; a.key == b.key && a.game != b.game {
				c.join(a.game, b.game)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	heads := map[int64]bool{}
	for game := range c.Of {
		c.Of[game] = c.root(game)
		heads[c.Of[game]] = true
	}
	c.groups = len(heads)
	return c, nil
}

// eachVisit calls do for every position from CopiesFrom on, in the order of the parts.
func eachVisit(ctx context.Context, dir *datasets.Dir, title string, do func(s visit)) error {
	return datasets.Scan(ctx, dir, title, "positions", []string{"game_id", "ply", "hash"}, func(_ datasets.Group, b *columns.Batch) error {
		for row, ply := range b.Col("ply").Int32 {
			if ply >= CopiesFrom {
				do(visit{b.Col("hash").Uint64[row] ^ splitmix.Mix(uint64(ply)), b.Col("game_id").Int64[row]})
			}
		}
		return nil
	})
}

// hashed reports whether dir has hashes of positions.
func hashed(dir *datasets.Dir) bool {
	return dir != nil && dir.Table.Index("hash") >= 0 && dir.Table.Index("ply") >= 0 && dir.Table.Index("occurrences") < 0
}

// eachBeginning calls do for every game of at least CopiesFrom plies with its start and the moves to
// that ply, instead of its position.
func eachBeginning(ctx context.Context, dir *datasets.Dir, title string, do func(s visit)) error {
	const long = 2 * CopiesFrom // bytes
	return datasets.Scan(ctx, dir, title, "games", []string{"game_id", "game", "start_position", "moves"}, func(_ datasets.Group, b *columns.Batch) error {
		for row := range b.Rows {
			moves := b.Col("moves").Value(row)
			if len(moves) < long {
				continue
			}
			h := fnv.New64a()
			for _, name := range []string{"game", "start_position"} {
				if v := b.Col(name); !v.IsNull(row) {
					h.Write(v.Value(row))
				}
				h.Write([]byte{0})
			}
			h.Write(moves[:long])
			do(visit{h.Sum64(), b.Col("game_id").Int64[row]})
		}
		return nil
	})
}

// Told returns the report on the copies in a sample with a share of the games held out.
func (c *Copies) Told(share float64, seed uint64) *schemas.FitCopies {
	if c == nil || len(c.Of) == 0 {
		return nil
	}
	out := &schemas.FitCopies{FromPly: CopiesFrom, Games: len(c.Of), Groups: c.groups}
	for game, head := range c.Of {
		if c.Held(head, share, seed) != (splitmix.Share(seed, game) < share) {
			out.Moved++
		}
	}
	return out
}

// Known returns the games of test that have a position from ply CopiesFrom on that a game of labels has
// too, and whether that could be determined.
func Known(ctx context.Context, labels, test *datasets.Dir, title string) (games map[int64]bool, told bool, err error) {
	if !hashed(labels) || !hashed(test) {
		return nil, false, nil
	}
	fitted := map[uint64]bool{} // positions of test, of which there are fewer
	if err := eachVisit(ctx, test, title, func(s visit) { fitted[s.key] = false }); err != nil {
		return nil, false, err
	}
	err = eachVisit(ctx, labels, title, func(s visit) {
		if _, is := fitted[s.key]; is {
			fitted[s.key] = true
		}
	})
	if err != nil {
		return nil, false, err
	}
	games = map[int64]bool{}
	err = eachVisit(ctx, test, title, func(s visit) {
		if fitted[s.key] {
			games[s.game] = true
		}
	})
	return games, true, err
}

// Held reports whether a game is held out: whether the hash of seed and the least id among its copies is
// below the share. c has the copies, nil for none. Any number of goroutines may ask.
func (c *Copies) Held(game int64, share float64, seed uint64) bool {
	return splitmix.Share(seed, c.Head(game)) < share
}

// Head returns the least id among the copies of a game, its own if it has none. c may be nil.
func (c *Copies) Head(game int64) int64 {
	if c != nil {
		if head, ok := c.Of[game]; ok {
			return head
		}
	}
	return game
}

// root returns the least id of the games that are joined with one, while games are being joined.
func (c *Copies) root(game int64) int64 {
	for {
		to, ok := c.Of[game]
		if !ok || to == game {
			return game
		}
		if next, ok := c.Of[to]; ok {
			c.Of[game] = next // halves the way of the next one who asks
		}
		game = to
	}
}

func (c *Copies) join(a, b int64) {
	a, b = c.root(a), c.root(b)
	c.Of[a], c.Of[b] = min(a, b), min(a, b)
}
