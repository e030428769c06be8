package query

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"kifu/internal/edits"
)

//go:embed functions.txt
var functionNames string

// allowedFunctions are DuckDB's functions that a statement may call, in lower case: none of them reads
// or reveals anything but its arguments, and of functions whose results can be larger than their arguments growth.go
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

// mostArray is the number of elements of a value of a type as INTEGER[1000][100].
const mostArray = 100_000

// callable refuses a call of a function that is neither one of these nor defined by this program.
func (db *DB) callable(n tree) error {
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

// sized refuses a type of arrays whose values are large whatever is in them.
func sized(castType tree) error {
	if n := elements(castType); n > mostArray {
		return fmt.Errorf("an array of %.0f elements: at most %d", n, mostArray)
	}
	return nil
}

// elements is the number of elements of a type, however deep its arrays are.
func elements(v any) float64 {
	sum := 0.0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			sum += elements(item)
		}
	case tree:
		for _, item := range v {
			sum += elements(item)
		}
		return max(1, sum) * max(1, numberOf(v["size"]))
	}
	return sum
}
