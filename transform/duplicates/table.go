package duplicates

import (
	"unicode"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
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
func (t *table) append(p *pair, c *manifest.Counts) {
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
	defer t.Reset()
	return w.Put(t.Batch)
}

// name is the fingerprint of a player's name: hashes of its first words of three letters or more, in lower
// case, padded with zeros. If all words are shorter, it has their hashes.
type name [4]uint32

func nameOf(text []byte) name {
	n := words(text, 3)
	if n == (name{}) {
		n = words(text, 1)
	}
	return n
}

// words hashes the words of at least the given number of letters or digits.
func words(text []byte, least int) (n name) {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	found, letters, hash := 0, 0, uint32(offset)
	for _, r := range string(text) + " " {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			hash = (hash ^ uint32(unicode.ToLower(r))) * prime
			letters++
			continue
		}
		if letters >= least && found < len(n) {
			n[found] = max(hash, 1)
			found++
		}
		letters, hash = 0, offset
	}
	return n
}

// agrees reports whether the names have a word in common, or one of them is unknown.
func (n name) agrees(o name) bool {
	if n[0] == 0 || o[0] == 0 {
		return true
	}
	for _, a := range n {
		for _, b := range o {
			if a != 0 && a == b {
				return true
			}
		}
	}
	return false
}
