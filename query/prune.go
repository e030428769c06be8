package query

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/query/syntax"
	"kifu/schemas"
)

// Pruned counts how much of a dataset the bounds of its row groups leave to be read for
// one FROM of a statement.
type Pruned struct {
	Name              string   // of the view or table function
	By                []string // the columns whose bounds decide; none: nothing can be skipped
	RowGroups, Groups int64    // that may hold such rows, of all
	Bytes, All        int64    // of these row groups, all columns; of all
}

// Prune lists for each dataset in the FROM of a statement, joins apart, which row groups DuckDB has
// to read for its WHERE. Like DuckDB it uses conditions joined by AND that compare a column with a
// constant by =, <, <=, >, >= or BETWEEN.
func (db *DB) Prune(ctx context.Context, text string) ([]Pruned, error) {
	statements, err := db.check(ctx, text)
	if err != nil {
		return nil, err
	}
	var all []Pruned
	syntax.Walk(statements[0], func(n syntax.Tree) {
		from, _ := n["from_table"].(syntax.Tree)
		if err != nil || n["type"] != "SELECT_NODE" {
			return
		}
		f, _ := from["function"].(syntax.Tree)
		function, _ := f["function_name"].(string)
		table, _ := from["table_name"].(string)
		var p Pruned
		if v := db.gamesOf(function); v != nil {
			var ranges []bound
			if v.index != "" {
				ranges = append(ranges, v.inRanges())
			}
			p, err = db.prune(ctx, v, ranges)
			p.Name = v.name + ofSuffix
		} else if v := db.named(table); v != nil && from["type"] == "BASE_TABLE" && v.dir.NumParts() > 0 {
			where, _ := n["where_clause"].(syntax.Tree)
			p, err = db.prune(ctx, v, v.bounds(where))
		} else {
			return
		}
		all = append(all, p)
	})
	return all, err
}

// named returns the view of that name, or nil.
func (db *DB) named(name string) *view {
	for i := range db.views {
		if strings.EqualFold(db.views[i].name, name) {
			return &db.views[i]
		}
	}
	return nil
}

// bound is a condition on the bounds of one column, in SQL over least and greatest.
type bound struct {
	column schemas.Column
	sql    string
}

// inRanges returns the condition that a row group has games of the ranges of v.
func (v *view) inRanges() bound {
	any := []string{"false"}
	for _, r := range v.ranges {
		any = append(any, fmt.Sprintf("(greatest >= %d AND least <= %d)", r.first, r.last))
	}
	return bound{v.dir.Table.Columns[v.dir.Table.Index("game_id")], strings.Join(any, " OR ")}
}

var comparisons = map[string]struct{ sql, flipped string }{
	"COMPARE_EQUAL":                {"least <= %[1]s AND greatest >= %[1]s", "COMPARE_EQUAL"},
	"COMPARE_LESSTHAN":             {"least < %s", "COMPARE_GREATERTHAN"},
	"COMPARE_LESSTHANOREQUALTO":    {"least <= %s", "COMPARE_GREATERTHANOREQUALTO"},
	"COMPARE_GREATERTHAN":          {"greatest > %s", "COMPARE_LESSTHAN"},
	"COMPARE_GREATERTHANOREQUALTO": {"greatest >= %s", "COMPARE_LESSTHANOREQUALTO"},
}

// bounds returns the conditions of a WHERE that bounds can show to be false.
func (v *view) bounds(where syntax.Tree) (all []bound) {
	compared, _ := v.comparisons(where)
	for _, c := range compared {
		all = append(all, bound{c.column, fmt.Sprintf(comparisons[c.kind].sql, c.value)})
	}
	return all
}

// comparison is that of a column with a constant.
type comparison struct {
	column schemas.Column
	kind   string // as DuckDB's parser names it, with the column on the left
	value  string // as SQL writes it
}

// comparisons returns those that a condition joins by AND; whole: it is nothing else.
func (v *view) comparisons(condition syntax.Tree) (all []comparison, whole bool) {
	kind, _ := condition["type"].(string)
	switch condition["class"] {
	case "CONJUNCTION":
		children, _ := condition["children"].([]any)
		if whole = kind == "CONJUNCTION_AND"; !whole {
			return nil, false
		}
		for _, c := range children {
			child, _ := c.(syntax.Tree)
			more, ok := v.comparisons(child)
			all, whole = append(all, more...), whole && ok
		}
		return all, whole
	case "COMPARISON":
		column, found := v.column(condition["left"])
		value, constant := literalOf(condition["right"])
		if !found {
			column, found = v.column(condition["right"])
			value, constant = literalOf(condition["left"])
			kind = comparisons[kind].flipped
		}
		if found && constant && comparisons[kind].sql != "" {
			return []comparison{{column, kind, value}}, true
		}
	case "BETWEEN":
		column, found := v.column(condition["input"])
		lower, ok := literalOf(condition["lower"])
		upper, also := literalOf(condition["upper"])
		if found && ok && also {
			return []comparison{{column, "COMPARE_GREATERTHANOREQUALTO", lower}, {column, "COMPARE_LESSTHANOREQUALTO", upper}}, true
		}
	}
	return nil, false
}

