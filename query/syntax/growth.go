package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"kifu/internal/pattern"
)

// mostGrowth is how many times longer than what it is made of a text or a list may be. DuckDB makes
// 2,048 rows of them in one call, which neither its limit of memory nor an interrupt ends.
const mostGrowth = 10_000

// growth computes by how much the texts and lists of a statement may grow: by a length that is written
// out, as in repeat(x, 100), or by the number of operands, as in x || x. Growths multiply along the way of a text, through
// columns that have names, tables of WITH and sub-queries.
type growth struct{ err error }

// scope has the growths of what has a name, in lower case: "column x", "table x".
type scope map[string]float64

// Bounded refuses a statement that expands to too many tables, or whose texts or lists may grow without bound.
func Bounded(statement Tree) error {
	if err := countable(statement); err != nil {
		return err
	}
	g := &growth{}
	if most := g.growthOf(statement, scope{}); g.err == nil && most > mostGrowth {
		g.err = fmt.Errorf("texts and lists may grow %d-fold in a statement; these could grow %.3g-fold", mostGrowth, most)
	}
	return g.err
}

// growthOf returns the growth of a node, at least 1.
func (g *growth) growthOf(v any, in scope) float64 {
	most := 1.0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			most = max(most, g.growthOf(item, in))
		}
	case Tree:
		switch kind, _ := v["type"].(string); {
		case strings.HasSuffix(kind, "_NODE"):
			return g.query(v, in)
		case kind == "JOIN":
			return g.join(v, in)
		case kind == "BASE_TABLE":
			return max(1, in["table "+ofWith(v)])
		case kind == "COLUMN_REF":
			list, _ := v["column_names"].([]any)
			return max(1, in["column "+Lower(list[len(list)-1])])
		case kind == "TABLE_FUNCTION": // makes rows, as many as it likes
			f, _ := v["function"].(Tree)
			return g.growthOf(f["children"], in)
		case v["function_name"] != nil:
			return g.call(v, in)
		}
		for _, child := range v {
			most = max(most, g.growthOf(child, in))
		}
	}
	return most
}

// query is the growth of a SELECT: its tables' times its expressions', in which aliases
// mean the expressions before them.
func (g *growth) query(n Tree, in scope) float64 {
	in = maps.Clone(in)
	ctes, _ := n["cte_map"].(Tree)
	list, _ := ctes["map"].([]any)
	for _, item := range list {
		entry, _ := item.(Tree)
		in["table "+Lower(entry["key"])] = g.growthOf(entry["value"], in)
	}
	if n["type"] == "RECURSIVE_CTE_NODE" && mentions(n["right"], Lower(n["cte_name"])) && g.growthOf(n["right"], scope{}) > 1 { // again and again
		g.err = errors.New("texts and lists in a recursive WITH may not grow")
	}
	from := g.growthOf(n["from_table"], in)
	own := 1.0
	selected, _ := n["select_list"].([]any)
	for _, item := range selected {
		grown := g.growthOf(item, in)
		own = max(own, grown)
		if column, _ := item.(Tree); Lower(column["alias"]) != "" {
			in["column "+Lower(column["alias"])] = grown
		}
	}
	for key, child := range n {
		if key != "cte_map" && key != "from_table" && key != "select_list" {
			own = max(own, g.growthOf(child, in))
		}
	}
	return from * own
}

// mentions reports whether a query has a table of that name in it.
func mentions(query any, name string) (found bool) {
	Walk(query, func(n Tree) { found = found || n["type"] == "BASE_TABLE" && ofWith(n) == name })
	return found
}

// join is the growth of two tables, of which the right one, if it is a sub-query, may be made of the left one.
func (g *growth) join(n Tree, in scope) float64 {
	left, right := g.growthOf(n["left"], in), g.growthOf(n["right"], in)
	rest := max(g.growthOf(n["condition"], in), left, right)
	if table, _ := n["right"].(Tree); table["type"] != "BASE_TABLE" {
		return max(rest, left*right)
	}
	return rest
}

// factors are the growths of functions of one text: what its letters are written with, or, of lists, the
// bytes of an element.
var factors = map[string]float64{
	"hex": 2, "to_hex": 2, "bin": 8, "to_binary": 8, "base64": 2, "to_base64": 2, "url_encode": 3, "regexp_escape": 2,
	"to_json": 6, "json_quote": 6, "json_pretty": 4, "array_to_json": 6, "row_to_json": 6, "strftime": 16, "json_structure": 2,
	"string_split": 16, "split": 16, "str_split": 16, "string_to_array": 16, "regexp_split_to_array": 16, "str_split_regex": 16,
	"string_split_regex": 16, "regexp_extract_all": 16,
	// These are macros that have their arguments twice.
	"levenshtein": 4, "damerau_levenshtein": 4, "editdist3": 4, "jaro_similarity": 4, "jaro_winkler_similarity": 4,
}

// lengths are the arguments that set the length of the result.
var lengths = map[string][]int{
	"repeat": {1}, "lpad": {1}, "rpad": {1}, "bitstring": {1}, "list_resize": {1}, "array_resize": {1}, "equi_width_bins": {2},
	"range": {0, 1, 2}, "generate_series": {0, 1, 2}, "approx_top_k": {1},
	"max": {1}, "min": {1}, "max_by": {2}, "min_by": {2}, "arg_max": {2}, "arg_min": {2},
}

