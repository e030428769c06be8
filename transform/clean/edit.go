package clean

import (
	"bytes"
	"strconv"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/schemas"
)

// What a change is (schemas.Changes).
const (
	changeDuplicate = "duplicate"
	changeMerge     = "merge"
	changeName      = "name"
	changeDate      = "date"
	changeResult    = "result"

	fromDuplicate = "from a duplicate"
)

// override is the new value of a column: a text, or the value of a row of another column.
type override struct {
	text   []byte
	from   *columns.Vec
	row    int
	change string // empty: unchanged
	reason string
	id     int64 // of the game that it comes from, -1 for none
}

// newTag is a tag that a game did not have.
type newTag struct {
	name, value []byte
	id          int64
}

// edit collects the changes of one game.
type edit struct {
	in   *columns.Batch
	row  int
	id   int64
	set  []override // by column
	tags []newTag
}

// begin starts with the game of a row.
func (e *edit) begin(in *columns.Batch, row int, id int64) {
	if e.in != in {
		e.in, e.set = in, make([]override, len(in.Cols))
	}
	e.row, e.id, e.tags = row, id, e.tags[:0]
	clear(e.set)
}

// text returns the present value of a column of text, nil for null.
func (e *edit) text(column string) []byte {
	c := e.in.Table.Index(column)
	switch o := &e.set[c]; {
	case o.change == "":
		if v := &e.in.Cols[c]; !v.IsNull(e.row) {
			return v.Value(e.row)
		}
		return nil
	case o.from != nil:
		return o.from.Value(o.row)
	default:
		return o.text
	}
}

// put sets a column of text. After several changes the first reason and its source stay.
func (e *edit) put(column string, text []byte, change, reason string, id int64) {
	o := &e.set[e.in.Table.Index(column)]
	if o.change != "" {
		change, reason, id = o.change, o.reason, o.id
	}
	*o = override{text: text, change: change, reason: reason, id: id}
}

// tag returns a tag of the record or one that it takes from a duplicate, or nil of
// that name.
func (e *edit) tag(name string) []byte {
	v := e.in.Col("tags")
	for j, to := v.List(e.row); j < to; j += 2 {
		if string(v.Text(j)) == name {
			return v.Text(j + 1)
		}
	}
	for i := range e.tags {
		if string(e.tags[i].name) == name {
			return e.tags[i].value
		}
	}
	return nil
}

// rename gives the players their canonical names.
func (e *edit) rename(names map[string]string) {
	for _, column := range []string{"first_player", "second_player"} {
		if to, is := names[string(e.text(column))]; is {
			e.put(column, []byte(to), changeName, "another spelling of this player", -1)
		}
	}
}

// write appends the game to out under its new id.
func (e *edit) write(out *columns.Batch, id int64) {
	for c := range out.Cols {
		v, w := &out.Cols[c], &e.in.Cols[c]
		switch o := &e.set[c]; {
		case v.Column.Name == "game_id":
			v.AppendInt64(id)
		case v.Column.Name == "tags" && len(e.tags) > 0:
			for j, to := w.List(e.row); j < to; j += 2 {
				v.AppendPair(w.Text(j), w.Text(j+1))
			}
			for _, t := range e.tags {
				v.AppendPair(t.name, t.value)
			}
			v.EndMap()
		case o.change == "":
			v.AppendFrom(w, e.row)
		case o.from != nil:
			v.AppendFrom(o.from, o.row)
		default:
			v.AppendBytes(o.text)
		}
	}
	out.Rows++
}

// list appends the changes to a table of them, and counts them.
func (e *edit) list(to *changes, id int64, counts *manifest.Counts) {
	for c := range e.set {
		o := &e.set[c]
		if o.change == "" {
			continue
		}
		before, after := cell(&e.in.Cols[c], e.row), o.text
		if o.from != nil {
			after = cell(o.from, o.row)
		}
		to.add(change{game: e.id, id: id, what: o.change, column: e.in.Cols[c].Column.Name, before: before, after: after, reason: o.reason, from: o.id})
		counts.Note(o.change+": "+e.in.Cols[c].Column.Name, 1)
	}
	for _, t := range e.tags {
		to.add(change{game: e.id, id: id, what: changeMerge, column: tagPrefix + string(t.name), after: t.value, reason: fromDuplicate, from: t.id})
		counts.Note(changeMerge+": a tag", 1)
	}
}

// tagPrefix is before the name of a tag in the column "column".
const tagPrefix = "tags."

// cell returns a value as text, nil for null and for lists.
func cell(v *columns.Vec, row int) []byte {
	if v.IsNull(row) {
		return nil
	}
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		return strconv.AppendInt(nil, int64(v.Int32[row]), 10)
	case schemas.String:
		return bytes.Clone(v.Value(row))
	}
	return nil
}
