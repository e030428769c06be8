package query

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// passed are ways to read a file, given without its end, or what is not attached, past all checks of the text.
func passed(dir string) []string {
	csv := dir + "/secret.csv"
	return []string{
		"FROM '" + csv + "'", "FROM read_csv('" + csv + "')", "FROM read_csv_auto('" + csv + "')", "FROM sniff_csv('" + csv + "')", "FROM read_text('" + csv + "')", "FROM read_blob('" + csv + "')",
		"FROM glob('" + dir + "/*')", "FROM read_json('" + dir + "/secret.json')", "FROM read_ndjson_objects('" + dir + "/secret.json')", "FROM '" + dir + "/secret.json'",
		"FROM '" + dir + "/secret.parquet'", "FROM read_parquet('" + dir + "/secret.parquet')", "FROM parquet_scan('" + dir + "/secret.parquet')", "FROM parquet_metadata('" + dir + "/secret.parquet')",
		"FROM parquet_schema('" + dir + "/secret.parquet')", "FROM parquet_kv_metadata('" + dir + "/secret.parquet')", "FROM parquet_file_metadata('" + dir + "/secret.parquet')",
		`SUMMARIZE "` + dir + `/*".csv`, `DESCRIBE "` + dir + `/secret".csv`, `WITH csv AS (SELECT 1) SELECT * FROM "` + dir + `/secret".csv`, `WITH parquet AS (SELECT 1) SELECT * FROM "` + dir + `/secret".parquet`,
		"FROM query('FROM read_text(''" + csv + "'')')", "FROM query_table('" + csv + "')", "SELECT (SELECT max(word) FROM '" + csv + "')", "SELECT unnest(list(word)) FROM '" + csv + "'",
		"COPY (SELECT 1) TO '" + dir + "/out.csv'", "ATTACH '" + dir + "/out.db'", "EXPORT DATABASE '" + dir + "/out'", "LOAD '" + csv + "'", "SELECT 1; COPY (SELECT 1) TO '" + dir + "/out.csv'",
		"SET enable_external_access = true", "PRAGMA database_list", "CREATE TABLE x AS FROM '" + csv + "'", "EXPLAIN FROM '" + csv + "'",
	}
}

// secrets writes the files that passed reads.
func secrets(t testing.TB, db *DB) string {
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "secret.csv"), []byte("word\nxyzzy\n"), 0o666)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "secret.json"), []byte(`{"word": "xyzzy"}`), 0o666)
	}
	if err == nil {
		_, err = db.conn.ExecContext(context.Background(), "COPY (SELECT 'xyzzy' AS word) TO '"+dir+"/secret.parquet'")
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWall: DuckDB itself, called past every check of the text, opens no file that is named in a
// statement: the database that has to bind it first denies it, also what is in expressions.
func TestWall(t *testing.T) {
	ctx := context.Background()
	db, _ := attached(t, 10)
	dir := secrets(t, db)
	for _, text := range passed(dir) {
		if err := db.try(ctx, text); err == nil {
			t.Errorf("%s: bound without files", text)
		}
		if rows, err := db.wall.conn.QueryContext(ctx, text); err == nil {
			read := rows.Next()
			if rows.Close(); read && !strings.HasPrefix(text, "PRAGMA") && !strings.HasPrefix(text, "EXPLAIN SELECT") {
				t.Errorf("%s: the wall read it", text)
			}
		}
	}
	if err := db.try(ctx, "SELECT max(ply) FROM l"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir + "/out.csv"); err == nil {
		t.Error("a file was written")
	}
}

// TestViews: the list of DuckDB's own views is that of the DuckDB that is linked.
func TestViews(t *testing.T) {
	e, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	rows, err := e.conn.QueryContext(t.Context(), "SELECT DISTINCT view_name FROM duckdb_views() WHERE internal")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	has := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		has[name] = true
	}
	if rows.Err() != nil || !maps.Equal(has, views()) {
		t.Errorf("DuckDB's views are %q, %v; want %q", slices.Sorted(maps.Keys(has)), rows.Err(), slices.Sorted(maps.Keys(views())))
	}
}
