package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/internal/person"
	"kifu/query/syntax"
	"kifu/schemas"
)

// A dataset of games attached as NAME gives the table function NAME_of('player'), the games of
// one player with either side; the name may be typed as person.Resolve takes it. Games that are
// sorted by player have an index next to their parts, which is the view NAME_players.
//
// DuckDB skips row groups by constant bounds alone: not by a list of ids, and by a join
// only outside the least and the greatest key. So NAME_of is made again for each
// statement: the index locates the games of the players named in it, and the function
// reads those ranges of game_id, part by part. Without an index it reads all games.
const (
	playersFile = "players.parquet"
	ofSuffix    = "_of"
)

// attachPlayers makes the view of v's index, if v has one.
func (db *DB) attachPlayers(ctx context.Context, v *view) error {
	if v.dir.Table.Name != schemas.Games.Name || !v.dir.HasFile(playersFile) {
		return nil
	}
	name := v.name + "_players"
	if slices.Contains(db.names(), strings.ToLower(name)) {
		return fmt.Errorf("%s is the index of %s's players: give the other dataset another name", name, v.dir.Path)
	}
	var err error
	if v.index, err = v.dir.FilePath(playersFile); err != nil {
		return err
	}
	if !db.trust {
		if err := checked.Parquet(ctx, v.index); err != nil {
			return err
		}
	}
	create := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM %s", QuoteName(name), scan([]string{v.index}, ""))
	if _, err := db.conn.ExecContext(ctx, create); err != nil {
		return fmt.Errorf("%s as %s: %w", v.index, name, clean(err))
	}
	db.views = append(db.views, view{name: name, dir: &datasets.Dir{Path: v.index, Table: schemas.Players, Manifest: &manifest.Manifest{}}})
	return nil
}

// gamesOf returns the view whose games the table function of that name gives, nil if there
// is none.
func (db *DB) gamesOf(function string) *view {
	for i := range db.views {
		if v := &db.views[i]; v.dir.Table.Name == schemas.Games.Name && strings.EqualFold(v.name+ofSuffix, function) {
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
func (db *DB) bindPlayers(ctx context.Context, statement syntax.Tree) error {
	players := map[*view][]string{}
	var err error
	syntax.Walk(statement, func(n syntax.Tree) {
		f, _ := n["function"].(syntax.Tree)
		function, _ := f["function_name"].(string)
		v := db.gamesOf(function)
		if n["type"] != "TABLE_FUNCTION" || v == nil {
			return
		}
		args, _ := f["children"].([]any)
		if len(args) != 1 {
			err = fmt.Errorf("%s takes one player: write %s('Tal, Mikhail')", function, function)
			return
		}
		arg, _ := args[0].(syntax.Tree)
		value, _ := arg["value"].(syntax.Tree)
		player, isText := value["value"].(string)
		if !isText {
			err = fmt.Errorf("%s: write the player's name as a constant: %s('Tal, Mikhail')", function, function)
			return
		}
		players[v] = append(players[v], player)
	})
	for i := range db.views {
		v := &db.views[i]
		v.ranges = nil
		if err != nil || players[v] == nil {
			continue
		}
		var of []taken
		if of, err = db.namesTaken(ctx, v, players[v]); err == nil && v.index != "" {
			v.ranges, err = db.rangesOf(ctx, v, of)
		}
		if err == nil {
			_, err = db.conn.ExecContext(ctx, v.functionOf(of))
		}
	}
	return err
}

// taken is a player as a statement names it, and the matching names of records, as texts of SQL: a
// literal and a list of them.
type taken struct{ typed, names string }

// namesTaken resolves the players that a statement names.
func (db *DB) namesTaken(ctx context.Context, v *view, players []string) (of []taken, err error) {
	all, err := db.namesOf(ctx, v)
	if err != nil {
		return nil, err
	}
	slices.Sort(players)
	for _, player := range slices.Compact(players) {
		choice, err := person.Resolve(player, all)
		if err != nil {
			return nil, fmt.Errorf("%s%s: %w", v.name, ofSuffix, err)
		}
		names := lists.Of(choice.Names, func(one person.Named) string { return QuoteText(one.Name) })
		of = append(of, taken{QuoteText(player), strings.Join(names, ", ")})
	}
	return of, nil
}

// namesOf reads the names of all players with the numbers of their games.
func (db *DB) namesOf(ctx context.Context, v *view) (all []person.Named, err error) {
	from := scan([]string{v.index}, "")
	if v.index == "" {
		from = fmt.Sprintf("(SELECT first_player AS player FROM %s UNION ALL SELECT second_player FROM %s)", QuoteName(v.name), QuoteName(v.name))
	}
	r, err := db.run(ctx, "SELECT player, count(*) FROM "+from+" WHERE player IS NOT NULL GROUP BY player")
	if err != nil {
		return nil, err
	}
	err = r.Each(func(row []any) error {
		name, _ := row[0].(string)
		games, _ := row[1].(int64)
		all = append(all, person.Named{Name: name, Games: games})
		return nil
	})
	return all, err
}

// functionOf returns the statement that makes v's function for the ranges that it holds, or
// for all games.
func (v *view) functionOf(players []taken) string {
	reads := []string{"SELECT * FROM " + QuoteName(v.name)}
	if v.index != "" {
		reads[0] += " WHERE false"
		paths := v.dir.PartPaths()
		for _, r := range v.ranges {
			reads = append(reads, fmt.Sprintf("SELECT * FROM %s WHERE game_id BETWEEN %d AND %d", scan(paths[r.part:r.part+1], ""), r.first, r.last))
		}
	}
	var of []string
	for _, column := range []string{"first_player", "second_player"} {
		for _, p := range players {
			of = append(of, fmt.Sprintf("name = %s AND %s IN (%s)", p.typed, column, p.names))
		}
	}
	return fmt.Sprintf("CREATE OR REPLACE MACRO %s(name) AS TABLE SELECT * FROM (%s) WHERE %s",
		QuoteName(v.name+ofSuffix), strings.Join(reads, " UNION ALL "), strings.Join(of, " OR "))
}

const (
	rangeGap  = 512 // games between two of a player's that are read rather than told apart
	maxRanges = 256 // of a statement; with more the gap is widened
)

// rangesOf asks the index of v where the players have games.
func (db *DB) rangesOf(ctx context.Context, v *view, players []taken) ([]gameRange, error) {
	var ids []int64
	for _, p := range players {
		r, err := db.run(ctx, fmt.Sprintf("SELECT game_id FROM %s WHERE player IN (%s)", scan([]string{v.index}, ""), p.names))
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

// join makes ranges of ids, which ascend: ids of one part that are less than gap
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
