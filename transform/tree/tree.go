// Package tree sums up what was played in each position of games: an opening tree, in which lines that
// transpose are one.
//
// In: games. Out: schemas.Tree, sorted by hash.
//
// It replays the first plies of the games. Each position with its move goes into a bucket on disk
// by the upper bits of its hash. Each bucket is summed up in memory, and those follow one another
// in the order of the hash. Memory depends on the distinct positions of a bucket, and not on the
// number of games.
package tree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/several"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/spill"
	"kifu/schemas"
)

// Params are the parameters that determine the output.
type Params struct {
	Depth    int      `json:"depth"`     // plies of a game that are taken
	MinGames int      `json:"min_games"` // of a position that is kept
	By       []string `json:"by"`        // names in schemas.TreeGroups
}

// mostDepth is the greatest Depth.
const mostDepth = 1000

// Validate returns an error for parameters that make no sense.
func (p Params) Validate() error {
	if p.Depth < 1 || p.Depth > mostDepth || p.MinGames < 1 {
		return fmt.Errorf("a tree of %d plies and positions of %d games: want 1 to %d plies and at least one game", p.Depth, p.MinGames, mostDepth)
	}
	for i, name := range p.By {
		if !slices.ContainsFunc(schemas.TreeGroups, func(c schemas.Column) bool { return c.Name == name }) || slices.Contains(p.By[:i], name) {
			return fmt.Errorf("groups by %q: want %s, each once", name, strings.Join(lists.Of(schemas.TreeGroups, func(c schemas.Column) string { return c.Name }), ", "))
		}
	}
	return nil
}

// bucketBytes is the approximate size of a bucket's entries.
const (
	bucketBytes = 8 << 20
	maxBuckets  = 1 << 12
	maxParts    = 16
	together    = 4 // buckets whose rows share row groups
)

// bucketsFor returns the number of buckets of so many games, a power of two.
func (p Params) bucketsFor(games int64) int {
	n := 1
	for n < maxBuckets && games*int64(p.Depth)*entryBytes > int64(n)*bucketBytes {
		n *= 2
	}
	return n
}

// Run writes the tree of the games of in to out; workers 0 means one per processor. To what out has from before
// (datasets.Options.Append) it adds parts with the rows of the games that are new.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], p Params, workers int, in []*datasets.Dir, out *datasets.Builder) error {
	if err := p.Validate(); err != nil {
		return err
	}
	workers = ordered.Workers(workers)
	fresh, err := freshOf(in, out)
	if err != nil {
		return err
	}
	out.SetTable(schemas.Tree(p.By...))
	out.SetMeta("game", rules.Name())
	all := lists.Sum(fresh, func(f source) int64 { return f.dir.Rows() })
	dir, err := out.Spill("tree")
	if err != nil {
		return err
	}
	file, err := spill.Create(dir+"/plies", p.bucketsFor(all))
	if err != nil {
		return err
	}
	defer file.Close()
	var names texts
	names.number("") // of no move is 0
	var counts manifest.Counts
	for _, f := range fresh {
		c, err := scatter(ctx, rules, p, workers, f, &names, file)
		if err != nil {
			return err
		}
		counts.Add(c)
	}
	return sumUp(ctx, p, workers, file, counts, names.list(), out)
}

// source is a dataset of games with what is added to its game_id.
type source struct {
	dir  *datasets.Dir
	from int64
}

// freshOf returns the games that are not in the tree yet.
func freshOf(in []*datasets.Dir, out *datasets.Builder) (fresh []source, err error) {
	number := int64(out.Taken())
	for i, d := range in {
		if err := d.Want("games"); err != nil {
			return nil, err
		}
		if d.Manifest.Meta["game"] != in[0].Manifest.Meta["game"] {
			return nil, fmt.Errorf("%s holds games of %s, and %s of %s: want datasets of one game", d.Path, d.Manifest.Meta["game"], in[0].Path, in[0].Manifest.Meta["game"])
		}
		if out.Known(i) {
			continue
		}
		fresh = append(fresh, source{d, number * several.GamesApart})
		number++
	}
	return fresh, nil
}

// sumUp writes the buckets into parts, after those that out has from before. The first of them has the counts of the games.
func sumUp(ctx context.Context, p Params, workers int, file *spill.File, counts manifest.Counts, names []string, out *datasets.Builder) error {
	bar := progress.Start(ctx, "sum up positions", int64(file.Buckets()), "buckets")
	defer bar.Done()
	sums := lists.N(workers, func(int) *summer { return newSummer(p, file.Buckets(), names, columns.NewBatch(out.Table())) })
	parts := min(maxParts, file.Buckets())
	each := file.Buckets() / parts // powers of two
	for i := range parts {
		if _, done := out.Done(out.TakenParts() + i); done {
			bar.Skip(int64(each))
			continue
		}
		if err := sumPart(ctx, file, i*each, each, counts, sums, out, out.TakenParts()+i, bar); err != nil {
			return err
		}
		counts = manifest.Counts{}
	}
	return nil
}

// piece is a row group, or the counts of a bucket.
type piece struct {
	group  *columns.RowGroup
	counts manifest.Counts
}

// sumPart writes buckets from on into one part, and adds their counts to counts.
func sumPart(ctx context.Context, file *spill.File, from, buckets int, counts manifest.Counts, sums []*summer, out *datasets.Builder, part int, bar *progress.Bar) error {
	w, err := out.Part(part)
	if err != nil {
		return err
	}
	run := min(together, buckets)
	err = ordered.Run(ctx, buckets/run, len(sums), func(worker, i int, emit func(piece) error) error {
		s := sums[worker]
		flush := func() error {
			if s.out.Rows == 0 {
				return nil
			}
			group, err := w.Encode(s.out.Batch)
			if err != nil {
				return err
			}
			s.out.Reset()
			return emit(piece{group: group})
		}
		for k := range run {
			if err := file.Each(from+i*run+k, s.add); err != nil {
				return err
			}
			counts, err := s.write(flush)
			if err != nil {
				return err
			}
			if err := emit(piece{counts: counts}); err != nil {
				return err
			}
			bar.Add(1)
		}
		return flush()
	}, func(p piece) error {
		counts.Add(p.counts)
		if p.group == nil {
			return nil
		}
		return w.Append(p.group)
	})
	return w.End(err, counts, nil)
}
