package query

import (
	"context"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/lists"
	"kifu/schemas"
)

// compared is a condition that is evaluated here, because reading its columns takes a fraction of the time of a statement: comparisons
// of whole numbers and floats with constants, joined by AND. Its meaning is DuckDB's (TestCompared): a comparison with null is not true,
// and NaN is greater than all numbers.
type compared []number

// number is a comparison of a column of numbers.
type number struct {
	column schemas.Column
	kind   string // as DuckDB's parser names it
	at     float64
}

// compared returns a condition as comparisons, nil if it is none of these.
func (db *DB) compared(ctx context.Context, v *view, condition string) (all compared) {
	_, root, err := db.single(ctx, condition)
	if err != nil {
		return nil
	}
	found, whole := v.comparisons(root)
	if !whole {
		return nil
	}
	for _, c := range found {
		at, err := strconv.ParseFloat(c.value, 64)
		// A float is compared only with numbers that a float can be: DuckDB may convert the column or the constant.
		exact := float64(float32(at)) == at
		if t := c.column.Type; err != nil || t != schemas.Int16 && t != schemas.Int32 && !(t == schemas.Float32 && exact) {
			return nil
		}
		all = append(all, number{c.column, c.kind, at})
	}
	return all
}

// holds returns for each condition the rows of a part in which it is true.
func holds(ctx context.Context, dir *datasets.Dir, part int, conditions []compared, workers int) ([]Bits, error) {
	var names []string
	for _, all := range conditions {
		for _, c := range all {
			names = append(names, c.column.Name)
		}
	}
	info, err := dir.Info(part)
	if err != nil {
		return nil, err
	}
	batches := datasets.Batches(dir.Table, workers, names...)
	bits := lists.Of(conditions, func(compared) Bits { return make(Bits, (info.Rows+7)/8) })
	first := 0 // row of the next group
	w := datasets.Walk[[][]bool]{In: dir, Work: func(worker int, g datasets.Group, emit func([][]bool) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(lists.Of(conditions, func(all compared) []bool {
			keep := slices.Repeat([]bool{true}, b.Rows)
			for _, c := range all {
				c.narrow(keep, b.Col(c.column.Name))
			}
			return keep
		}))
	}, Take: func(kept [][]bool) error {
		for i, keep := range kept {
			for row, yes := range keep {
				if yes {
					bits[i][(first+row)>>3] |= 0x80 >> ((first + row) & 7)
				}
			}
		}
		first += len(kept[0])
		return nil
	}}
	return bits, w.Run(ctx, len(batches), slices.Values([]int{part}))
}

// narrow keeps the rows in which the comparison is true.
func (c number) narrow(keep []bool, v *columns.Vec) {
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