// column returns the column of v that an expression is, if it is one.
func (v *view) column(expression any) (c schemas.Column, found bool) {
	e, _ := expression.(syntax.Tree)
	names, _ := e["column_names"].([]any)
	if e["class"] != "COLUMN_REF" || len(names) == 0 {
		return c, false
	}
	name, _ := names[len(names)-1].(string)
	i := slices.IndexFunc(v.dir.Table.Columns, func(c schemas.Column) bool { return strings.EqualFold(c.Name, name) })
	if i < 0 {
		return c, false
	}
	return v.dir.Table.Columns[i], true
}

// literalOf returns a constant as SQL writes it.
func literalOf(expression any) (sql string, ok bool) {
	e, _ := expression.(syntax.Tree)
	value, _ := e["value"].(syntax.Tree)
	if e["class"] != "CONSTANT" || value["is_null"] == true {
		return "", false
	}
	kind, _ := value["type"].(syntax.Tree)
	switch x := value["value"].(type) {
	case string:
		return QuoteText(x), true
	case json.Number:
		info, _ := kind["type_info"].(syntax.Tree)
		if scale, _ := info["scale"].(json.Number); kind["id"] == "DECIMAL" {
			return fmt.Sprintf("%se-%s", x, scale), true // the parser keeps its digits as a whole number
		}
		return x.String(), kind["id"] == "INTEGER" || kind["id"] == "BIGINT" || kind["id"] == "DOUBLE"
	case syntax.Tree: // a whole number beyond 63 bits, in two halves
		lower, _ := x["lower"].(json.Number)
		upper, _ := x["upper"].(json.Number)
		if upper != "0" {
			return "", false
		}
		return lower.String(), lower != ""
	case bool:
		return fmt.Sprint(x), true
	}
	return "", false
}

// prune counts the row groups of v whose bounds let all conditions be true. A column
// without bounds decides only when it is nothing but nulls.
func (db *DB) prune(ctx context.Context, v *view, conditions []bound) (Pruned, error) {
	p := Pruned{Name: v.name}
	held := "true"
	for _, c := range conditions {
		if c.column.Name == "game_id" && v.dir.GamesFrom(v.dir.NumParts()-1) > 0 {
			continue // the files of several datasets have other numbers
		}
		if !slices.Contains(p.By, c.column.Name) {
			p.By = append(p.By, c.column.Name)
		}
		held += fmt.Sprintf(" AND bool_and(path_in_schema <> %s OR coalesce((SELECT %s FROM (SELECT %s AS least, %s AS greatest)), stats_null_count < row_group_num_rows, true))",
			QuoteText(c.column.Name), c.sql, cast("stats_min_value", c.column.Type), cast("stats_max_value", c.column.Type))
	}
	paths := slices.Clone(v.dir.PartPaths())
	for i := range paths {
		paths[i] = QuoteText(literal(paths[i]))
	}
	rows, err := db.conn.QueryContext(ctx, fmt.Sprintf(`
		SELECT count(*) FILTER (held), count(*), coalesce(sum(bytes) FILTER (held), 0)::BIGINT, sum(bytes)::BIGINT FROM (
			SELECT sum(total_compressed_size) AS bytes, %s AS held
			FROM parquet_metadata([%s]) GROUP BY file_name, row_group_id)`, held, strings.Join(paths, ", ")))
	if err != nil {
		return p, fmt.Errorf("the bounds of %s: %w", v.dir.Path, clean(err))
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&p.RowGroups, &p.Groups, &p.Bytes, &p.All); err != nil {
			return p, err
		}
	}
	return p, rows.Err()
}

// cast turns a bound as parquet_metadata writes it into a value of the column.
func cast(text string, t schemas.Type) string {
	switch t {
	case schemas.Int16, schemas.Int32, schemas.Int64:
		return "TRY_CAST(" + text + " AS BIGINT)"
	case schemas.Uint64:
		return "TRY_CAST(" + text + " AS UBIGINT)"
	case schemas.Float32, schemas.Float64:
		return "TRY_CAST(" + text + " AS DOUBLE)"
	case schemas.Bool:
		return "TRY_CAST(" + text + " AS BOOLEAN)"
	}
	return text
}
