package export

import (
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
)

// Starts are places in games: the records that are written begin there.
type Starts struct {
	byGame map[int64][]start
	n      int
	sorted bool // games come in the order of their game_id
}

// start is a place in a game; hash is its position's.
type start struct {
	ply     int32
	rank    int
	hash    uint64
	checked bool
}

const (
	tooShort  games.Reason = "games that end before the position"
	elsewhere games.Reason = "games that have another position there"
	noGame    games.Reason = "positions of games that are not there"
)

// StartsOf reads the places of the chosen rows of in, a dataset of positions or labels: those
// in rows and of wanted games, nil for all, in the order that rows have.
func StartsOf(ctx context.Context, in *datasets.Dir, rows *Rows, games func(id int64) bool, workers int) (*Starts, error) {
	for _, name := range []string{"game_id", "ply", "hash"} {
		if in.Table.Index(name) < 0 {
			return nil, fmt.Errorf("%s has no column %s, so no record of a game can begin at its rows", in.Path, name)
		}
	}
	type place struct {
		game, row int64
		start     start
	}
	var all []place
	err := datasets.Each(ctx, in, workers, "places", "rows", func(_ int, group datasets.Group, emit func([]place) error) error {
		if rows != nil && !rows.any(group.First, group.Rows) {
			return nil
		}
		b := columns.NewBatch(in.Table, "game_id", "ply", "hash")
		if err := group.Read(b); err != nil {
			return err
		}
		var found []place
		for i := range b.Rows {
			row, game := group.First+int64(i), b.Col("game_id").Int64[i]
			if rows.Has(row) && (games == nil || games(game)) {
				found = append(found, place{game, row, start{ply: b.Col("ply").Int32[i], hash: b.Col("hash").Uint64[i], checked: true}})
			}
		}
		return emit(found)
	}, func(found []place) error {
		all = append(all, found...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows != nil && rows.ranked {
		slices.SortFunc(all, func(a, b place) int { return rows.wanted[a.row] - rows.wanted[b.row] })
	}
	s := &Starts{byGame: map[int64][]start{}, n: len(all), sorted: true}
	for i, p := range all {
		s.sorted = s.sorted && (i == 0 || all[i-1].game <= p.game)
		p.start.rank = i
		s.byGame[p.game] = append(s.byGame[p.game], p.start)
	}
	return s, nil
}

// begin makes g begin at p, after s.ply moves. It returns p as who reads the record will know it,
// without the move before: KIF writes a capture on its square as 同.
func (r *replayer[P]) begin(s start, p P) (P, error) {
	if s.checked && p.Hash() != s.hash {
		return p, elsewhere
	}
	if s.ply == 0 {
		return p, nil
	}
	r.from = r.rules.AppendPosition(r.from[:0], p)
	r.game.Start, r.game.From, r.game.FirstToMove = r.from, r.from, p.ToMove() == games.First
	return r.rules.ParsePosition(string(r.from))
}
