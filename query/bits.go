package query

import (
	"context"
	"fmt"
	"sync"

	"kifu/datasets"
	"kifu/internal/lists"
)

// Bits are the rows of a part in which a condition holds, by their number: in each byte the highest
// bit comes first. Nil means none.
type Bits []byte

// Has reports whether the condition holds in a row.
func (b Bits) Has(row int) bool { return b != nil && b[row>>3]&(0x80>>(row&7)) != 0 }

// Bits returns a function of the number of a part of dir. It returns for each condition, which Condition
// has passed, the part's rows in which it is true; in others it is false or null. Comparisons of columns with constants are
// made here (compared); of other conditions the database returns a bit for each row. The function may be called by several
// goroutines, and keeps the last part's.
func (db *DB) Bits(ctx context.Context, dir *datasets.Dir, conditions []Named) (func(ctx context.Context, part int) ([]Bits, error), error) {
	v := db.viewOf(dir)
	if v == nil {
		return nil, fmt.Errorf("%s is not attached", dir.Path)
	}
	var hereAt, askedAt []int
	var here []compared
	var asked []Named
	for i, n := range conditions {
		if c := db.compared(ctx, v, n.SQL); c != nil {
			hereAt, here = append(hereAt, i), append(here, c)
		} else {
			askedAt, asked = append(askedAt, i), append(asked, n)
		}
	}
	statement := func(rows int64, parts []int, of []Named) string {
		list := ""
		for i, n := range of {
			if i > 0 {
				list += ", "
			}
			// The last bit ends a byte: otherwise the database would put some bits before the first.
			list += fmt.Sprintf("bitstring_agg(file_row_number, 0, %d) FILTER (WHERE %s)::BLOB", max(8, (rows+7)&^7)-1, inner(n.SQL))
		}
		return fmt.Sprintf("SELECT %s FROM %s AS %s", list, source(dir, parts, ", file_row_number = true"), QuoteName(v.name))
	}
	db.shut()
	if err := db.verify(ctx, statement(0, every(dir), conditions)); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	last, kept := -1, []Bits(nil)
	return func(ctx context.Context, part int) ([]Bits, error) {
		mu.Lock()
		defer mu.Unlock()
		if part == last {
			return kept, nil
		}
		all := make([]Bits, len(conditions))
		if len(here) > 0 {
			bits, err := holds(ctx, dir, part, here, db.threads)
			if err != nil {
				return nil, err
			}
			for i, at := range hereAt {
				all[at] = bits[i]
			}
		}
		if len(asked) > 0 {
			info, err := dir.Info(part)
			if err != nil {
				return nil, err
			}
			into := lists.Of(askedAt, func(at int) any { return (*[]byte)(&all[at]) })
			if err := db.conn.QueryRowContext(ctx, statement(info.Rows, []int{part}, asked)).Scan(into...); err != nil {
				return nil, db.only(v).explain(ctx, err)
			}
		}
		last, kept = part, all
		return all, nil
	}, nil
}
