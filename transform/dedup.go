package transform

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"sort"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/spill"
	"kifu/internal/splitmix"
)

// Dedup reads the games twice.
//
// First pass (scatter): every kept position leaves its hash and its place in the bucket of
// its hash. Buckets are then tallied one by one (tallyAll): first occurrence, number of
// occurrences, and results. A bucket's tallies, sorted by place, are spilled again.
//
// Second pass: the games are replayed again, and a row group writes the positions at the first
// occurrences in its games. A bucket's tallies are in the order of the games, so each bucket has a row
// group's in one run.

// bucketPositions is the approximate number of positions in a bucket. A worker needs some
// 60 bytes of memory for each.
const bucketPositions = 1 << 20

// pliesPerGame only determines the number of buckets: a wrong guess costs memory.
const pliesPerGame = 100

// bucketsFor returns the number of buckets, a power of two.
func bucketsFor(games int64) int {
	n := 1
	for int64(n)*bucketPositions < games*pliesPerGame && n < 4096 {
		n *= 2
	}
	return n
}

func runDedup[P games.Position[P]](ctx context.Context, r games.Rules[P], p Params, without leftOut, buckets int, o datasets.MapOptions, in *datasets.Dir, out *datasets.Builder) error {
	o.Workers = ordered.Workers(o.Workers)
	dir, err := out.Spill("dedup")
	if err != nil {
		return err
	}
	places, err := spill.Create(dir+"/places", buckets)
	if err != nil {
		return err
	}
	defer places.Close()
	groups, err := scatter(ctx, r, p, without, o, in, places)
	if err != nil {
		return err
	}
	firsts, err := newFirsts(dir+"/firsts", groups, buckets)
	if err != nil {
		return err
	}
	defer firsts.Close()
	if err := firsts.tallyAll(ctx, o.Workers, places); err != nil {
		return err
	}
	places.Close()
	return datasets.Map(ctx, in, out, o, func() datasets.MapFunc {
		w := newWorker(r, p, without)
		run := &firstsRun{firsts: firsts}
		return func(in, out *columns.Batch) (manifest.Counts, error) {
			if err := run.load(in.Col("game_id").Int64); err != nil {
				return manifest.Counts{}, err
			}
			w.rows.bind(out)
			written := int64(0)
			c, err := w.run(in, func(g *game[P]) error {
				tallies := run.talliesOf(g.id)
				w.keep = w.keep[:0]
				for _, t := range tallies {
					w.keep = append(w.keep, t.first.ply())
				}
				w.rows.append(g, w.keep)
				w.rows.appendTallies(tallies)
				written += int64(len(tallies))
				return w.rows.close()
			})
			c.Note("positions that had come up before", c.Written-written)
			c.Written = written
			return c, err
		}
	})
}

// scatter replays all games and puts hash and place of each kept position into buckets. It
// returns the first game_id of each row group.
func scatter[P games.Position[P]](ctx context.Context, r games.Rules[P], p Params, without leftOut, o datasets.MapOptions, in *datasets.Dir, places *spill.File) ([]int64, error) {
	type scatterer struct {
		worker *worker[P]
		batch  *columns.Batch
		out    *scatterBuffer
	}
	workers := make([]scatterer, o.Workers)
	for i := range workers {
		workers[i] = scatterer{newWorker(r, p, without), columns.NewBatch(in.Table, o.Columns...), newScatterBuffer(places)}
	}
	type ends struct{ first, last int64 }
	var groups []ends
	err := datasets.Each(ctx, in, o.Workers, "find distinct positions", o.Unit, func(worker int, rg datasets.Group, emit func(ends) error) error {
		w := workers[worker]
		if err := rg.Read(w.batch); err != nil {
			return err
		}
		ids := w.batch.Col("game_id").Int64
		if len(ids) == 0 || !sort.SliceIsSorted(ids, func(i, j int) bool { return ids[i] < ids[j] }) {
			return errNotAscending
		}
		_, err := w.worker.run(w.batch, func(g *game[P]) error {
			for _, ply := range w.worker.keep {
				if err := w.out.put(g.positions[ply].Hash(), newPlace(g.id, ply, g.result)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return emit(ends{ids[0], ids[len(ids)-1]})
	}, func(e ends) error {
		if n := len(groups); n > 0 && e.first <= groups[n-1].last {
			return errNotAscending
		}
		groups = append(groups, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, w := range workers {
		if err := w.out.Flush(); err != nil {
			return nil, err
		}
	}
	first := make([]int64, len(groups))
	for i, e := range groups {
		first[i] = e.first
	}
	return first, nil
}

var errNotAscending = errors.New("the games' game_id does not ascend: not a dataset made by kifu ingest")

// place is the occurrence of a position, with the result of its game: game_id<<22 | ply<<2
// | outcome. Places sort by game and ply.
type place uint64

const (
	plyBits   = 20
	gameShift = plyBits + 2

	maxPlies = 1<<plyBits - 1
)

func newPlace(gameID int64, ply int, o games.Outcome) place {
	return place(gameID)<<gameShift | place(ply)<<2 | place(o)
}

func (p place) gameID() int64          { return int64(p >> gameShift) }
func (p place) ply() int               { return int(p >> 2 & maxPlies) }
func (p place) outcome() games.Outcome { return games.Outcome(p & 3) }

// scatterBuffer collects one worker's positions by bucket.
type scatterBuffer struct {
	*spill.Writer
	shift int
}

const (
	placeSize  = 16 // hash, place
	chunkBytes = 512 * placeSize
)

func newScatterBuffer(to *spill.File) *scatterBuffer {
	return &scatterBuffer{Writer: spill.NewWriter(to, chunkBytes), shift: 64 - bits.Len(uint(to.Buckets()-1))}
}

func (s *scatterBuffer) put(hash uint64, p place) error {
	bucket := int(splitmix.Mix(hash) >> s.shift)
	b := binary.LittleEndian.AppendUint64(s.Pending(bucket), hash)
	return s.Put(bucket, binary.LittleEndian.AppendUint64(b, uint64(p)))
}
