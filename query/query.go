// Package query answers SQL over datasets with DuckDB. It is the only package that
// needs a C compiler.
//
// Attach makes a view of a dataset's Parquet parts under a name, or views of the CSV tables of a
// dataset without parts. It first compares the files next to the parts with the manifest's
// checksums. Query verifies the columns that a SELECT reads, because DuckDB ignores the checksums
// of pages, then runs it and streams its rows. Writer prints them as a table, CSV, JSON, Markdown,
// LaTeX or an Arrow stream, Write also as a Parquet file. Columns computes SQL expressions over a
// dataset's columns row by row, in the order of its parts, for new features of a fit.
//
// A query only reads, and only what was attached (check.go), by functions that are allowed
// (functions.go) and cannot take any memory (package syntax). A second database, which DuckDB lets open
// no file, has to bind it before (wall.go). No extension is ever loaded or fetched. What does not
// fit into the memory limit is spilled to a temporary directory.
//
// Games sorted by player have an index, from which NAME_of('player') is made; Prune
// counts the row groups that a statement needs.
//
// In addition to DuckDB's own functions there are the macros of macros.sql: win_probability,
// wilson_low, wilson_high, student_t, eval_bin, elo_expectation and held_out, and the functions in Go
// that the context brings (With), as query/boards has them.
package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/datasets/remote"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/scratch"
)

// Options are the means that a database may use. None of them changes an answer.
type Options struct {
	MemoryLimit string // "4GB"; empty: four fifths of the machine's memory
	Threads     int    // 0: as many as there are processors
	TempDir     string // where to make the directory for what is spilled; empty: the system's
	SpillLimit  string // "10GB": of what is spilled; empty: nine tenths of the disk's free space
	// Trust leaves out the comparison of what is read with checksums. Answers from damaged
	// parts may be wrong.
	Trust bool
}

// DB is a database in memory whose tables are views of datasets. It is for one
// goroutine at a time.
type DB struct {
	engine
	temp      *scratch.Dir // for what is spilled; made when needed
	tables    int          // of Table, so far
	views     []view
	trust     bool
	threads   int
	wall      *wall
	functions []Function
	open      *sql.Rows                // of the last result; unread ones would keep Close waiting
	games     atomic.Pointer[[]string] // of the datasets that are attached
}

type view struct {
	name   string
	dir    *datasets.Dir
	index  string      // file of the players; empty: none
	ranges []gameRange // of the players that the last statement named
}

// Open starts a database. Close it to remove what it spilled.
func Open(ctx context.Context, o Options) (*DB, error) {
	o.Threads = ordered.Workers(o.Threads)
	db := &DB{temp: scratch.New(o.TempDir, "query"), trust: o.Trust, threads: o.Threads}
	if of, _ := ctx.Value(functionsKey{}).(Functions); of != nil {
		db.functions = of(db.gamesAttached)
	}
	if err := db.start(ctx, o); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (db *DB) start(ctx context.Context, o Options) error {
	var err error
	if db.engine, err = connect(ctx); err != nil {
		return err
	}
	settings := []string{
		"SET threads = " + strconv.Itoa(o.Threads),
		"SET temp_directory = " + QuoteText(db.temp.Path()),
		"SET enable_progress_bar = false",
		"SET errors_as_json = false",
	}
	if o.MemoryLimit != "" {
		settings = append(settings, "SET memory_limit = "+QuoteText(o.MemoryLimit))
	}
	if o.SpillLimit != "" {
		settings = append(settings, "SET max_temp_directory_size = "+QuoteText(o.SpillLimit))
	}
	settings = append(settings, "SET lock_configuration = true")
	for _, s := range settings {
		if _, err := db.conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("starting DuckDB: %w", clean(err))
		}
	}
	return nil
}

// Close ends the database and removes its temporary directory.
func (db *DB) Close() error {
	db.shut()
	if db.wall != nil {
		db.wall.close()
	}
	return errors.Join(db.engine.close(), db.temp.Remove())
}

