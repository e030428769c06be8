package transform

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// gameSet is a set of games by their ids, one bit each.
type gameSet []uint64

func (s gameSet) has(id int64) bool {
	return id>>6 < int64(len(s)) && s[id>>6]>>(id&63)&1 > 0
}

// leftOut are the games to leave out: duplicates in a dataset, and others.
type leftOut struct {
	duplicates gameSet
	listed     func(id int64) bool // nil: none
}

func (l leftOut) has(id int64) bool { return l.duplicates.has(id) || l.listed != nil && l.listed(id) }

// readWithout returns the games listed in a dataset of duplicates, which must be made from
// the games in.
func readWithout(ctx context.Context, dups, in *datasets.Dir) (gameSet, error) {
	if dups == nil {
		return nil, nil
	}
	if err := dups.Want("duplicates"); err != nil {
		return nil, err
	}
	if of := dups.Manifest.Meta["games_key"]; of != in.Manifest.Key {
		return nil, fmt.Errorf("%s lists duplicates of other games than %s: run kifu duplicates --out %s %s", dups.Path, in.Path, dups.Path, in.Path)
	}
	set := make(gameSet, in.Rows()/64+1)
	return set, datasets.Scan(ctx, dups, "", "", []string{"game_id"}, func(_ datasets.Group, b *columns.Batch) error {
		for _, id := range b.Col("game_id").Int64 {
			if id < 0 || id>>6 >= int64(len(set)) {
				return fmt.Errorf("%s: game_id %d does not occur in %s", dups.Path, id, in.Path)
			}
			set[id>>6] |= 1 << (id & 63)
		}
		return nil
	})
}
