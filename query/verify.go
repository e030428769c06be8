package query

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/query/syntax"
	"kifu/schemas"
)

// verify compares with their checksums those columns of what is attached that a statement reads:
// DuckDB does not look at the checksums of pages and would answer from damaged ones. Its plan shows
// which those are; the plan of a long statement takes longer than the checksums of a small dataset. What the statement calls is made.
func (db *DB) verify(ctx context.Context, statement string) error {
	if err := db.ready(ctx, NamesIn(statement)); err != nil {
		return err
	}
	var dirs []*datasets.Dir
	for _, v := range db.views {
		if v.dir.NumParts() == 0 || v.dir.Verified() || slices.Contains(dirs, v.dir) {
			continue
		}
		if !db.trust && small(v.dir) && v.dir.VerifyColumns(ctx, lists.Of(v.dir.Table.Columns, func(c schemas.Column) string { return c.Name })...) == nil {
			continue
		}
		dirs = append(dirs, v.dir)
	}
	if db.trust || len(dirs) == 0 {
		return nil
	}
	plan, err := db.plan(ctx, statement)
	if err != nil && badText(err) { // of the bounds in a footer
		plan, err = &reads{all: true}, nil
	}
	if err != nil {
		return db.namedIn(statement).explain(ctx, err)
	}
	for _, d := range dirs {
		if err := d.VerifyColumns(ctx, plan.columnsOf(d)...); err != nil {
			return err
		}
	}
	return nil
}

// small reports whether all columns of d are verified in some hundredths of a second.
func small(d *datasets.Dir) bool {
	const most = 16 << 20
	bytes := int64(0)
	for i := range d.NumParts() {
		p, err := d.Info(i)
		if bytes += p.Bytes; err != nil || bytes > most {
			return false
		}
	}
	return true
}

// reads are the columns that a plan reads.
type reads struct {
	names   []string
	filters string // conditions that are tried while reading, on columns that may not be in names
	all     bool   // it is not known which
}

// plan returns what the physical plan of a statement reads.
func (db *DB) plan(ctx context.Context, statement string) (*reads, error) {
	rows, err := db.conn.QueryContext(ctx, "EXPLAIN (FORMAT json) "+statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &reads{}
	for rows.Next() {
		var kind, text string
		if err := rows.Scan(&kind, &text); err != nil {
			return nil, err
		}
		var nodes []syntax.Tree
		if err := json.Unmarshal([]byte(text), &nodes); err != nil {
			return nil, fmt.Errorf("the plan of the statement: %w", err)
		}
		for _, n := range nodes {
			r.node(n)
		}
	}
	return r, rows.Err()
}

// shown are the operators of which a plan shows all that they read: by itself or in children.
var shown = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq(`READ_PARQUET READ_CSV READ_CSV_AUTO READ_JSON READ_JSON_AUTO PROJECTION FILTER UNGROUPED_AGGREGATE
		HASH_GROUP_BY PERFECT_HASH_GROUP_BY PARTITIONED_AGGREGATE HASH_JOIN NESTED_LOOP_JOIN BLOCKWISE_NL_JOIN PIECEWISE_MERGE_JOIN IE_JOIN
		ASOF_JOIN POSITIONAL_JOIN CROSS_PRODUCT LEFT_DELIM_JOIN RIGHT_DELIM_JOIN DELIM_SCAN WINDOW STREAMING_WINDOW TOP_N ORDER_BY LIMIT STREAMING_LIMIT
		LIMIT_PERCENT UNNEST INOUT_FUNCTION UNION CTE CTE_SCAN REC_CTE REC_CTE_SCAN COLUMN_DATA_SCAN DUMMY_SCAN EMPTY_RESULT STREAMING_SAMPLE
		RESERVOIR_SAMPLE RANGE GENERATE_SERIES PRAGMA_SHOW BATCH_COPY_TO_FILE COPY_TO_FILE RESULT_COLLECTOR`) {
		shown[name] = true
	}
}

// node adds what an operator and those below it read.
func (r *reads) node(n syntax.Tree) {
	name, _ := n["name"].(string)
	name = strings.TrimSpace(name)
	info, _ := n["extra_info"].(syntax.Tree)
	if !shown[name] {
		r.all = true
	}
	if name == "READ_PARQUET" {
		columns, told := info["Projections"]
		r.all = r.all || !told
		r.names = append(r.names, linesOf(columns)...)
		r.filters += strings.Join(linesOf(info["Filters"]), "\n")
	}
	children, _ := n["children"].([]any)
	for _, c := range children {
		child, _ := c.(syntax.Tree)
		r.node(child)
	}
}

// linesOf returns the lines of a text or of a list of texts.
func linesOf(v any) (all []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			all = strings.Split(v, "\n")
		}
	case []any:
		for _, x := range v {
			all = append(all, linesOf(x)...)
		}
	}
	return all
}

// columnsOf returns the columns of d that are read, and perhaps some more: the plan does not distinguish datasets
// apart that have columns of one name.
func (r *reads) columnsOf(d *datasets.Dir) (columns []string) {
	for _, c := range d.Table.Columns {
		if r.all || slices.Contains(r.names, c.Name) || strings.Contains(r.filters, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	return columns
}
