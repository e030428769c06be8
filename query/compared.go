package query

import (
	"context"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
	"kifu/query/syntax"
	"kifu/schemas"
)

// compared is a condition that is evaluated here, because reading its columns takes a fraction of the time of a statement: comparisons
// of whole numbers and floats with constants, joined by AND. Its meaning is DuckDB's (TestCompared): a comparison with null is not true,
// and NaN is greater than all numbers.
type compared []comparison

type comparison struct {
	column schemas.Column
	kind   string // as DuckDB's parser names it
	at     float64
}

// compared returns a condition as comparisons, nil if it is none of these.
func (db *DB) compared(ctx context.Context, v *view, condition string) compared {
	_, root, err := db.single(ctx, condition)
	if err != nil {
		return nil
	}
	all, ok := v.comparisons(root)
	if !ok {
		return nil
	}
	return all
}

func (v *view) comparisons(t syntax.Tree) (all compared, ok bool) {
	kind, _ := t["type"].(string)
	switch {
	case kind == "CONJUNCTION_AND":
		children, _ := t["children"].([]any)
		for _, c := range children {
			child, _ := c.(syntax.Tree)
			more, ok := v.comparisons(child)
			if !ok {
				return nil, false
			}
			all = append(all, more...)
		}
		return all, true
	case kind == "COMPARE_BETWEEN":
		low, ok := v.comparison(t["input"], "COMPARE_GREATERTHANOREQUALTO", t["lower"])
		high, also := v.comparison(t["input"], "COMPARE_LESSTHANOREQUALTO", t["upper"])
		return compared{low, high}, ok && also
	case t["class"] == "COMPARISON":
		c, ok := v.comparison(t["left"], kind, t["right"])
		if !ok {
			c, ok = v.comparison(t["right"], comparisons[kind].flipped, t["left"])
		}
		return compared{c}, ok
	}
	return nil, false
}

// comparison is that of a column with a constant. A float is compared with numbers alone that it can have, where it does not matter
// which of both the database converts.
func (v *view) comparison(left any, kind string, right any) (c comparison, ok bool) {
	column, found := v.column(left)
	text, constant := literalOf(right)
	at, err := strconv.ParseFloat(text, 64)
	if !found || !constant || err != nil || comparisons[kind].sql == "" {
		return c, false
	}
	switch column.Type {
	case schemas.Int16, schemas.Int32:
	case schemas.Float32:
		ok = float64(float32(at)) == at
		return comparison{column, kind, at}, ok
	default:
		return c, false
	}
	return comparison{column, kind, at}, true
}

// holds returns for each condition the rows of a part in which it is true.
func holds(ctx context.Context, dir *datasets.Dir, part int, conditions []compared) ([]Bits, error) {
	var names []string
	for _, all := range conditions {
		for _, c := range all {
			names = append(names, c.column.Name)
		}
	}
	p, err := dir.OpenPart(part)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	b := columns.NewBatch(dir.Table, names...)
	bits := lists.Of(conditions, func(compared) Bits { return make(Bits, (p.NumRows()+7)/8) })
	var keep []bool
	first := 0
	for group := range p.RowGroups() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := p.Read(group, b); err != nil {
			return nil, err
		}
		for i, all := range conditions {
			keep = keep[:0]
			for range b.Rows {
				keep = append(keep, true)
			}
			for _, c := range all {
				c.narrow(keep, b.Col(c.column.Name))
			}
			for row, yes := range keep {
				if yes {
					bits[i][(first+row)>>3] |= 0x80 >> ((first + row) & 7)
				}
			}
		}
		first += b.Rows
	}
	return bits, nil
}

// narrow keeps the rows in which the comparison is true.
func (c comparison) narrow(keep []bool, v *columns.Vec) {
	if v.Column.Type == schemas.Float32 {
		narrow(keep, v.Float32, c.kind, c.at)
	} else {
		narrow(keep, v.Int32, c.kind, c.at)
	}
	if v.Column.Nullable {
		for i, valid := range v.Valid {
			keep[i] = keep[i] && valid
		}
	}
}

func narrow[T int32 | float32](keep []bool, values []T, kind string, at float64) {
	switch kind {
	case "COMPARE_EQUAL":
		for i, x := range values {
			keep[i] = keep[i] && float64(x) == at
		}
	case "COMPARE_LESSTHAN":
		for i, x := range values {
			keep[i] = keep[i] && float64(x) < at
		}
	case "COMPARE_LESSTHANOREQUALTO":
		for i, x := range values {
			keep[i] = keep[i] && float64(x) <= at
		}
	case "COMPARE_GREATERTHAN": // NaN too
		for i, x := range values {
			keep[i] = keep[i] && !(float64(x) <= at)
		}
	case "COMPARE_GREATERTHANOREQUALTO":
		for i, x := range values {
			keep[i] = keep[i] && !(float64(x) < at)
		}
	}
}
