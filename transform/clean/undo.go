package clean

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/progress"
	"kifu/schemas"
)

// Undo writes the games from which Run made in, row for row. Removed games return to their places, and
// changed columns have their earlier values.
func Undo(ctx context.Context, in *datasets.Dir, out *datasets.Builder) error {
	if err := in.Want(schemas.Games.Name); err != nil {
		return err
	}
	u := &undoer{in: in}
	var err error
	if u.changes, err = openTable(in, changesFile, schemas.Changes); err != nil {
		return err
	}
	defer u.changes.close()
	if u.removed, err = openTable(in, removedFile, in.Table); err != nil {
		return err
	}
	defer u.removed.close()
	out.SetTable(in.Table)
	out.SetMeta("game", in.Manifest.Meta["game"])
	return u.write(ctx, out)
}

// undoer puts three tables together, each in the order of the ids before.
type undoer struct {
	in               *datasets.Dir
	changes, removed *stream
	clean            *stream
}

// Sizes of what Undo writes.
const (
	undoGroup = 1 << 12
	undoPart  = 16 // row groups
)

// write writes the games in the order of their ids before.
func (u *undoer) write(ctx context.Context, out *datasets.Builder) error {
	total := u.in.Rows() + u.removed.n
	bar := progress.Start(ctx, "undo", total, "games")
	defer bar.Done()
	u.clean = streamOf(u.in)
	defer u.clean.close()
	b := columns.NewBatch(u.in.Table)
	id := int64(0)
	for part := 0; id < total; part++ {
		w, err := out.Part(part)
		if err != nil {
			return err
		}
		from := id
		for group := 0; group < undoPart && id < total; group++ {
			b.Reset()
			for b.Rows < undoGroup && id < total && err == nil {
				err = u.game(b, id)
				id++
			}
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = w.Put(b)
			}
			if err != nil {
				w.Abort()
				return err
			}
			bar.Add(int64(b.Rows))
		}
		if err := w.Close(manifest.Counts{Read: id - from, Written: id - from}, nil); err != nil {
			return err
		}
	}
	return nil
}

// game appends the game of an id to b.
func (u *undoer) game(b *columns.Batch, id int64) error {
	in, row, err := u.removed.at()
	if err != nil {
		return err
	}
	taken := in != nil && in.Col("game_id").Int64[row] == id
	if !taken {
		if in, row, err = u.clean.at(); err != nil {
			return err
		}
		if in == nil {
			return fmt.Errorf("%s: %s does not fit its games: game %d is in neither", u.in.Path, removedFile, id)
		}
	}
	back, added, err := u.before(id)
	if err != nil {
		return err
	}
	for c := range b.Cols {
		v, w := &b.Cols[c], &in.Cols[c]
		text, changed := back[v.Column.Name]
		switch {
		case v.Column.Name == "game_id":
			v.AppendInt64(id)
		case v.Column.Name == "tags" && len(added) > 0:
			for j, to := w.List(row); j < to; j += 2 {
				if !added[string(w.Text(j))] {
					v.AppendPair(w.Text(j), w.Text(j+1))
				}
			}
			v.EndMap()
		case !changed:
			v.AppendFrom(w, row)
		case text == nil:
			v.AppendNull()
		default:
			if err := appendCell(v, *text); err != nil {
				return fmt.Errorf("%s, game %d: %w", u.in.Path, id, err)
			}
		}
	}
	b.Rows++
	if taken {
		u.removed.next()
	} else {
		u.clean.next()
	}
	return nil
}

// before returns the values from before of the columns of a game that were changed, nil for null,
// and the tags that were added.
func (u *undoer) before(id int64) (back map[string]*string, added map[string]bool, err error) {
	for {
		t, row, err := u.changes.at()
		if err != nil || t == nil || t.Col("game_id").Int64[row] != id {
			return back, added, err
		}
		u.changes.next()
		column := string(t.Col("column").Value(row))
		if name, is := strings.CutPrefix(column, tagPrefix); is {
			if added == nil {
				added = map[string]bool{}
			}
			added[name] = true
			continue
		}
		if t.Col("column").IsNull(row) {
			continue // a game that was left out
		}
		if back == nil {
			back = map[string]*string{}
		}
		back[column] = nil
		if v := t.Col("before"); !v.IsNull(row) {
			text := string(v.Value(row))
			back[column] = &text
		}
	}
}

// appendCell is the inverse of cell.
func appendCell(v *columns.Vec, text string) error {
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return fmt.Errorf("column %s: %q is not a number", v.Column.Name, text)
		}
		v.AppendInt32(int32(n))
	case schemas.String:
		v.AppendString(text)
	default:
		return fmt.Errorf("column %s: a %s cannot be undone", v.Column.Name, v.Column.Type)
	}
	return nil
}
