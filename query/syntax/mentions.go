package syntax

import (
	"fmt"
	"maps"
)

// mostTables is how many tables a statement may read, with every mention of a table of WITH expanded:
// DuckDB plans each of them, and neither its limit of memory nor an interrupt ends that.
const mostTables = 100_000

// tablesIn counts them. in has the tables of WITH.
func tablesIn(v any, in scope) (n float64) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += tablesIn(item, in)
		}
	case Tree:
		if ctes, _ := v["cte_map"].(Tree); ctes != nil {
			in = maps.Clone(in)
			list, _ := ctes["map"].([]any)
			for _, item := range list {
				entry, _ := item.(Tree)
				mentioned := tablesIn(entry["value"], in)
				if value, _ := entry["value"].(Tree); value["materialized"] == "CTE_MATERIALIZE_ALWAYS" {
					mentioned = 1 // it is planned once, as a node that has it and all after it
				}
				in[Lower(entry["key"])] = mentioned
			}
		}
		if v["type"] == "BASE_TABLE" {
			if of, is := in[ofWith(v)]; is {
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

// ofWith returns the name of the table of WITH that a reference may mean, in lower case; "" where a schema
// shows that it means a dataset.
func ofWith(reference Tree) string {
	if Lower(reference["schema_name"]) != "" {
		return ""
	}
	return Lower(reference["table_name"])
}

// countable refuses a statement that expands to too many tables.
func countable(statement Tree) error {
	if n := tablesIn(statement, scope{}); n > mostTables {
		return fmt.Errorf("a statement may read %d tables, each table of WITH as often as it is named; this one reads %.3g", mostTables, n)
	}
	return nil
}
