package curve

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"kifu/datasets"
	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// known is who played the games of a source, once it was read.
type known struct {
	names *dyads.Names
	of    *dyads.Clusters // of the games that have labels and names
	who   sheet.Known
	games numbered // the ids of these
}

// numbered are the ids of games, ascending: the differences between them as varints, which takes a
// byte a game.
type numbered struct {
	gaps []byte
	last int64
}

// add adds an id, greater than all before.
func (x *numbered) add(id int64) {
	x.gaps = binary.AppendUvarint(x.gaps, uint64(id)-uint64(x.last))
	x.last = id
}

// cursor goes through ids.
type cursor struct {
	left []byte
	at   int // number of the id, from 0; -1: before the first
	id   int64
}

func (x *numbered) start() *cursor { return &cursor{left: x.gaps, at: -1} }

// find returns the number of an id, which is not less than the one asked for before.
func (c *cursor) find(id int64) (at int, found bool) {
	for (c.at < 0 || c.id < id) && len(c.left) > 0 {
		gap, n := binary.Uvarint(c.left)
		c.left, c.id = c.left[n:], int64(uint64(c.id)+gap)
		c.at++
	}
	return c.at, c.at >= 0 && c.id == id
}

// namedGames are games with the names of both players.
type namedGames struct {
	ids   []int64
	pairs []dyads.Pair
}

// readGames reads who played, in ascending order of the games.
func (s *reading) readGames(ctx context.Context, workers int) (*namedGames, error) {
	all := &namedGames{make([]int64, 0, s.games.Rows()), make([]dyads.Pair, 0, s.games.Rows())}
	err := sheet.EachPair(ctx, s.games, workers, "curve: games", s.known.names, nil, func(game int64, pair dyads.Pair) {
		all.ids, all.pairs = append(all.ids, game), append(all.pairs, pair)
	})
	if !slices.IsSorted(all.ids) {
		all.sort()
	}
	return all, err
}

// sort sorts games by id, those of one id in the order that they had.
func (all *namedGames) sort() {
	order := make([]int, len(all.ids))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all.ids[i], all.ids[j]) })
	sorted := &namedGames{make([]int64, len(order)), make([]dyads.Pair, len(order))}
	for to, from := range order {
		sorted.ids[to], sorted.pairs[to] = all.ids[from], all.pairs[from]
	}
	*all = *sorted
}

// clusters reads who played the games that have labels.
func (s *reading) clusters(ctx context.Context, workers int) error {
	all, err := s.readGames(ctx, workers)
	if err != nil {
		return err
	}
	var games numbered
	at, kept := 0, 0 // of the games; of those with labels, which take the first places
	last, begun := int64(0), false
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
			if begun && id == last {
				continue
			}
			if begun && id < last {
				return errApart
			}
			last, begun = id, true
			for at < len(all.ids) && (all.ids[at] < id || at+1 < len(all.ids) && all.ids[at+1] == id) {
				at++
			}
			if at < len(all.ids) && all.ids[at] == id {
				games.add(id)
				all.pairs[kept] = all.pairs[at]
				kept++
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	pairs := all.pairs[:kept]
	all = nil // the ids, before clusters take their memory
	s.known.of, s.known.games = dyads.Of(pairs), games
	s.known.who = sheet.KnownOf(s.known.of, s.known.names)
	return nil
}
