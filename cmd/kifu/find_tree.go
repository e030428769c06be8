package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/games/board"
	"kifu/query/find"
)

// findInTree reads what was played in the position, and games to look at.
func (f findFlags) findInTree(ctx context.Context, at board.Board, in *datasets.Dir, result *found) error {
	if at == nil || f.position() != "" || len(f.then) > 0 || f.sql != "" || f.who != (playersFlags{}) || f.out != "" {
		return usagef("%s is a tree: it has positions by --fen and --moves, and by --from and --to if it was made --by month", in.Path)
	}
	t, err := tree.Open(in)
	if err != nil {
		return err
	}
	filter, err := tree.FilterOf(0, 0, f.dates.from, f.dates.to)
	if err != nil {
		return usageError{err}
	}
	moves, err := t.Moves(ctx, []uint64{at.Hash()}, filter)
	if err != nil {
		return err
	}
	result.counts.Read = in.Rows()
	for _, m := range moves {
		text := ""
		if m.Move != "" {
			played, err := at.Find(m.Move)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", in.Path, m.Move, err)
			}
			text = string(played.AppendText(nil))
		}
		result.games += m.Games
		result.replies.AddMove(find.Reply{Move: text, Games: m.Games, First: m.First, Draw: m.Draws, Second: m.Second}, at.ToMove())
		slices.Sort(m.Examples)
		for _, id := range slices.Compact(m.Examples) {
			if len(result.hits) < f.games {
				result.hits = append(result.hits, find.Hit{Game: id, Ply: noPly, Move: text})
			}
		}
	}
	slices.SortFunc(result.hits, func(a, b find.Hit) int { return cmp.Compare(a.Game, b.Game) })
	return nil
}

// noPly is the ply of games of a tree, which has none.
const noPly = -1
