package query

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/schemas"
)

// attachTables makes a view NAME_TABLE of each TABLE.csv of a dataset without parts, as
// reports and models are. An empty cell is NULL; types are those that fit every cell.
func (db *DB) attachTables(ctx context.Context, name string, dir *datasets.Dir) error {
	if !db.trust {
		if err := dir.Verify(ctx); err != nil {
			return err
		}
	}
	found := false
	for _, f := range dir.Manifest.Files {
		table, is := strings.CutSuffix(f.Name, ".csv")
		if !is {
			continue
		}
		found = true
		if err := db.attachTable(ctx, name+"_"+table, filepath.Join(dir.Path, f.Name)); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s holds no table: %s has no Parquet part, and no CSV beside it", dir.Path, dir.Table.ID())
	}
	return nil
}

func (db *DB) attachTable(ctx context.Context, name, path string) error {
	if slices.Contains(db.names(), strings.ToLower(name)) {
		return fmt.Errorf("%s is the table in %s: give the other dataset of that name another", name, path)
	}
	create := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM read_csv([%s], header = true, delim = ',', quote = '\"', escape = '\"', sample_size = -1, hive_partitioning = false)",
		QuoteName(name), quote(literal(path)))
	if _, err := db.conn.ExecContext(ctx, create); err != nil {
		return fmt.Errorf("%s as %s: %w", path, name, clean(err))
	}
	r, err := db.run(ctx, "SELECT * FROM "+QuoteName(name)+" LIMIT 0")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t := schemas.Table{Name: name}
	for _, c := range r.Columns {
		t.Columns = append(t.Columns, schemas.Column{Name: c.Name})
	}
	db.views = append(db.views, view{name: name, dir: &datasets.Dir{Path: path, Table: t, Manifest: &datasets.Manifest{}}})
	return r.Close()
}
