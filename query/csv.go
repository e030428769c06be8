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

// attachTables makes a view NAME_TABLE of each TABLE.csv of a dataset, and of each
// TABLE.json beside which there is no such CSV: one row of a fit.json, with its parts as
// structures. An empty cell is NULL; types are those that fit every cell.
func (db *DB) attachTables(ctx context.Context, name string, dir *datasets.Dir) (found bool, err error) {
	done := map[string]bool{}
	for _, end := range []string{".csv", ".json"} {
		for _, f := range dir.Manifest.Files {
			table, is := strings.CutSuffix(f.Name, end)
			if !is || done[table] {
				continue
			}
			done[table] = true
			if err := db.attachTable(ctx, name+"_"+table, filepath.Join(dir.Path, f.Name)); err != nil {
				return true, err
			}
		}
	}
	return len(done) > 0, nil
}

func (db *DB) attachTable(ctx context.Context, name, path string) error {
	if slices.Contains(db.names(), strings.ToLower(name)) {
		return fmt.Errorf("%s is the table in %s: give the other dataset of that name another", name, path)
	}
	read := "read_csv([%s], header = true, delim = ',', quote = '\"', escape = '\"', sample_size = -1, hive_partitioning = false)"
	if filepath.Ext(path) == ".json" {
		read = "read_json([%s], sample_size = -1, maximum_depth = -1, map_inference_threshold = -1, hive_partitioning = false)"
	}
	create := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM "+read, QuoteName(name), quote(literal(path)))
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
