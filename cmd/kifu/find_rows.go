package main

import (
	"context"
	"fmt"
	"strings"

	"kifu/cmd/kifu/chosen"
	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/query/find"
)

// findPlayer leaves the games of --player, --against, --from and --to, if they are given.
func (f findFlags) findPlayer(ctx context.Context, mk *command.Maker, q *find.Query, of *datasets.Dir) error {
	games, err := f.who.Games(ctx, mk, of, f.dates)
	q.Games = chosen.Both(q.Games, games)
	return err
}

func (f findFlags) findInGames(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *findings) error {
	if f.sql != "" {
		ids, err := chosen.IDs(ctx, mk, in, "SELECT game_id FROM g WHERE ("+f.sql+"\n)")
		if err != nil {
			return fmt.Errorf("--sql: %w", err)
		}
		q.Games = chosen.Both(q.Games, chosen.Set(ids))
	}
	if f.position() != "" || len(f.then) > 0 {
		db, err := query.Open(ctx, query.Options{Threads: 1})
		if err != nil {
			return err
		}
		defer db.Close()
		for _, text := range f.conditions() {
			n, err := db.Parse(ctx, text)
			if err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
			q.Conditions = append(q.Conditions, n)
		}
	}
	var err error
	result.counts, err = g.Find(ctx, q, mk.Workers, in, result.add)
	return err
}

// findInRows asks positions or labels. Checksums are not compared: of positions sorted by
// hash nearly nothing is read, which needs no database.
func (f findFlags) findInRows(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, result *findings) error {
	result.counts.Read = in.Rows()
	take := func(h find.Hit) error {
		if q.Games != nil && !q.Games(h.Game) {
			return nil
		}
		return result.add(h)
	}
	if q.Exchanged {
		return command.Usagef("--any with conditions needs games, not %s", in.Table.Name)
	}
	if q.Hashes != nil && f.sql+f.position() == "" && len(f.then) == 0 && !remote.Is(in.Path) && find.HasRows(in.Table) {
		if found, err := find.Sorted(ctx, g.Boards, q.Hashes, in, take); found || err != nil {
			return err
		}
	}
	return f.findBySQL(ctx, mk, g, q, in, take)
}

// findBySQL asks which conditions hold in each row, and takes the first row of each game that begins what is looked for.
func (f findFlags) findBySQL(ctx context.Context, mk *command.Maker, g command.Game, q find.Query, in *datasets.Dir, take func(find.Hit) error) error {
	conditions := f.conditions()
	if q.Hashes != nil {
		conditions[0] += " AND " + oneOf(q.Hashes)
	}
	if f.sql != "" {
		conditions[0] += " AND (" + f.sql + "\n)"
	}
	var holds, some []string
	for i, c := range conditions {
		holds = append(holds, fmt.Sprintf("coalesce((%s\n)::BOOLEAN, false) AS condition_%d", c, i))
		some = append(some, fmt.Sprintf("condition_%d", i))
	}
	first := ""
	if len(conditions) == 1 {
		first = "QUALIFY row_number() OVER (PARTITION BY game_id ORDER BY ply) = 1"
	}
	asked := `SELECT game_id, ply, first_to_move, board, coalesce(move, ''), coalesce(result, ''), hash, ` + strings.Join(some, ", ") + ` FROM (
		SELECT game_id, ply, first_to_move, board, move, result, hash, ` + strings.Join(some, ", ") + `
		FROM (SELECT game_id, ply, first_to_move, board, move, result, hash, ` + strings.Join(holds, ", ") + ` FROM d)
		WHERE ` + strings.Join(some, " OR ") + ` ` + first + `)`
	if q.Near != nil { // which has one condition
		asked = "WITH found AS MATERIALIZED (" + asked + ") SELECT found.*, moves, movers FROM found LEFT JOIN (" + playedAfter + ") USING (game_id)"
	}
	_, rows, err := command.Rows(ctx, mk, in, asked+" ORDER BY game_id, ply")
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		game := rows[:1]
		for len(game) < len(rows) && rows[len(game)][0] == game[0][0] {
			game = rows[:len(game)+1]
		}
		rows = rows[len(game):]
		if row := firstRow(q.Sequence, game); row != nil {
			h := find.Hit{Game: row[0].(int64), Ply: int32(row[1].(int64)), FirstToMove: row[2].(bool), Result: games.OutcomeNamed(row[5].(string)), Hash: row[6].(uint64)}
			if err := readRow(&h, g, q, row); err != nil {
				return fmt.Errorf("%s: game_id %d: %w", in.Path, h.Game, err)
			}
			if err := take(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// playedAfter has the moves of the games from the position that was found on, and for each 1 if the first player made it: as far as
// the dataset has all positions.
const playedAfter = `SELECT game_id, string_agg(move, ' ' ORDER BY ply) AS moves, string_agg(first_to_move::INTEGER::VARCHAR, '' ORDER BY ply) AS movers
	FROM (SELECT d.game_id, d.ply, d.move, d.first_to_move, d.ply - found.ply AS after, row_number() OVER (PARTITION BY d.game_id ORDER BY d.ply) - 1 AS number
		FROM d JOIN found ON d.game_id = found.game_id AND d.ply >= found.ply)
	WHERE after = number GROUP BY game_id`

// readRow sets what h has of the move in a row and of those after it.
func readRow(h *find.Hit, g command.Game, q find.Query, row []any) error {
	packed := row[3].([]byte)
	if err := h.Read(g.Boards, packed, row[4].(string)); err != nil || q.Near == nil {
		return err
	}
	moves, _ := row[len(row)-2].(string) // null after the last move
	movers, _ := row[len(row)-1].(string)
	sides := make([]games.Side, len(movers))
	for i := range sides {
		if movers[i] == '0' {
			sides[i] = games.Second
		}
	}
	return h.Follow(g.Boards, packed, q.Near, strings.Fields(moves), sides)
}

// firstRow returns the row with which a sequence begins in the rows of a game, which are in the order of their
// plies; nil without one.
func firstRow(s find.Sequence, rows [][]any) []any {
	const before = 7 // columns before the conditions
	at := lists.By(rows, func(row []any) int { return int(row[1].(int64)) })
	last := int(rows[len(rows)-1][1].(int64))
	ply, ok := s.First(func(ply int) bool { return ply <= last }, func(condition, ply int) bool {
		row := at[ply]
		return row != nil && row[before+condition].(bool)
	})
	if !ok {
		return nil
	}
	return at[ply]
}
