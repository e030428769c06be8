package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query/find"
)

// inTree reports whether the tree in has what the flags look for. --sql is about its rows, which the games lack.
func (f findFlags) inTree(same []board.Board, in *datasets.Dir) bool {
	_, err := tree.FilterOf(0, 0, f.dates.From, f.dates.To)
	dated := f.dates.Condition() != ""
	return same != nil && f.position()+f.out == "" && len(f.then) == 0 && f.who == (chosen.Players{}) &&
		(!dated || err == nil && f.sql == "" && in.Table.Index("month") >= 0)
}

// findInTree reads what was played in the position, and games to look at.
func (f findFlags) findInTree(ctx context.Context, mk *command.Maker, g command.Game, same []board.Board, in *datasets.Dir, result *findings) error {
	filter, err := tree.FilterOf(0, 0, f.dates.From, f.dates.To)
	if err != nil {
		return command.Misused(err)
	}
	t, err := tree.Open(in)
	if err != nil {
		return err
	}
	if err := t.Check(filter); err != nil {
		return err
	}
	if !f.inTree(same, in) {
		return command.Usagef("%s is a tree, which answers --fen, --moves and --sql only: name its games after it for other flags", in.Path)
	}
	var moves []*tree.Move
	if f.sql != "" {
		moves, err = treeRows(ctx, mk, in, lists.Of(same, board.Board.Hash), f.sql)
	} else {
		moves, err = t.Moves(ctx, lists.Of(same, board.Board.Hash), filter)
	}
	if err != nil {
		return err
	}
	result.counts.Read = in.Rows()
	packed := map[uint64][]byte{}
	for _, b := range same {
		packed[b.Hash()] = b.Pack(nil)
	}
	for _, m := range moves {
		var hit find.Hit
		if err := hit.Read(g.Boards, packed[m.Hash], m.Move); err != nil {
			return fmt.Errorf("%s: %s: %w", in.Path, m.Move, err)
		}
		result.games += m.Games
		result.replies.AddMove(m.Hash, find.Reply{Written: hit.Written, Games: m.Games, First: m.First, Draw: m.Draws, Second: m.Second}, same[0].ToMove())
		slices.Sort(m.Examples)
		for _, id := range slices.Compact(m.Examples) {
			if len(result.hits) < f.games {
				result.hits = append(result.hits, find.Hit{Game: id, Ply: noPly, Written: hit.Written})
			}
		}
	}
	slices.SortFunc(result.hits, func(a, b find.Hit) int { return cmp.Compare(a.Game, b.Game) })
	return nil
}

// treeRows returns the rows of positions for which a condition holds.
func treeRows(ctx context.Context, mk *command.Maker, in *datasets.Dir, hashes []uint64, condition string) (all []*tree.Move, err error) {
	_, rows, err := command.Rows(ctx, mk, in, fmt.Sprintf(`SELECT coalesce(move, ''), first_wins::BIGINT, draws::BIGINT, second_wins::BIGINT, without_result::BIGINT, latest_game,
		coalesce(best_game, latest_game), hash FROM d WHERE %s AND (%s
		) ORDER BY ALL`, oneOf(hashes), condition))
	for _, row := range rows {
		number := func(i int) int64 { return row[i].(int64) }
		all = append(all, &tree.Move{Move: row[0].(string), Games: number(1) + number(2) + number(3) + number(4), First: number(1), Draws: number(2), Second: number(3),
			Examples: []int64{number(5), number(6)}, Hash: row[7].(uint64)})
	}
	return all, err
}
