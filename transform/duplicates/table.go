package duplicates

import (
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/schemas"
)

// table appends duplicates to a batch.
type table struct {
	*columns.Batch
	id, original, kind, plies, ofPlies, players, date, result *columns.Vec
}

func newTable() *table {
	b := columns.NewBatch(schemas.Duplicates)
	return &table{Batch: b, id: b.Col("game_id"), original: b.Col("original_id"), kind: b.Col("kind"),
		plies: b.Col("ply_count"), ofPlies: b.Col("original_ply_count"),
		players: b.Col("same_players"), date: b.Col("same_date"), result: b.Col("same_result")}
}

// append adds p, and counts its kind in the notes.
func (t *table) append(p *pair, c *datasets.Counts) {
	kind := kindMoves
	if p.prefix {
		kind = kindPrefix
	}
	t.id.AppendInt64(p.id)
	t.original.AppendInt64(p.original)
	t.kind.AppendString(kind)
	t.plies.AppendInt32(p.plies)
	t.ofPlies.AppendInt32(p.ofPlies)
	t.players.AppendBool(p.players)
	t.date.AppendBool(p.date)
	t.result.AppendBool(p.sameScore)
	t.Rows++
	c.Written++
	note := kind + " of another game, other players"
	if p.players {
		note = kind + " of another game, same players"
	}
	c.Note(note, 1)
}

// flush writes the rows so far as a row group.
func (t *table) flush(w *datasets.PartWriter) error {
	if t.Rows == 0 {
		return nil
	}
	g, err := w.Encode(t.Batch)
	if err != nil {
		return err
	}
	t.Reset()
	return w.Append(g)
}
