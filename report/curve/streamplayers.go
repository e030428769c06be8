package curve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"kifu/datasets"
	"kifu/internal/dyads"
)

// clusterSums are the wins, losses and draws that clusters of games have in bins, for one of so
// many shares of the clusters.
type clusterSums struct {
	of            *dyads.Clusters
	number        map[int64]int32 // of a game in of; games without names are not there
	share, shares int32
	most          int                // entries
	own           map[int32]*ownSums // by bin
	bins          [][]entry          // of each cluster, by hash, open addressing; their number is a power of two
	filled        []int32            // how many of each
	used          int                // of all
}

// ownSums are the clusters of one game: by its outcome and the number of its positions, how
// often their squares count.
type ownSums [outcomes][]int64

// entry is a cluster in a bin; without positions there is none.
type entry struct {
	bin       int32
	positions [drawn + 1]uint32
}

// mostEntries bounds memory: with more, the labels are read again for each share of clusters.
const mostEntries = 1 << 22

// errFull is returned when a share of the clusters has too many entries.
var errFull = errors.New("too many sums of clusters")

// sums reads the labels, and again if the sums of the clusters are more than most entries. squares
// has for each line of scores the variance by player in each bin; nil: there are too few players.
func (s *streamed) sums(ctx context.Context, workers, most int) (out *sums, squares []map[int32]float64, err error) {
	var of *dyads.Clusters
	var number map[int64]int32
	if s.games != nil {
		if s.known.of == nil {
			if s.known.of, s.known.number, err = s.clusters(ctx, workers); err != nil {
				return nil, nil, err
			}
		}
		of, number = s.known.of, s.known.number
	}
	if !of.Usable() {
		out, err = s.sum(ctx, workers, nil)
		return out, nil, err
	}
	for shares := int32(1); ; shares *= 2 {
		for range s.scores {
			squares = append(squares, map[int32]float64{})
		}
		for share := range shares {
			c := &clusterSums{of: of, number: number, share: share, shares: shares, most: most, own: map[int32]*ownSums{},
				bins: make([][]entry, len(of.Sums)), filled: make([]int32, len(of.Sums))}
			if out, err = s.sum(ctx, workers, c.add); err != nil {
				break
			}
			for i, line := range s.scores {
				c.square(s, out, line, squares[i])
			}
		}
		if err != errFull {
			return out, squares, err
		}
		squares = nil
	}
}

// known is who played the games of a source, once it was read.
type known struct {
	of     *dyads.Clusters
	number map[int64]int32
}

