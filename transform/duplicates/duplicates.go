// Package duplicates finds games that another game of the dataset contains, whatever their headers. They have
// the same moves from the same start, or are the beginning of a longer game. Each is written with its
// original; the games themselves are not changed.
//
// In: games. Out: schemas.Duplicates, in the order of the games. Columns record whether the
// players, the dates and the results agree; nothing is decided from them here.
//
// Games go into buckets on disk by the hash of their start and first moves, so a game and its
// continuations share a bucket. In a bucket sorted by moves, every game comes right before its
// continuations. Memory is bounded by a bucket, the work is the same as sorting, and the result
// does not depend on the number of workers.
package duplicates

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/spill"
	"kifu/schemas"
)

// Params are the parameters that determine the output.
type Params struct {
	// MinPrefix is the number of moves from which a game counts as the beginning of a
	// longer one. Below it games agree because openings do.
	MinPrefix int `json:"min_prefix"`
}

// Kinds of duplicates.
const (
	kindMoves  = "moves"
	kindPrefix = "prefix"
)

// bucketBytes is the approximate size of a bucket's games, and bytesPerGame the size of a
// game there: a wrong guess costs memory.
const (
	bucketBytes  = 24 << 20
	bytesPerGame = 240
	maxBuckets   = 1 << 13
)

// Run writes the duplicates among the games in, which are of rules, to out; workers 0 means one per processor.
func Run(ctx context.Context, rules any, p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want("games"); err != nil {
		return err
	}
	if p.MinPrefix < 1 {
		return fmt.Errorf("--min-prefix %d: want 1 or more", p.MinPrefix)
	}
	workers = ordered.Workers(workers)
	out.SetTable(schemas.Duplicates)
	out.SetMeta("game", in.Manifest.Meta["game"])
	out.SetMeta("games_key", in.Manifest.Key)
	dir, err := out.Spill("duplicates")
	if err != nil {
		return err
	}
	games, err := spill.Create(dir+"/games", int(min(in.Rows()*bytesPerGame/bucketBytes+1, maxBuckets)))
	if err != nil {
		return err
	}
	defer games.Close()
	if err := scatter(ctx, rules, p, workers, in, games); err != nil {
		return err
	}
	found, err := spill.Create(dir+"/found", int(in.Rows()/gamesPerRun)+1)
	if err != nil {
		return err
	}
	defer found.Close()
	if err := match(ctx, p, workers, games, found); err != nil {
		return err
	}
	games.Close()
	return write(ctx, in.Rows(), found, out)
}

// match finds the duplicates of every bucket of games.
func match(ctx context.Context, p Params, workers int, games, found *spill.File) error {
	bar := progress.Start(ctx, "compare games", int64(games.Buckets()), "buckets")
	defer bar.Done()
	matchers := make([]matcher, workers)
	return ordered.Run(ctx, games.Buckets(), workers, func(worker, i int, _ func(struct{}) error) error {
		m := &matchers[worker]
		m.params, m.out = p, found
		var err error
		if m.data, err = games.Read(i, m.data); err != nil {
			return err
		}
		if err := m.bucket(); err != nil {
			return err
		}
		bar.Add(1)
		return nil
	}, nil)
}

// rowGroupRows is the length of a row group.
const rowGroupRows = 128 << 10

// write writes the duplicates found into one part, in the order of the games.
func write(ctx context.Context, games int64, found *spill.File, out *datasets.Builder) (err error) {
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	t := newTable()
	counts := manifest.Counts{Read: games}
	for run := range found.Buckets() {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := found.Read(run, nil)
		if err != nil {
			return err
		}
		pairs := make([]pair, len(data)/pairSize)
		for i := range pairs {
			pairs[i].read(data[i*pairSize:])
		}
		slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.id, b.id) })
		for i := range pairs {
			t.append(&pairs[i], &counts)
			if t.Rows == rowGroupRows {
				if err := t.flush(w); err != nil {
					return err
				}
			}
		}
	}
	if err := t.flush(w); err != nil {
		return err
	}
	return w.Close(counts, nil)
}
