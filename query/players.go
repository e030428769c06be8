package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/schemas"
)

// A dataset of games that is sorted by player has an index beside its parts. Attached
// as NAME it gives two things more: the view NAME_players, which is the index, and the
// table function NAME_of('player'), the games of one player with either side.
//
// DuckDB skips row groups by constant bounds alone: not by a list of ids, and by a join
// only outside the least and the greatest key. So NAME_of is made anew for each
// statement: the index tells where the players named in it have games, and the function
// reads those ranges of game_id, part by part.
const (
	playersFile = "players.parquet"
	ofSuffix    = "_of"
)

// attachPlayers makes the view of v's index, if v has one.
func (db *DB) attachPlayers(ctx context.Context, v *view) error {
	has := func(f datasets.File) bool { return f.Name == playersFile }
	if v.dir.Table.Name != schemas.Games.Name || !slices.ContainsFunc(v.dir.Manifest.Files, has) {
		return nil
	}
	name := v.name + "_players"
	if slices.Contains(db.names(), strings.ToLower(name)) {
		return fmt.Errorf("%s is the index of %s's players: give the other dataset of that name another", name, v.dir.Path)
	}
	var err error
	if v.index, err = v.dir.FilePath(playersFile); err != nil {
		return err
	}
	create := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM %s", QuoteName(name), scan([]string{v.index}, ""))
	if _, err := db.conn.ExecContext(ctx, create); err != nil {
		return fmt.Errorf("%s as %s: %w", v.index, name, clean(err))
	}
	db.views = append(db.views, view{name: name, dir: &datasets.Dir{Path: v.index, Table: schemas.Players, Manifest: &datasets.Manifest{}}})
	return nil
}

// indexed returns the view whose games the table function of that name gives, nil if there
// is none.
func (db *DB) indexed(function string) *view {
	for i := range db.views {
		if v := &db.views[i]; v.index != "" && strings.EqualFold(v.name+ofSuffix, function) {
			return v
		}
	}
	return nil
}

// gameRange is a run of neighbouring games: first and last game_id, in one part.
type gameRange struct {
	part        int
	first, last int64
}

// bindPlayers makes the functions NAME_of that a statement calls.
func (db *DB) bindPlayers(ctx context.Context, statement tree) error {
	players := map[*view][]string{}
	var err error
	walk(statement, func(n tree) {
		f, _ := n["function"].(tree)
		function, _ := f["function_name"].(string)
		v := db.indexed(function)
		if n["type"] != "TABLE_FUNCTION" || v == nil {
			return
		}
		args, _ := f["children"].([]any)
		if len(args) != 1 {
			err = fmt.Errorf("%s takes one player: write %s('Tal, Mikhail')", function, function)
			return
		}
		arg, _ := args[0].(tree)
		value, _ := arg["value"].(tree)
		player, isText := value["value"].(string)
		if !isText {
			err = fmt.Errorf("%s takes a player's name written out: write %s('Tal, Mikhail')", function, function)
			return
		}
		players[v] = append(players[v], player)
	})
	for i := range db.views {
		v := &db.views[i]
		if v.ranges = nil; err != nil || players[v] == nil {
			continue
		}
		if v.ranges, err = db.rangesOf(ctx, v, players[v]); err == nil {
			_, err = db.conn.ExecContext(ctx, v.functionOf())
		}
	}
	return err
}

// functionOf returns the statement that makes v's function for the ranges that it holds.
func (v *view) functionOf() string {
	paths := v.dir.PartPaths()
	reads := []string{"SELECT * FROM " + QuoteName(v.name) + " WHERE false"}
	for _, r := range v.ranges {
		reads = append(reads, fmt.Sprintf("SELECT * FROM %s WHERE game_id BETWEEN %d AND %d", scan(paths[r.part:r.part+1], ""), r.first, r.last))
	}
	return fmt.Sprintf("CREATE OR REPLACE MACRO %s(name) AS TABLE SELECT * FROM (%s) WHERE %s OR %s",
		QuoteName(v.name+ofSuffix), strings.Join(reads, " UNION ALL "), sameName("first_player", "name"), sameName("second_player", "name"))
}

// sameName is the condition that column holds the name, ignoring case; * in the name
// stands for any text, as for kifu learn.
func sameName(column, name string) string {
	return fmt.Sprintf(`lower(%s) LIKE replace(replace(replace(replace(lower(%s), '\', '\\'), '%%', '\%%'), '_', '\_'), '*', '%%') ESCAPE '\'`, column, name)
}

const (
	rangeGap  = 512 // games between two of a player's that are read rather than told apart
	maxRanges = 256 // of a statement; with more the gap is widened
)

// rangesOf asks the index of v where the players have games.
func (db *DB) rangesOf(ctx context.Context, v *view, players []string) ([]gameRange, error) {
	var ids []int64
	for _, player := range players {
		r, err := db.run(ctx, fmt.Sprintf("SELECT game_id FROM %s WHERE %s", scan([]string{v.index}, ""), sameName("player", quote(player))))
		if err != nil {
			return nil, err
		}
		err = r.Each(func(row []any) error {
			id, ok := row[0].(int64)
			if !ok {
				return fmt.Errorf("%s: game_id %v is not a number", v.index, row[0])
			}
			ids = append(ids, id)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(ids)
	ranges, err := v.join(ids, rangeGap)
	for gap := int64(2 * rangeGap); err == nil && len(ranges) > maxRanges && gap < v.dir.Rows(); gap *= 2 {
		ranges, err = v.join(ids, gap)
	}
	return ranges, err
}

// join makes ranges of ids, which ascend: those of one part that are less than gap
// apart fall into one. game_id is the number of the row.
func (v *view) join(ids []int64, gap int64) ([]gameRange, error) {
	var ranges []gameRange
	part, end := -1, int64(0)
	for _, id := range ids {
		for id >= end && part+1 < v.dir.NumParts() {
			part++
			info, err := v.dir.Info(part)
			if err != nil {
				return nil, err
			}
			end += info.Rows
		}
		if n := len(ranges); n > 0 && ranges[n-1].part == part && id-ranges[n-1].last < gap {
			ranges[n-1].last = id
			continue
		}
		ranges = append(ranges, gameRange{part, id, id})
	}
	return ranges, nil
}
