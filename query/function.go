package query

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/marcboeker/go-duckdb"
)

// Function is a scalar function written in Go that statements may call.
type Function struct {
	Name   string
	Params []FunctionType
	Result FunctionType
	// Call gets the values of one row, none of them null: with a null the result is
	// null. It is called from many goroutines at once, and for equal arguments must
	// return equal results. A nil result is null. An error ends the statement.
	Call func(args []driver.Value) (any, error)
}

// FunctionType is the type of an argument or a result.
type FunctionType uint8

// The types, with their form in Go.
const (
	Text  FunctionType = iota // VARCHAR, string
	Blob                      // BLOB, []byte
	Truth                     // BOOLEAN, bool
	Int                       // INTEGER, int32
	Hash                      // UBIGINT, uint64
)

var functionTypes = [...]duckdb.Type{Text: duckdb.TYPE_VARCHAR, Blob: duckdb.TYPE_BLOB, Truth: duckdb.TYPE_BOOLEAN, Int: duckdb.TYPE_INTEGER, Hash: duckdb.TYPE_UBIGINT}

// Functions returns the functions of a database. games returns the names of the games, in
// the metadata of its datasets, that are attached when it is called.
type Functions func(games func() []string) []Function

type functionsKey struct{}

// With returns a context in which Open gives databases these functions.
func With(ctx context.Context, f Functions) context.Context {
	return context.WithValue(ctx, functionsKey{}, f)
}

// own reports whether a function, in lower case, is one in Go.
func (db *DB) own(name string) bool {
	return slices.ContainsFunc(db.functions, func(f Function) bool { return strings.ToLower(f.Name) == name })
}

func (db *DB) gamesAttached() []string {
	if names := db.games.Load(); names != nil {
		return *names
	}
	return nil
}

// note remembers the game of a dataset that is attached.
func (db *DB) note(game string) {
	names := db.gamesAttached()
	if game == "" || slices.Contains(names, game) {
		return
	}
	names = append(slices.Clone(names), game)
	db.games.Store(&names)
}

// scalar is a Function as the driver takes it.
type scalar struct {
	config duckdb.ScalarFuncConfig
	call   func(args []driver.Value) (any, error)
}

func (f Function) scalar() (*scalar, error) {
	s := &scalar{call: f.Call}
	for _, p := range f.Params {
		info, err := duckdb.NewTypeInfo(functionTypes[p])
		if err != nil {
			return nil, err
		}
		s.config.InputTypeInfos = append(s.config.InputTypeInfos, info)
	}
	var err error
	s.config.ResultTypeInfo, err = duckdb.NewTypeInfo(functionTypes[f.Result])
	return s, err
}

// Config and Executor implement duckdb.ScalarFunc.
func (s *scalar) Config() duckdb.ScalarFuncConfig { return s.config }
func (s *scalar) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: s.call}
}
