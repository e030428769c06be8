package query

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/marcboeker/go-duckdb"
)

// engine is one database of DuckDB, in memory. The macros and the functions in Go are made when a
// statement names them: all of them take longer than the start.
type engine struct {
	pool *sql.DB
	conn *sql.Conn
	made map[string]bool // macros and functions in Go, in lower case
}

// connect starts an engine that loads and fetches no extension.
func connect(ctx context.Context) (e engine, err error) {
	// Given with the start, so that no moment exists in which they do not hold.
	connector, err := duckdb.NewConnector("?autoinstall_known_extensions=false&autoload_known_extensions=false&allow_community_extensions=false", nil)
	if err != nil {
		return engine{}, fmt.Errorf("starting DuckDB: %w", err)
	}
	e = engine{pool: sql.OpenDB(connector), made: map[string]bool{}}
	if e.conn, err = e.pool.Conn(ctx); err != nil {
		e.pool.Close()
		return engine{}, fmt.Errorf("starting DuckDB: %w", err)
	}
	return e, nil
}

func (e engine) close() error {
	if e.conn == nil {
		return nil
	}
	return errors.Join(e.conn.Close(), e.pool.Close())
}

//go:embed macros.sql
var macroText string

// macro is a macro of macros.sql.
type macro struct {
	name, create string
	words        map[string]bool // of create: the macros that it calls are among them
}

// macros returns them in the order of the file, in which a macro calls none after it.
var macros = sync.OnceValue(func() (all []macro) {
	const create = "CREATE MACRO "
	for _, text := range strings.Split(macroText, create)[1:] {
		name, _, _ := strings.Cut(text, "(")
		all = append(all, macro{name, create + text, NamesIn(text)})
	}
	return all
})

// ready makes the macros and the functions in Go that are among these words, in lower case.
func (db *DB) ready(ctx context.Context, words map[string]bool) error {
	engines := []engine{db.engine}
	if db.wall != nil {
		engines = append(engines, db.wall.engine)
	}
	var named []macro
	for _, m := range slices.Backward(macros()) {
		if words[m.name] || slices.ContainsFunc(named, func(n macro) bool { return n.words[m.name] }) {
			named = append(named, m)
		}
	}
	for _, e := range engines {
		for _, m := range slices.Backward(named) {
			if e.made[m.name] {
				continue
			}
			if _, err := e.conn.ExecContext(ctx, m.create); err != nil {
				return fmt.Errorf("the macro %s: %w", m.name, clean(err))
			}
			e.made[m.name] = true
		}
		for _, f := range db.functions {
			if name := strings.ToLower(f.Name); words[name] && !e.made[name] {
				if err := db.register(e.conn, f.Name); err != nil {
					return fmt.Errorf("the function %s: %w", f.Name, err)
				}
				e.made[name] = true
			}
		}
	}
	return nil
}

// register makes the functions in Go of that name, which differ by what they take.
func (db *DB) register(conn *sql.Conn, name string) error {
	var all []duckdb.ScalarFunc
	for _, f := range db.functions {
		if f.Name == name {
			s, err := f.scalar()
			if err != nil {
				return err
			}
			all = append(all, s)
		}
	}
	return duckdb.RegisterScalarUDFSet(conn, name, all...)
}
