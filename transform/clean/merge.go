package clean

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/spill"
)

// donorColumns are the columns that a game takes from those left out for it.
var donorColumns = []string{"first_player", "second_player", "first_elo", "second_elo", "event", "site", "round", "date",
	"time_control", "base_ms", "increment_ms", "opening", "result", "termination", "ply_count", "evals", "clocks_ms", "annotations", "tags"}

// donorRange is the number of games, by their ids, whose donors share a bucket.
const donorRange = 1 << 13

// donor is a game that was left out for another: its row in a batch of donorColumns.
type donor struct {
	id   int64
	same bool // its moves equal the other game's
	row  int
}

// donors holds the donors of a range of games.
type donors struct {
	batch *columns.Batch
	of    map[int64][]donor // in order of their ids
}

// collect spills what the games that are left out know.
func (r *run) collect(ctx context.Context) error {
	if len(r.gone) == 0 {
		return nil
	}
	dir, err := r.out.Spill("donors")
	if err != nil {
		return err
	}
	if r.donors, err = spill.Create(dir+"/donors", int(r.in.Rows()/donorRange)+1); err != nil {
		return err
	}
	return datasets.Each(ctx, r.in, r.workers, "read duplicates", "games", func(_ int, g datasets.Group, emit func([]donation) error) error {
		if r.left.below(g.First+g.Rows) == r.left.below(g.First) {
			return nil
		}
		batch := columns.NewBatch(r.in.Table, donorColumns...)
		if err := g.Read(batch); err != nil {
			return err
		}
		var all []donation
		for row := range batch.Rows {
			id := g.First + int64(row)
			if !r.left.has(id) {
				continue
			}
			of := r.gone.entry(id)
			if of.Kept < 0 {
				continue
			}
			text, err := batch.AppendRow(nil, row)
			if err != nil {
				return err
			}
			all = append(all, donation{of, text})
		}
		return emit(all)
	}, func(all []donation) error {
		for _, d := range all {
			if _, err := r.donors.Put(int(d.of.Kept/donorRange), d.append(nil)); err != nil {
				return err
			}
		}
		return nil
	})
}

// donation is a row for the game that is kept.
type donation struct {
	of  *Out
	row []byte
}

func (d donation) append(dst []byte) []byte {
	same := byte(0)
	if d.of.Same {
		same = 1
	}
	dst = binary.AppendUvarint(append(dst, same), uint64(d.of.ID))
	dst = binary.AppendUvarint(dst, uint64(d.of.Kept))
	return append(binary.AppendUvarint(dst, uint64(len(d.row))), d.row...)
}

// donorsOf returns the donors of the games from first to last.
func (r *run) donorsOf(first, last int64) (*donors, error) {
	if r.donors == nil {
		return nil, nil
	}
	d := &donors{batch: columns.NewBatch(r.in.Table, donorColumns...), of: map[int64][]donor{}}
	for bucket := first / donorRange; bucket <= last/donorRange; bucket++ {
		data, err := r.donors.Read(int(bucket), nil)
		if err != nil {
			return nil, err
		}
		for len(data) > 0 {
			same := data[0] == 1
			id, n := binary.Uvarint(data[1:])
			kept, k := binary.Uvarint(data[1+n:])
			size, l := binary.Uvarint(data[1+n+k:])
			at := 1 + n + k + l
			if n <= 0 || k <= 0 || l <= 0 || uint64(len(data)-at) < size {
				return nil, fmt.Errorf("the scratch file of duplicates is damaged")
			}
			if int64(kept) >= first && int64(kept) <= last {
				if err := d.batch.ReadRow(data[at : at+int(size)]); err != nil {
					return nil, err
				}
				d.of[int64(kept)] = append(d.of[int64(kept)], donor{int64(id), same, d.batch.Rows - 1})
			}
			data = data[at+int(size):]
		}
	}
	return d, nil
}

// merge fills missing data in an edit's game from its donors, in their order.
func (e *edit) merge(d *donors) {
	if d == nil {
		return
	}
	for _, from := range d.of[e.id] {
		same := from.same && d.batch.Col("ply_count").Int32[from.row] == e.in.Col("ply_count").Int32[e.row]
		for c := range e.in.Cols {
			v := &e.in.Cols[c]
			w := d.batch.Col(v.Column.Name)
			switch name := v.Column.Name; {
			case name == "tags" && w != nil:
				e.mergeTags(w, from)
			case w == nil || !v.Column.Nullable || w.IsNull(from.row):
			case name == "date":
				e.mergeDate(w.Value(from.row), from)
			case !v.IsNull(e.row) || e.set[c].change != "":
			case (name == "evals" || name == "clocks_ms" || name == "annotations") && !same:
			default:
				e.set[c] = override{from: w, row: from.row, change: changeMerge, reason: fromDuplicate, id: from.id}
			}
		}
	}
}

// mergeDate takes a date that agrees with the game's own and is more precise.
func (e *edit) mergeDate(date []byte, from donor) {
	own := e.text("date")
	if len(date) <= len(own) || !bytes.HasPrefix(date, own) {
		return
	}
	e.put("date", bytes.Clone(date), changeMerge, fromDuplicate, from.id)
}

// mergeTags takes the tags that the game lacks, except the record's number of moves.
func (e *edit) mergeTags(w *columns.Vec, from donor) {
	for j, to := w.List(from.row); j < to; j += 2 {
		if key := w.Text(j); string(key) != "PlyCount" && e.tag(string(key)) == nil {
			e.tags = append(e.tags, newTag{bytes.Clone(key), bytes.Clone(w.Text(j + 1)), from.id})
		}
	}
}
