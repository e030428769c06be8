package query

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/schemas"
)

// AttachFile makes a CSV, JSON or Parquet file, as its name ends, a view of that name. An empty cell
// of a CSV file is NULL; types are those that fit every cell.
func (db *DB) AttachFile(ctx context.Context, name, path string) error {
	if name == "" {
		return fmt.Errorf("a view of %s without a name: write NAME=FILE", path)
	}
	for _, v := range db.views {
		if strings.EqualFold(v.name, name) {
			return fmt.Errorf("two datasets are named %s: %s and %s", name, v.dir.Path, path)
		}
	}
	return db.attachTable(ctx, name, path, nil)
}

// attachTables makes a view NAME_TABLE of each TABLE.csv and each TABLE.parquet of a dataset, and
// of each TABLE.json without such a CSV next to it: one row of a fit.json, with its parts as
// structures. The index of players is attachPlayers'.
func (db *DB) attachTables(ctx context.Context, name string, dir *datasets.Dir) (found bool, err error) {
	done := map[string]bool{}
	for _, end := range []string{".csv", ".parquet", ".json"} {
		for _, f := range dir.Manifest.Files {
			table, is := strings.CutSuffix(f.Name, end)
			if !is || done[table] || f.Name == playersFile {
				continue
			}
			done[table] = true
			path, err := dir.FilePath(f.Name)
			if err == nil {
				err = db.attachTable(ctx, name+"_"+table, path, typesOf(dir, f.Name))
			}
			if err != nil {
				return true, err
			}
		}
	}
	return len(done) > 0, nil
}

// TypesOf with the name of a CSV file is the manifest's key for the types of columns without values: "value
// DOUBLE,games BIGINT".
const TypesOf = "types:"

// typesOf are these types, as read_csv takes them. What is no type of a number is left out.
func typesOf(dir *datasets.Dir, file string) (types []string) {
	for _, one := range strings.Split(dir.Manifest.Meta[TypesOf+file], ",") {
		if i := strings.LastIndexByte(one, ' '); i > 0 && IsNumber(one[i+1:]) && !strings.Contains(one, "(") {
			types = append(types, QuoteText(one[:i])+": "+QuoteText(one[i+1:]))
		}
	}
	return types
}

// attachTable makes the view of a file; types are the types of CSV columns that the cells do not
// show.
func (db *DB) attachTable(ctx context.Context, name, path string, types []string) error {
	if slices.Contains(db.names(), strings.ToLower(name)) {
		return fmt.Errorf("%s is the table in %s: give the other dataset another name", name, path)
	}
	const csv = "read_csv([%s], header = true, delim = ',', quote = '\"', escape = '\"', sample_size = -1, hive_partitioning = false%s)"
	file := QuoteText(literal(path))
	typed := func() string {
		if len(types) == 0 {
			return ""
		}
		return ", types = {" + strings.Join(types, ", ") + "}"
	}
	source := fmt.Sprintf(csv, file, typed())
	isCSV := false
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		source = "read_json([" + file + "], sample_size = -1, maximum_depth = -1, map_inference_threshold = -1, hive_partitioning = false)"
	case ".parquet":
		if !db.trust {
			if err := checked.Parquet(ctx, path); err != nil {
				return err
			}
		}
		source = scan([]string{path}, "")
	default:
		isCSV = true
	}
	columns, err := db.createView(ctx, name, source)
	if err == nil && isCSV {
		var large []string
		large, err = db.largeNumbers(ctx, columns, fmt.Sprintf(csv, file, ", all_varchar = true"))
		if err == nil && len(large) > 0 {
			types = append(types, large...)
			columns, err = db.createView(ctx, name, fmt.Sprintf(csv, file, typed()))
		}
	}
	if err != nil {
		return fmt.Errorf("%s as %s: %w", path, name, clean(err))
	}
	db.list(name, path, columns)
	return nil
}

// list lists the view of a file.
func (db *DB) list(name, path string, columns []Column) {
	t := schemas.Table{Name: name, Columns: lists.Of(columns, func(c Column) schemas.Column { return schemas.Column{Name: c.Name} })}
	db.views = append(db.views, view{name: name, dir: &datasets.Dir{Path: path, Table: t, Manifest: &manifest.Manifest{}}})
}

// createView makes a view of everything in source and returns its columns.
func (db *DB) createView(ctx context.Context, name, source string) ([]Column, error) {
	if _, err := db.conn.ExecContext(ctx, "CREATE OR REPLACE VIEW "+QuoteName(name)+" AS SELECT * FROM "+source); err != nil {
		return nil, err
	}
	r, err := db.run(ctx, "SELECT * FROM "+QuoteName(name)+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	return r.Columns, r.Close()
}

// largeNumbers returns, as 'name': 'UBIGINT', the columns that were taken for DOUBLE because
// a number in them is above 2⁶³, but that hold whole numbers alone: hashes of positions, which
// a DOUBLE would round. texts reads the same columns as written.
func (db *DB) largeNumbers(ctx context.Context, columns []Column, texts string) (large []string, err error) {
	var names, tests []string
	for _, c := range columns {
		if c.Type == "DOUBLE" {
			name := QuoteName(c.Name)
			names = append(names, c.Name)
			tests = append(tests, fmt.Sprintf("coalesce(bool_and(regexp_full_match(%s, '[0-9]{1,20}') AND TRY_CAST(%s AS UBIGINT) IS NOT NULL), false)", name, name))
		}
	}
	if len(tests) == 0 {
		return nil, nil
	}
	r, err := db.run(ctx, "SELECT "+strings.Join(tests, ", ")+" FROM "+texts)
	if err != nil {
		return nil, err
	}
	rows, err := r.All()
	if err != nil {
		return nil, err
	}
	for i, whole := range rows[0] {
		if whole == true {
			large = append(large, QuoteText(names[i])+": 'UBIGINT'")
		}
	}
	return large, nil
}
