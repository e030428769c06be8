// Package order sorts the rows of games, positions and labels. Row groups are small, so a reader that uses
// the bounds of columns, such as DuckDB, reads few of them for a year, rating, player or position hash.
//
// The sort is stable and covers the whole dataset. Games are renumbered: as in every games dataset, game_id
// is the row number, and source_file and source_offset identify the game. So to join positions and labels
// with sorted games, make them from these. Sorted positions and labels keep their game_id.
//
// Games go to scratch files by ranges of the key (see sorter), so memory does not grow with the
// dataset. Scratch takes about the size of the decompressed columns. After an interruption the
// ranges are made again, but complete parts are not.
//
// Sorted by player, games are grouped by the busier of their two players. An index next to the parts,
// players.parquet, locates the games of each player.
package order

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"kifu/datasets"
	"kifu/internal/ordered"
	"kifu/schemas"
)

// Params are the parameters that determine the output.
type Params struct {
	By string // date, player, elo or a column: see orders
}

// Sortable returns an error unless the dataset is one of games, positions or labels.
func Sortable(d *datasets.Dir) error {
	switch d.Table.Name {
	case schemas.Games.Name, "positions", "labels":
		return nil
	}
	return fmt.Errorf("%s holds %s: want games, positions or labels", d.Path, d.Table.Name)
}

// Check returns an error unless rows with the columns of t can be sorted by p.
func (p Params) Check(t schemas.Table) error {
	_, err := newOrder(p.By, t, nil)
	return err
}

// Run writes the rows of in to out, sorted, on several workers (0: one per processor).
func Run(ctx context.Context, p Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
	if err := Sortable(in); err != nil {
		return err
	}
	workers = ordered.Workers(workers)
	r := &run{in: in, out: out, workers: workers, busy: &busy{make([]uint32, busySlots)}}
	var err error
	if r.order, err = newOrder(p.By, in.Table, r.busy); err != nil {
		return err
	}
	table := in.Table
	table.Sorted = append(slices.Clone(r.order.sorted), "game_id")
	if r.sizes = sizesOfRows; table.Name == schemas.Games.Name {
		r.sizes = sizesOfGames
	}
	out.SetTable(table)
	meta := maps.Clone(in.Manifest.Meta)
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		out.SetMeta(key, meta[key])
	}
	out.SetMeta("order", p.By)
	if table.Name != schemas.Games.Name { // the files of games are indexes of their old order
		for _, f := range in.Manifest.Files {
			data, err := in.ReadFile(f.Name)
			if err != nil {
				return err
			}
			if err := out.AddFile(f.Name, data); err != nil {
				return err
			}
		}
	}
	return r.run(ctx)
}

// run is one sort.
type run struct {
	in      *datasets.Dir
	out     *datasets.Builder
	workers int
	order   order
	busy    *busy
	sizes   sizes

	index *index  // nil but for the order by player
	first []int64 // game_id of the first game of each range, and the number of games
}

func (r *run) run(ctx context.Context) error {
	dir, err := r.out.Spill("sort")
	if err != nil {
		return err
	}
	ranges := rangesFor(r.in.Rows(), r.sizes.rangeRows)
	samples, names, err := r.sample(ctx)
	if err != nil {
		return err
	}
	games, err := newSorter(dir+"/games", samples, ranges, r.workers)
	defer games.close()
	if err != nil {
		return err
	}
	if err := r.scatter(ctx, games); err != nil {
		return err
	}
	sizes, err := games.sizes()
	if err != nil {
		return err
	}
	r.first = make([]int64, ranges+1)
	for i, n := range sizes {
		r.first[i+1] = r.first[i] + n
	}
	if r.order.name == "player" {
		players, err := newSorter(dir+"/players", names, rangesFor(2*r.in.Rows(), rangeRecords), r.workers)
		defer players.close()
		if err != nil {
			return err
		}
		r.index = &index{players: players, workers: r.workers}
	}
	if err := r.write(ctx, games); err != nil || r.index == nil {
		return err
	}
	games.close()
	return r.index.write(ctx, r.in.Rows(), r.out)
}
