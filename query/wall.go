package query

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"

	"kifu/internal/lists"
)

// wall is a database without access to files, which DuckDB itself denies it and nothing can give
// back. Its tables are empty, with the names and columns of what is attached. DuckDB opens
// files when it binds a statement, and has to bind each in this database before the other one sees it.
//
// DuckDB 1.1.3 has no list of allowed paths (1.2 has one), and a view of Parquet files does not bind without access
// to files; so the database that reads them cannot be without it.
type wall struct {
	engine
	has map[string]bool // tables, in lower case
}

// views are DuckDB's own, which a query's tables may not be named like.
var views = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`character_sets check_constraints columns constraint_column_usage constraint_table_usage duckdb_columns
		duckdb_constraints duckdb_databases duckdb_indexes duckdb_schemas duckdb_tables duckdb_types duckdb_views key_column_usage pg_am pg_attrdef
		pg_attribute pg_class pg_constraint pg_database pg_depend pg_description pg_enum pg_index pg_indexes pg_namespace pg_proc pg_sequence
		pg_sequences pg_settings pg_tables pg_tablespace pg_type pg_views pragma_database_list referential_constraints schemata sqlite_master
		sqlite_schema sqlite_temp_master sqlite_temp_schema table_constraints tables views`) {
		names[name] = true
	}
	return names
})

// behind returns the wall, which the first statement builds.
func (db *DB) behind(ctx context.Context) (*wall, error) {
	if db.wall != nil {
		return db.wall, nil
	}
	e, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range []string{"SET threads = 1", "SET memory_limit = '1GB'", "SET errors_as_json = false", "SET enable_external_access = false", "PRAGMA disable_optimizer", "SET lock_configuration = true"} {
		if _, err := e.conn.ExecContext(ctx, s); err != nil {
			e.close()
			return nil, fmt.Errorf("starting DuckDB: %w", clean(err))
		}
	}
	db.wall = &wall{engine: e, has: map[string]bool{}}
	return db.wall, nil
}

// try binds a statement in the database without files: one SELECT, as query() takes no other. What would open a file is an error.
func (db *DB) try(ctx context.Context, text string) error {
	w, err := db.behind(ctx)
	if err != nil {
		return err
	}
	words := NamesIn(text)
	for i := range db.views {
		if v := &db.views[i]; words[strings.ToLower(v.name)] || words[strings.ToLower(v.name+ofSuffix)] || !tableName().MatchString(v.name) {
			if err := db.copyColumns(ctx, v); err != nil {
				return err
			}
		}
	}
	statement, err := w.conn.PrepareContext(ctx, "FROM query("+QuoteText(text)+")")
	if err != nil {
		return db.namedIn(text).explain(ctx, err)
	}
	return statement.Close()
}

// copyColumns gives the wall an empty table like v.
func (db *DB) copyColumns(ctx context.Context, v *view) error {
	w, err := db.behind(ctx)
	if err != nil || w.has[strings.ToLower(v.name)] {
		return err
	}
	columns, err := describe(ctx, db.conn, "FROM "+View(v.name))
	if err != nil {
		return err
	}
	list := lists.Of(columns, func(c Column) string { return QuoteName(c.Name) + " " + c.Type })
	create := fmt.Sprintf("CREATE TABLE %s (%s); CREATE MACRO %s(name) AS TABLE FROM %s", View(v.name), strings.Join(list, ", "), QuoteName(v.name+ofSuffix), View(v.name))
	if _, err := w.conn.ExecContext(ctx, create); err != nil {
		return fmt.Errorf("the columns of %s: %w", v.name, clean(err))
	}
	w.has[strings.ToLower(v.name)] = true
	return nil
}

// describe returns the columns of a statement.
func describe(ctx context.Context, conn *sql.Conn, text string) (columns []Column, err error) {
	rows, err := conn.QueryContext(ctx, "DESCRIBE "+text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c Column
		var rest [4]any
		if err := rows.Scan(&c.Name, &c.Type, &rest[0], &rest[1], &rest[2], &rest[3]); err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, rows.Err()
}
