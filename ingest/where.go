package ingest

import (
	"context"
	"errors"
	"io"
	"slices"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/schemas"
)

// tagColumns is the table for the condition Params.Where: the columns of games that are known before a move
// is read. result is the tag's.
func tagColumns() schemas.Table {
	t := schemas.Games
	t.Columns = nil
	for _, c := range schemas.Games.Columns {
		if !slices.Contains([]string{"game_id", "ply_count", "moves", "evals", "clocks_ms", "annotations", "cut"}, c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	return t
}

// tagFilter decides by a game's tags whether it is wanted. A job is looked through
// twice: first for the tags alone, whose rows are judged all at once, then for the
// games. So a condition means here what it means in a query.
type tagFilter struct {
	by      Filter
	readers readers
	tags    *rows.Table
	file    string  // that is being looked through
	worker  *worker // whose resolver and row the look borrows
	wanted  []bool  // the games of the job, in their order
	next    int     // of wanted, at the second look

	refused bool // the game that was read last is not wanted
}

func newTagFilter(ctx context.Context, r *run) (*tagFilter, error) {
	if r.NewFilter == nil {
		return nil, errors.New("ingest: Params.Where without Options.NewFilter")
	}
	by, err := r.NewFilter(ctx, r.params.Where, tagColumns())
	if err != nil {
		return nil, err
	}
	f := &tagFilter{by: by, tags: rows.NewTable(columns.NewBatch(schemas.Games))}
	f.readers = readers{keep: f.collect, decoder: func(text []byte, label string) (record.Decoder, string) { return f.tags.Texts.Decoder(text, label) }}
	return f, nil
}

func (f *tagFilter) close() { _ = f.by.Close() } // nothing of it is kept

// look settles which games of j are wanted.
func (f *tagFilter) look(ctx context.Context, w *worker, j *job) error {
	f.tags.Reset()
	f.worker, f.next = w, 0
	for i := range j.segments[:j.used] {
		seg := &j.segments[i]
		if seg.fault != nil {
			continue
		}
		f.file, f.tags.Texts, w.format = seg.name, seg.texts, seg.format
		reader := f.readers.reader(seg.format)
		reader.Reset(seg.block)
		for reader.Read(&w.game) != io.EOF {
		}
	}
	var err error
	f.wanted, err = f.by.Select(ctx, f.tags.Batch)
	return err
}

// collect is the Keep of the first look: it takes the tags and refuses the moves.
func (f *tagFilter) collect(g *record.Game) bool {
	h, row := f.worker.header(), &f.worker.row
	row.Moves, row.Final = row.Moves[:0], games.Undecided
	if f.worker.resolver.Begin(g, h, row) != nil {
		row.Variant, row.Start = "", row.Start[:0] // the second look finds the fault
	}
	f.tags.Append(f.file, g, h, row, func(string) {})
	f.tags.Game.AppendString(f.worker.run.game.Name())
	return false
}

// keep is the Keep of the second look.
func (f *tagFilter) keep(*record.Game) bool {
	f.refused = !f.wanted[f.next]
	f.next++
	return !f.refused
}
