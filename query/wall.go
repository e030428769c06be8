package query

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/marcboeker/go-duckdb"

	"kifu/internal/lists"
)

// wall is a database without access to files, which DuckDB itself denies it and nothing can give
// back. Its tables are empty, with the names and columns of what is attached. DuckDB opens
// files when it binds a statement, and has to bind each in this database before the other one sees it.
//
// DuckDB 1.1.3 has no list of allowed paths (1.2 has one), and a view of Parquet files does not bind without access
// to files; so the database that reads them cannot be without it.
type wall struct {
	pool  *sql.DB
	conn  *sql.Conn
	has   map[string]bool // tables, in lower case
	views map[string]bool // DuckDB's own, which a query's tables may not be named like
}

// behind returns the wall, which the first statement builds.
func (db *DB) behind(ctx context.Context) (*wall, error) {
	if db.wall != nil {
		return db.wall, nil
	}
	w := &wall{has: map[string]bool{}, views: map[string]bool{}}
	var err error
	if w.pool, w.conn, err = connect(ctx); err != nil {
		return nil, err
	}
	if err := w.build(ctx, db); err != nil {
		w.close()
		return nil, fmt.Errorf("starting DuckDB: %w", clean(err))
	}
	db.wall = w
	return w, nil
}

func (w *wall) build(ctx context.Context, db *DB) error {
	for _, s := range []string{"SET threads = 1", "SET memory_limit = '1GB'", "SET errors_as_json = false", macros, "SET enable_external_access = false", "SET lock_configuration = true"} {
		if _, err := w.conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	if err := db.define(w.conn); err != nil {
		return err
	}
	rows, err := w.conn.QueryContext(ctx, "SELECT view_name FROM duckdb_views() WHERE internal")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		w.views[name] = true
	}
	return rows.Err()
}

func (w *wall) close() {
	if w != nil {
		w.conn.Close()
		w.pool.Close()
	}
}

// connect starts a database in memory that loads and fetches no extension.
func connect(ctx context.Context) (*sql.DB, *sql.Conn, error) {
	// Given with the start, so that no moment exists in which they do not hold.
	connector, err := duckdb.NewConnector("?autoinstall_known_extensions=false&autoload_known_extensions=false&allow_community_extensions=false", nil)
	if err != nil {
		return nil, nil, fmt.Errorf("starting DuckDB: %w", err)
	}
	pool := sql.OpenDB(connector)
	conn, err := pool.Conn(ctx)
	if err != nil {
		pool.Close()
		return nil, nil, fmt.Errorf("starting DuckDB: %w", err)
	}
	return pool, conn, nil
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
	statement, err := w.conn.PrepareContext(ctx, "FROM query("+quote(text)+")")
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
