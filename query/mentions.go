package query

import (
	"fmt"
	"maps"
)

// mostTables is how many tables a statement may read, if each mention of a table of WITH is what it
// stands for: DuckDB plans each of them, which neither its limit of memory nor an interrupt ends.
const mostTables = 100_000

// tablesIn counts them. in has those of WITH.
func tablesIn(v any, in scope) (n float64) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += tablesIn(item, in)
		}
	case tree:
		if ctes, _ := v["cte_map"].(tree); ctes != nil {
			in = maps.Clone(in)
			list, _ := ctes["map"].([]any)
			for _, item := range list {
				entry, _ := item.(tree)
				in[lower(entry["key"])] = tablesIn(entry["value"], in)
			}
		}
		if v["type"] == "BASE_TABLE" {
			if of, is := in[lower(v["table_name"])]; is {
				return of
			}
			return 1
		}
		for key, child := range v {
			if key != "cte_map" {
				n += tablesIn(child, in)
			}
		}
	}
	return n
}

// countable refuses a statement that stands for too many tables.
func countable(statement tree) error {
	if n := tablesIn(statement, scope{}); n > mostTables {
		return fmt.Errorf("a statement may read %d tables, those of WITH as often as it names them; this one reads %.3g", mostTables, n)
	}
	return nil
}
