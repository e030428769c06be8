package query

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"kifu/internal/edits"
	"kifu/query/syntax"
)

//go:embed functions.txt
var functionNames string

// allowedFunctions are DuckDB's functions that a statement may call, in lower case: none of them reads
// or reveals anything but its arguments, and of functions whose results can be larger than their arguments package syntax
// knows by how much. The macros of macros.sql are among them.
var allowedFunctions = sync.OnceValue(func() map[string]bool {
	allowed := map[string]bool{}
	for name := range strings.FieldsSeq(functionNames) {
		if !strings.HasSuffix(name, ":") {
			allowed[strings.ToLower(name)] = true
		}
	}
	for _, m := range macros() {
		allowed[m.name] = true
	}
	return allowed
})

// tableFunctions are the table functions that read nothing but their arguments.
var tableFunctions = map[string]bool{"range": true, "generate_series": true, "unnest": true}

// callable refuses a call of a function that is neither one of these nor defined by this program.
func (db *DB) callable(n syntax.Tree) error {
	name, _ := n["function_name"].(string)
	schema, _ := n["schema"].(string)
	catalog, _ := n["catalog"].(string)
	lower := strings.ToLower(name)
	switch {
	case catalog != "" || schema != "" && schema != "main":
		return fmt.Errorf("%s: write the function without a schema in front of it", name)
	case !allowedFunctions()[lower] && !tableFunctions[lower] && !db.own(lower) && db.gamesOf(lower) == nil:
		if near, ok := edits.Nearest(lower, slices.Sorted(maps.Keys(allowedFunctions()))); ok {
			return fmt.Errorf("no function %s for a query: did you mean %s?", name, near)
		}
		return fmt.Errorf("no function %s for a query", name)
	}
	return nil
}