// Attach makes the dataset a view of that name, in the order of its parts. Each TABLE.csv or
// TABLE.json in it becomes a view NAME_TABLE: reports and models have only these. Damaged files are
// an error that names the file.
func (db *DB) Attach(ctx context.Context, name string, dir *datasets.Dir) error {
	if name == "" {
		return fmt.Errorf("a view of %s without a name: write NAME=DIR", dir.Path)
	}
	for _, v := range db.views {
		if strings.EqualFold(v.name, name) {
			return fmt.Errorf("two datasets are named %s: %s and %s", name, v.dir.Path, dir.Path)
		}
	}
	for _, v := range db.views {
		if err := datasets.CheckPlaces(v.dir, dir); err != nil {
			return err
		}
	}
	if db.viewOf(dir) == nil && (!db.trust || remote.Is(dir.Path)) {
		if err := dir.VerifyColumns(ctx); err != nil {
			return err
		}
	}
	db.note(dir.Manifest.Meta["game"])
	found, err := db.attachTables(ctx, name, dir)
	if err != nil {
		return err
	}
	if dir.NumParts() == 0 {
		if !found {
			return fmt.Errorf("%s holds no table: %s has no Parquet part, and no CSV next to it", dir.Path, dir.Table.ID())
		}
		return nil
	}
	create := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM %s", QuoteName(name), source(dir, every(dir), ""))
	if _, err := db.conn.ExecContext(ctx, create); err != nil {
		return fmt.Errorf("%s as %s: %w", dir.Path, name, clean(err))
	}
	db.views = append(db.views, view{name: name, dir: dir})
	return db.attachPlayers(ctx, &db.views[len(db.views)-1])
}

// AttachAll makes a view of the rows of several datasets without games, such as weights of fits, one
// after the other.
func (db *DB) AttachAll(ctx context.Context, name string, dirs []*datasets.Dir) error {
	var all []string
	for i, dir := range dirs {
		if dir.Table.Index("game_id") >= 0 || dir.Table.ID() != dirs[0].Table.ID() {
			return fmt.Errorf("two datasets are named %s: %s and %s", name, dirs[0].Path, dir.Path)
		}
		one := fmt.Sprintf("%s %d", name, i+1)
		if err := db.Attach(ctx, one, dir); err != nil {
			return err
		}
		if dir.NumParts() > 0 {
			all = append(all, "SELECT * FROM "+View(one))
		}
	}
	if _, err := db.conn.ExecContext(ctx, fmt.Sprintf("CREATE VIEW %s AS %s", QuoteName(name), strings.Join(all, " UNION ALL BY NAME "))); err != nil {
		return fmt.Errorf("%s: %w", name, clean(err))
	}
	db.views = append(db.views, view{name: name, dir: &datasets.Dir{Path: dirs[0].Path, Table: dirs[0].Table, Manifest: &manifest.Manifest{}}})
	return nil
}

// Datasets are the attached datasets that have rows.
func (db *DB) Datasets() []*datasets.Dir {
	return lists.Of(db.views, func(v view) *datasets.Dir { return v.dir })
}

// every lists the parts of a dataset.
func every(dir *datasets.Dir) []int { return lists.N(dir.NumParts(), func(i int) int { return i }) }

// source returns the table that reads these parts of a dataset, which may be several as one.
func source(dir *datasets.Dir, parts []int, options string) string {
	all := dir.PartPaths()
	var reads []string
	for from := 0; from < len(parts); {
		id, paths := dir.GamesFrom(parts[from]), []string{}
		for ; from < len(parts) && dir.GamesFrom(parts[from]) == id; from++ {
			paths = append(paths, all[parts[from]])
		}
		read := scan(paths, options)
		if id > 0 {
			read = fmt.Sprintf("(SELECT * REPLACE (game_id + %d AS game_id) FROM %s)", id, read)
		}
		reads = append(reads, read)
	}
	if len(reads) == 1 {
		return reads[0]
	}
	return "(SELECT * FROM " + strings.Join(reads, " UNION ALL SELECT * FROM ") + ")"
}

// scan returns the table function call that reads Parquet files one after the other. Its
// list of names is not a pattern, so the characters of a pattern are kept unchanged; a
// directory named method=mlm, as kifu run makes them, is no column.
func scan(paths []string, options string) string {
	quoted := lists.Of(paths, func(p string) string { return QuoteText(literal(p)) })
	return "read_parquet([" + strings.Join(quoted, ", ") + "], hive_partitioning = false" + options + ")"
}

// literal keeps DuckDB from reading a path as a pattern.
func literal(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune("*?[", r) {
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// QuoteText writes text as a literal of SQL.
func QuoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// View returns the qualified name of a dataset's view. A table of WITH with the same name does not hide it,
// because it has no schema.
func View(name string) string { return "main." + QuoteName(name) }

// QuoteName writes a name of a view or a column so that SQL takes it literally.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
