package order

import (
	"context"
	"encoding/binary"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// indexFile is the index of the players in games sorted by player: schemas.Players.
const indexFile = "players.parquet"

// sides are the columns of either player.
var sides = [2]struct{ player, elo string }{{"first_player", "first_elo"}, {"second_player", "second_elo"}}

// index is the sorter of the index's rows.
type index struct {
	players *sorter
	workers int
}

// playerKey sorts by player, then game.
func playerKey(dst, name []byte, game int64, side int) []byte {
	dst = append(append(dst, name...), 0)
	return append(binary.BigEndian.AppendUint64(dst, uint64(game)), byte(side))
}

// indexWriter turns games into rows of the index, for one worker.
type indexWriter struct {
	sorted *sortWriter
	rows   *columns.Batch // of one game
}

// add adds the players of the games of b.
func (w *indexWriter) add(b *columns.Batch) error {
	ids := b.Col("game_id").Int64
	var key, row []byte
	for i := range b.Rows {
		for side := range sides {
			player := b.Col(sides[side].player)
			if player.IsNull(i) {
				continue
			}
			w.rows.Reset()
			w.fill(b, i, side)
			key = playerKey(key[:0], player.Value(i), ids[i], side)
			var err error
			if row, err = w.rows.AppendRow(row[:0], 0); err != nil {
				return err
			}
			if err := w.sorted.add(key, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill makes the row of one side of game i.
func (w *indexWriter) fill(b *columns.Batch, i, side int) {
	own, other := sides[side], sides[1-side]
	for c := range w.rows.Cols {
		v := &w.rows.Cols[c]
		from := v.Column.Name
		switch from {
		case "player":
			v.AppendBytes(b.Col(own.player).Value(i))
			continue
		case "first":
			v.AppendBool(side == 0)
			continue
		case "elo":
			from = own.elo
		case "opponent":
			from = other.player
		case "opponent_elo":
			from = other.elo
		}
		v.AppendFrom(b.Col(from), i)
	}
	w.rows.Rows++
}

const (
	indexGroup  = 1 << 13 // rows of a row group of the index
	indexGroups = 1 << 14 // largest number intended; a file can hold twice as many
)

// write writes the index next to the parts. games is the number of games.
func (x *index) write(ctx context.Context, games int64, out *datasets.Builder) error {
	bar := progress.Start(ctx, "index players", 0, "rows")
	defer bar.Done()
	w, err := out.AddTable(indexFile, schemas.Players)
	if err != nil {
		return err
	}
	limit := int(max(indexGroup, 2*games/indexGroups))
	readers := make([]sortReader, x.workers)
	batches := make([]*columns.Batch, x.workers)
	for i := range readers {
		readers[i].from, batches[i] = x.players, columns.NewBatch(schemas.Players)
	}
	err = ordered.Run(ctx, x.players.keys.Buckets(), x.workers, func(worker, i int, emit func(*columns.RowGroup) error) error {
		r, b := &readers[worker], batches[worker]
		n, err := r.load(i)
		if err != nil {
			return err
		}
		b.Reset()
		for k := range n {
			row, err := r.at(k)
			if err != nil {
				return err
			}
			if err := b.ReadRow(row); err != nil {
				return err
			}
			if b.Rows < limit && k+1 < n {
				continue
			}
			g, err := w.Encode(b)
			if err != nil {
				return err
			}
			if err := emit(g); err != nil {
				return err
			}
			b.Reset()
		}
		return nil
	}, func(g *columns.RowGroup) error {
		bar.Add(g.Rows())
		return w.Append(g)
	})
	return w.End(err, manifest.Counts{}, nil)
}
