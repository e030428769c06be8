// Package bygame has what readers of positions and labels share, because rows of a game depend on each other:
// the rows and players of a game, copies of games, and the reasons for leaving positions out.
//
// In: datasets of games, positions or labels. Out: rows by the ids of games, pairs of players. It does not read evaluations
// and does not sum: that is of the reports and of fit.
package bygame

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"kifu/datasets"
)

// ErrApart is returned for rows that have to be sorted first: a game's rows are not together, or games
// do not ascend.
var ErrApart = errors.New("the positions of a game are not adjacent")

// Index finds the rows of games by their ids. For consecutive ids, the usual case, it takes only some bytes.
type Index struct{ runs []run }

// run is rows of games with consecutive ids.
type run struct{ id, row, games int64 }

// Add appends the games in the rows from first on.
func (x *Index) Add(first int64, ids []int64) {
	for i, id := range ids {
		x.add(run{id, first + int64(i), 1})
	}
}

// Join appends the games of an index of later rows.
func (x *Index) Join(later Index) {
	for _, r := range later.runs {
		x.add(r)
	}
}

func (x *Index) add(r run) {
	if n := len(x.runs) - 1; n >= 0 && r.id > x.runs[n].id && x.runs[n].id+x.runs[n].games == r.id && x.runs[n].row+x.runs[n].games == r.row {
		x.runs[n].games += r.games
		return
	}
	x.runs = append(x.runs, r)
}

// Sort prepares the index for Row, when all games are in it.
func (x *Index) Sort() {
	slices.SortStableFunc(x.runs, func(a, b run) int { return cmp.Compare(a.id, b.id) })
}

// Row returns the row of a game, or -1 if it is missing. If several games have the id it returns one of them.
func (x *Index) Row(id int64) int64 {
	i, found := slices.BinarySearchFunc(x.runs, id, func(r run, id int64) int { return cmp.Compare(r.id, id) })
	if !found {
		i--
	}
	if i < 0 || uint64(id)-uint64(x.runs[i].id) >= uint64(x.runs[i].games) {
		return -1
	}
	return x.runs[i].row + id - x.runs[i].id
}

// indexOf reads the ids of games.
func indexOf(ctx context.Context, games *datasets.Dir, workers int, title string) (*Index, error) {
	all := &Index{}
	batches := datasets.Batches(games.Table, workers, "game_id")
	err := datasets.Each(ctx, games, workers, title, "games", func(worker int, g datasets.Group, emit func(Index) error) error {
		if err := g.Read(batches[worker]); err != nil {
			return err
		}
		var some Index
		some.Add(g.First, batches[worker].Cols[0].Int64)
		return emit(some)
	}, func(some Index) error {
		all.Join(some)
		return nil
	})
	all.Sort()
	return all, err
}

// The reasons for which positions are left out, as the counts of a dataset name them.
const (
	NoResult  = "no result"
	DrawnGame = "drawn game"
	NoTarget  = "no target"
	Unwanted  = "filtered out"
)
