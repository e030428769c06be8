package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/export"
	"kifu/internal/checksum"
	"kifu/query"
	"kifu/schemas"
)

// IsTableFile reports whether a name is a CSV, JSON or Parquet file, not a dataset.
func IsTableFile(disk *Files, name string) bool {
	if !slices.Contains([]string{".csv", ".json", ".parquet"}, strings.ToLower(filepath.Ext(name))) || remote.Is(name) {
		return false
	}
	info, err := os.Stat(disk.Path(name))
	return err != nil || !info.IsDir()
}

// Attach attaches a dataset or a file as a view of a database.
func Attach(ctx context.Context, disk *Files, db *query.DB, name, path string) error {
	if !IsTableFile(disk, path) {
		d, err := disk.OpenAny(path)
		if err != nil {
			return err
		}
		return db.Attach(ctx, name, d)
	}
	if _, err := os.Stat(disk.Path(path)); err != nil {
		return err
	}
	return db.AttachFile(ctx, name, disk.Path(path))
}

// TableViews are datasets by the names of their views.
type TableViews map[string]*datasets.Dir

// Ask returns the columns and the rows of a statement over datasets.
func Ask(ctx context.Context, o query.Options, sql string, of TableViews) ([]query.Column, [][]any, error) {
	db, err := query.Open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if err := db.Attach(ctx, name, of[name]); err != nil {
			return nil, nil, err
		}
	}
	result, err := db.Query(ctx, sql)
	if err != nil {
		return nil, nil, err
	}
	rows, err := result.All()
	return result.Columns, rows, err
}

// TableRows returns columns of a dataset or a file, by the first of the names that each may have;
// of a column whose names are all missing nulls, unless required is true.
func TableRows(ctx context.Context, mk *Maker, path string, required bool, columns ...[]string) (rows [][]any, err error) {
	db, err := query.Open(ctx, query.Options{Threads: mk.Workers})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := Attach(ctx, mk.Files, db, "t", path); err != nil {
		return nil, err
	}
	head, err := db.Query(ctx, "SELECT * FROM t LIMIT 0")
	if err != nil {
		return nil, err
	}
	if err := head.Close(); err != nil {
		return nil, err
	}
	var list []string
	for i, names := range columns {
		at := slices.IndexFunc(names, func(n string) bool {
			return slices.ContainsFunc(head.Columns, func(c query.Column) bool { return c.Name == n })
		})
		switch {
		case at >= 0:
			list = append(list, query.QuoteName(names[at]))
		case required || i == 0:
			return nil, fmt.Errorf("%s: no column %q", path, strings.Join(names, " or "))
		default:
			list = append(list, "NULL")
		}
	}
	result, err := db.Query(ctx, "SELECT "+strings.Join(list, ", ")+" FROM t")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return result.All()
}

// FileKey is an input that is a file, by its content: name is its purpose.
func FileKey(disk *Files, name, path string) (manifest.Input, error) {
	sum, _, err := checksum.File(disk.Path(path))
	return manifest.Input{Name: name, Key: sum}, err
}

// Listed is an entry of a list of games to leave out: kept is the game that remains, -1 if the list has
// none; same: the moves are equal.
type Listed struct {
	ID, Kept int64
	Same     bool
}

// ReadWithout reads the games that --without names: a dataset of duplicates among the games in, or that in was made from,
// or a file with the column game_id.
func ReadWithout(ctx context.Context, mk *Maker, path string, in *datasets.Dir) (all []Listed, err error) {
	games := in
	if in.Table.Name != schemas.Games.Name {
		games = in.Ancestor(schemas.Games.Name)
	}
	if !IsTableFile(mk.Files, path) {
		d, err := mk.OpenAny(path)
		if err != nil {
			return nil, err
		}
		if err := d.Want("duplicates"); err != nil {
			return nil, fmt.Errorf("%w: want a CSV or Parquet file with a column game_id (kifu query --out)", err)
		}
		switch {
		case games == nil:
			return nil, fmt.Errorf("--without %s: the games of %s are not found: name them after it", d.Path, in.Path)
		case d.Manifest.Meta["games_key"] != games.Manifest.Key:
			return nil, fmt.Errorf("%s lists duplicates of other games than %s: run kifu duplicates --out %[1]s %s", d.Path, games.Path, games.Path)
		}
	}
	rows, err := TableRows(ctx, mk, path, false, []string{"game_id"}, []string{"original_id"}, []string{"kind"})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		id, whole := row[0].(int64)
		if !whole || id < 0 || games != nil && id >= games.Rows() {
			return nil, fmt.Errorf("%s: game_id %v does not occur in %s", path, row[0], cmp.Or(games, in).Path)
		}
		one := Listed{ID: id, Kept: -1, Same: row[2] == "moves"}
		if kept, is := row[1].(int64); is {
			one.Kept = kept
		}
		all = append(all, one)
	}
	return all, nil
}

// ListedGames returns whether one of the files of --without names a game.
func ListedGames(ctx context.Context, mk *Maker, files []string, in *datasets.Dir) (func(id int64) bool, error) {
	set := export.IDs{}
	for _, path := range files {
		all, err := ReadWithout(ctx, mk, path, in)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			set.Add(one.ID)
		}
	}
	return set.Has, nil
}

// Rows runs a statement of our own over a dataset, named d. Its checksums are not compared:
// a few rows are read, not the whole.
func Rows(ctx context.Context, mk *Maker, in *datasets.Dir, sql string) ([]query.Column, [][]any, error) {
	columns, rows, err := Ask(ctx, query.Options{Threads: mk.Workers, Trust: true}, sql, TableViews{"d": in})
	if err != nil {
		err = fmt.Errorf("%s: %w", in.Path, err)
	}
	return columns, rows, err
}