// clusters reads who played the games that have labels.
func (s *streamed) clusters(ctx context.Context, workers int) (*dyads.Clusters, map[int64]int32, error) {
	names := dyads.NewNames(s.names)
	of := map[int64]dyads.Pair{}
	err := datasets.Each(ctx, s.games, workers, "curve: games", "games", func(_ int, g datasets.Group, emit func(*datasets.Batch) error) error {
		b := datasets.NewBatch(s.games.Table, "game_id", "first_player", "second_player")
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(b)
	}, func(b *datasets.Batch) error {
		one, other := b.Col("first_player"), b.Col("second_player")
		for i, id := range b.Col("game_id").Int64 {
			if one.IsNull(i) || other.IsNull(i) || len(one.Value(i)) == 0 || len(other.Value(i)) == 0 {
				continue
			}
			first, err := names.Number(string(one.Value(i)))
			if err != nil {
				return errApart // a circle of aliases, which the query breaks somewhere
			}
			second, err := names.Number(string(other.Value(i)))
			if err != nil {
				return errApart
			}
			of[id] = dyads.Pair{A: first, B: second}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var games []dyads.Pair
	number := map[int64]int32{}
	batches := datasets.Batches(s.dir.Table, workers, "game_id")
	err = datasets.Each(ctx, s.dir, workers, "curve: read", "positions", func(worker int, g datasets.Group, emit func([]int64) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		var ids []int64
		for i, id := range b.Cols[0].Int64 {
			if i == 0 || id != ids[len(ids)-1] {
				ids = append(ids, id)
			}
		}
		return emit(ids)
	}, func(ids []int64) error {
		for _, id := range ids {
			pair, named := of[id]
			if _, seen := number[id]; named && !seen {
				number[id] = int32(len(games))
				games = append(games, pair)
			}
		}
		return nil
	})
	return dyads.Of(games), number, err
}

// add adds a game to those of its clusters that are in the share.
func (c *clusterSums) add(g played) error {
	at, named := c.number[g.id]
	if !named || g.outcome == unfinished {
		return nil
	}
	own := int64(c.of.Own[at])
	for _, x := range g.shares {
		if own != 0 && c.share == 0 {
			b := c.own[x.bin]
			if b == nil {
				b = &ownSums{}
				c.own[x.bin] = b
			}
			counts := &b[g.outcome]
			for int(x.positions) >= len(*counts) {
				*counts = append(*counts, 0)
			}
			(*counts)[x.positions] += own
		}
		for _, k := range c.of.Of[at] {
			if k >= 0 && k%c.shares == c.share {
				c.entry(k, x.bin).positions[g.outcome] += uint32(x.positions)
			}
		}
	}
	if c.used > c.most {
		return errFull
	}
	return nil
}

// entry returns the sums of a cluster in a bin, to which positions are to be added. The bins of one
// cluster lie together, as a game has several of them.
func (c *clusterSums) entry(cluster, bin int32) *entry {
	all := c.bins[cluster]
	if 4*int(c.filled[cluster]) >= 3*len(all) {
		old := all
		all = make([]entry, max(8, 2*len(old)))
		for _, e := range old {
			if e.taken() {
				*find(all, e.bin) = e
			}
		}
		c.bins[cluster] = all
	}
	e := find(all, bin)
	if !e.taken() {
		e.bin = bin
		c.filled[cluster]++
		c.used++
	}
	return e
}

// find returns the entry of a bin, or the one that it may take.
func find(all []entry, bin int32) *entry {
	mask := uint32(len(all) - 1)
	for h := uint32(bin) * 0x9e3779b9 >> 16; ; h++ { // the highest bits depend on all
		if e := &all[h&mask]; e.bin == bin || !e.taken() {
			return e
		}
	}
}

func (e *entry) taken() bool { return e.positions != [drawn + 1]uint32{} }

// square adds the squares of the clusters' sums to those of each bin: of a player's sum u the
// square, divided by one less his share of the positions, as by_player of games.sql has it.
func (c *clusterSums) square(s *streamed, of *sums, line scored, sum map[int32]float64) {
	add := func(bin int32, sign, wins, losses, draws float64) {
		if !s.counts {
			draws = 0
		}
		positions, allWins, allDraws := s.total(of.bins[bin])
		if n := wins + losses + draws; n > 0 {
			u := wins + line.draw*draws - (allWins+line.draw*allDraws)/positions*n
			sum[bin] += sign * math.Pow(u/(1-min(0.99, n/positions))/positions, 2)
		}
	}
	for bin, own := range c.own { // whose order does not matter: each has a sum of its own
		for outcome := range own {
			for n, times := range own[outcome] {
				var x [outcomes]float64
				x[outcome] = float64(n)
				add(bin, float64(times), x[won], x[lost], x[drawn])
			}
		}
	}
	for cluster, bins := range c.bins {
		for _, e := range bins {
			if e.taken() {
				add(e.bin, c.of.Sums[cluster], float64(e.positions[won]), float64(e.positions[lost]), float64(e.positions[drawn]))
			}
		}
	}
}

// variances writes the variances by player as rows of the table by_player of curve.sql.
func (s *streamed) variances(source int, of *sums, squares []map[int32]float64) (rows []string) {
	for i, sum := range squares {
		for _, bin := range of.ordered() {
			v, ok := sum[bin]
			if !ok || bin == noBin {
				continue
			}
			text := fmt.Sprintf("(%d, 0, %d, ", source, bin)
			if s.counts {
				text += "'" + s.scores[i].line + "', "
			}
			rows = append(rows, text+fmt.Sprintf("%.17e::DOUBLE)", v))
		}
	}
	return rows
}
