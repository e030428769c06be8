package curve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/query"
	"kifu/report/shape"
	"kifu/schemas"
)

// cells are the bins of all positions of a dataset, game by game, kept while conditions are
// tried: a condition then asks the database only for which positions it holds, a bit each, and
// its sums by game and bin are made here. That takes half the time of grouping millions of
// positions by game and bin in the database.
type cells struct {
	source *streamed
	games  []binned
	plies  []uint16 // of the positions, game after game, ascending within one
	bins   []int32
	words  int // of 64 plies, of all games
}

// binned is a game: its positions begin at number from, the words of its plies at word.
type binned struct {
	id         int64
	outcome    uint8
	from, word int
}

// mostCells is the number of positions of which cells are kept, 6 bytes each.
const mostCells = 32 << 20

// binsOf returns the cells of the live curves, nil where the database has to group: distinct
// positions, values that are computed, games that lie apart, plies that repeat, too many rows.
func (l *Live) binsOf(ctx context.Context) (*cells, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cells != nil || l.apart {
		return l.cells, nil
	}
	l.apart = true
	of := l.base.Sources[0]
	at := l.dir.Table.Index(of.Column)
	if of.Dedup || at < 0 || l.dir.Table.Columns[at].Type != schemas.Float32 || l.dir.Table.Index("ply") < 0 || l.dir.Rows() > mostCells || l.base.query.Players.On() ||
		l.base.query.Sources[0].Value != query.QuoteName(of.Column) {
		return nil, nil
	}
	c := &cells{source: &streamed{dir: l.dir, column: of.Column, bin: l.base.Bin, counts: l.base.Params.Draws != shape.DrawsExclude},
		plies: make([]uint16, 0, l.dir.Rows()), bins: make([]int32, 0, l.dir.Rows())}
	err := c.read(ctx, l.base.Params.Workers)
	if errors.Is(err, errApart) {
		return nil, nil
	}
	if err != nil {
		l.apart = false
		return nil, err
	}
	l.cells, l.apart = c, false
	return c, nil
}

// read reads the labels.
func (c *cells) read(ctx context.Context, workers int) error {
	s := c.source
	batches := datasets.Batches(s.dir.Table, workers, "game_id", "ply", "result", s.column)
	return datasets.Each(ctx, s.dir, workers, "curve: read", "positions", func(worker int, g datasets.Group, emit func(*cells) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		part := &cells{source: s}
		if err := part.take(b); err != nil {
			return err
		}
		return emit(part)
	}, c.append)
}

// take takes the rows of a row group.
func (c *cells) take(b *columns.Batch) error {
	ids, plies, values, results := b.Col("game_id").Int64, b.Col("ply").Int32, b.Col(c.source.column), b.Col("result")
	for i, id := range ids {
		outcome, ply := outcomeOf(results, i), plies[i]
		if ply < 0 || ply > math.MaxUint16 {
			return errApart
		}
		if n := len(c.games); n == 0 || id != c.games[n-1].id {
			c.games = append(c.games, binned{id: id, outcome: outcome, from: i})
		} else if outcome != c.games[n-1].outcome {
			return errApart
		}
		bin := int32(noBin)
		if !values.IsNull(i) {
			bin = c.source.binOf(values.Float32[i])
		}
		c.plies, c.bins = append(c.plies, uint16(ply)), append(c.bins, bin)
	}
	return nil
}

// append appends the cells of the next row group. Its first game may be the last one so far.
func (c *cells) append(part *cells) error {
	first := len(c.plies)
	c.plies, c.bins = append(c.plies, part.plies...), append(c.bins, part.bins...)
	for i, g := range part.games {
		to := len(part.plies)
		if i+1 < len(part.games) {
			to = part.games[i+1].from
		}
		plies := c.plies[first+g.from : first+to]
		last := len(c.games) - 1
		switch {
		case last >= 0 && g.id == c.games[last].id:
			if g.outcome != c.games[last].outcome {
				return errApart
			}
			plies = c.plies[c.games[last].from : first+to]
			c.words = c.games[last].word
		case last >= 0 && g.id < c.games[last].id:
			return errApart
		default:
			g.from, g.word = first+g.from, c.words
			c.games = append(c.games, g)
		}
		for k := 1; k < len(plies); k++ {
			if plies[k] <= plies[k-1] {
				return errApart
			}
		}
		c.words += int(plies[len(plies)-1])>>6 + 1
	}
	return nil
}

// holds asks for which positions of the view the condition holds: the bits of the games' plies.
func (c *cells) holds(ctx context.Context, db *query.DB, view, where string) ([]uint64, error) {
	r, err := db.Query(ctx, "SELECT game_id, ply >> 6 AS word, bit_or(1::UBIGINT << (ply & 63)::UBIGINT) AS plies FROM "+view+" WHERE ("+where+"\n) GROUP BY ALL")
	if err != nil {
		return nil, err
	}
	bits := make([]uint64, c.words)
	return bits, r.Each(func(row []any) error {
		id, _ := row[0].(int64)
		word, _ := row[1].(int64)
		set, ok := row[2].(uint64)
		i, found := slices.BinarySearchFunc(c.games, id, func(g binned, id int64) int { return int(min(1, max(-1, g.id-id))) })
		if !found || !ok || c.games[i].word+int(word) >= len(bits) {
			return fmt.Errorf("a condition holds at ply %d of game %d, which is not there", word<<6, id)
		}
		bits[c.games[i].word+int(word)] = set
		return nil
	})
}

// sums are those over the positions whose bits are set, nil: over all.
func (c *cells) sums(bits []uint64) *sums {
	out := &sums{bins: map[int32]*binSums{}}
	var g played
	for i, game := range c.games {
		to := len(c.plies)
		if i+1 < len(c.games) {
			to = c.games[i+1].from
		}
		g = played{id: game.id, outcome: game.outcome, shares: g.shares[:0]}
		for k := game.from; k < to; k++ {
			if ply := c.plies[k]; bits == nil || bits[game.word+int(ply>>6)]>>(ply&63)&1 != 0 {
				g.add(share{c.bins[k], 1})
			}
		}
		if len(g.shares) > 0 {
			c.source.take(out, g)
		}
	}
	return out
}
