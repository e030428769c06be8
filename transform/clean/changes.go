package clean

import (
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// change is a row of the table of changes. id is -1 for a game that is left out; from is -1 for a change that
// involves no other game.
type change struct {
	game, id      int64
	what, column  string
	before, after []byte
	reason        string
	from          int64
}

// changes appends to a batch of schemas.Changes.
type changes struct{ *columns.Batch }

func (t *changes) add(c change) {
	t.Col("game_id").AppendInt64(c.game)
	number := func(column string, n int64) { t.Col(column).AppendInt64If(n, n >= 0) }
	text := func(column string, b []byte) {
		if v := t.Col(column); b == nil {
			v.AppendNull()
		} else {
			v.AppendBytes(b)
		}
	}
	number("new_id", c.id)
	t.Col("change").AppendString(c.what)
	if c.column == "" {
		text("column", nil)
	} else {
		text("column", []byte(c.column))
	}
	text("before", c.before)
	text("after", c.after)
	t.Col("reason").AppendString(c.reason)
	number("from_id", c.from)
	t.Rows++
}

// table is a table next to the games, which grows row by row.
type table struct {
	*datasets.PartWriter
	rows *columns.Batch
}

// tableRows and tableBytes end a row group.
const (
	tableRows  = 1 << 14
	tableBytes = 8 << 20
)

func newTable(out *datasets.Builder, name string, t schemas.Table) (*table, error) {
	w, err := out.AddTable(name, t)
	return &table{w, columns.NewBatch(t)}, err
}

// appendBatch appends the rows of b.
func (t *table) appendBatch(b *columns.Batch) error {
	for row := range b.Rows {
		size := 0
		for c := range t.rows.Cols {
			t.rows.Cols[c].AppendFrom(&b.Cols[c], row)
			size += len(t.rows.Cols[c].Bytes)
		}
		if t.rows.Rows++; t.rows.Rows == tableRows || size >= tableBytes {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *table) flush() error {
	if t.rows.Rows == 0 {
		return nil
	}
	defer t.rows.Reset()
	return t.Put(t.rows)
}

// finish writes what is left and closes the table.
func (t *table) finish() error {
	return t.End(t.flush(), manifest.Counts{}, nil)
}