// call is the growth of the result of a function.
func (g *growth) call(n Tree, in scope) float64 {
	name := Lower(n["function_name"])
	args, _ := n["children"].([]any)
	grown := make([]float64, len(args))
	sum, product, most := 0.0, 1.0, g.growthOf(n["order_bys"], in)
	for i, arg := range args {
		grown[i] = g.growthOf(arg, in)
		most, product = max(most, grown[i]), product*grown[i]
		if a, _ := arg.(Tree); a["class"] != "CONSTANT" {
			sum += grown[i]
		}
	}
	sum = max(sum, most)
	switch name {
	case "hash", "length", "len", "strlen", "count", "md5", "sha256":
		if most <= 16 { // a number of what is small in itself
			return 1
		}
	case "unnest", "unlist":
		if len(args) > 0 {
			return g.element(args[0], in)
		}
	case "||", "concat", "list_concat", "list_cat", "array_concat", "array_cat", "list_value", "list_pack", "array_value", "struct_pack", "row",
		"map", "map_concat", "struct_insert", "list_zip", "array_zip", "json_array", "json_object", "json_merge_patch", "flatten",
		"list_append", "list_prepend", "array_append", "array_prepend", "array_push_back", "array_push_front":
		return sum
	case "concat_ws":
		return sum + float64(len(args))*grown[0]
	case "array_to_string", "array_to_string_comma_default", "list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate",
		"list_string_agg", "list_transform", "list_apply", "array_transform", "array_apply", "apply", "string_agg", "group_concat", "listagg":
		return product
	case "list_reduce", "array_reduce", "reduce":
		if len(args) > 1 && grown[1] > 1 {
			g.err = fmt.Errorf("texts and lists in the function of %s may not grow", name)
		}
	case "replace", "regexp_replace":
		if len(args) > 2 {
			text, written := textOf(args[2])
			if !written {
				g.err = fmt.Errorf("%s: write the text to insert as a constant", name)
			}
			return most * float64(1+len(text))
		}
	case "format", "printf":
		if len(args) > 0 {
			return most * g.formatted(name, args[0])
		}
	}
	if at := lengths[name]; at != nil {
		return most * g.length(name, args, at)
	}
	return most * max(1, factors[name])
}

// element is the growth of an element of a list.
func (g *growth) element(list any, in scope) float64 {
	n, _ := list.(Tree)
	args, _ := n["children"].([]any)
	switch name := Lower(n["function_name"]); {
	case name == "list_value":
		return g.growthOf(args, in)
	case name == "list_distinct" && len(args) == 1:
		return g.element(args[0], in)
	}
	return g.growthOf(list, in)
}

// length is the largest number among the arguments that set the length of the result.
func (g *growth) length(name string, args []any, at []int) float64 {
	most := 1.0
	for _, i := range at {
		if i >= len(args) {
			continue
		}
		n, written := leastOf(args[i])
		if !written {
			g.err = fmt.Errorf("%s: write the length as a number, or as least(…, 100)", name)
		}
		most = max(most, math.Abs(n))
	}
	return most
}

var widths = pattern.Of(`[0-9]+`)

// formatted is how much a format makes of its arguments: as often as each may come, as wide as it asks.
func (g *growth) formatted(name string, arg any) float64 {
	text, written := textOf(arg)
	if !written || strings.ContainsRune(text, '*') || name == "format" && strings.Count(text, "{") != strings.Count(text, "}") || nested().MatchString(text) {
		g.err = fmt.Errorf("%s: write the format, with its widths, as a constant", name)
	}
	most := float64(max(1, strings.Count(text, "{"), strings.Count(text, "%")))
	for _, w := range widths().FindAllString(text, -1) {
		if n, _ := strconv.ParseFloat(w, 64); n > 99 {
			most += n
		}
	}
	return most
}

// nested is a width that another argument gives.
var nested = pattern.Of(`\{[^}]*\{`)

// leastOf returns a number that is written out, or one that least() does not go above.
func leastOf(v any) (n float64, written bool) {
	t, _ := v.(Tree)
	if t["function_name"] != nil && Lower(t["function_name"]) == "least" {
		args, _ := t["children"].([]any)
		for _, arg := range args {
			if m, is := leastOf(arg); is && m >= 0 {
				return m, true
			}
		}
		return 0, false
	}
	if Lower(t["function_name"]) == "-" {
		if args, _ := t["children"].([]any); len(args) == 1 {
			return leastOf(args[0])
		}
	}
	value, _ := t["value"].(Tree)
	number, is := value["value"].(json.Number)
	if t["class"] != "CONSTANT" || !is {
		return 0, false
	}
	kind, _ := value["type"].(Tree)
	if kind["id"] != "INTEGER" && kind["id"] != "BIGINT" {
		return 0, false
	}
	return numberOf(number), true
}

// textOf returns a text that is written out.
func textOf(v any) (text string, written bool) {
	t, _ := v.(Tree)
	value, _ := t["value"].(Tree)
	text, is := value["value"].(string)
	return text, is && t["class"] == "CONSTANT"
}

// mostArray is the number of elements of a value of a type as INTEGER[1000][100].
const mostArray = 100_000

// Sized refuses a type of arrays whose values are large whatever is in them.
func Sized(castType Tree) error {
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
	case Tree:
		for _, item := range v {
			sum += elements(item)
		}
		return max(1, sum) * max(1, numberOf(v["size"]))
	}
	return sum
}

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
