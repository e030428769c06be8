// Package export writes datasets back as records that other programs read: games as a
// record format (PGN), positions as lines of text (EPD).
//
// A game is replayed with its rules from the packed moves; what the columns say about
// it becomes tags, evaluations and clocks become comments. The games that ingest makes
// of the text are those of the dataset, but for source_file and source_offset: that is
// the test of this package. What ingest had dropped (variations, prose) is not there.
//
// Rows come in the order of the dataset, all of them or those of chosen games. Row
// groups are turned into text on several workers and written in order, so that the
// bytes do not depend on their number, and memory does not grow with the dataset.
//
// The package knows no game: Rules write moves and positions, a Record or a Line is the
// syntax that a game's records have.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"kifu/datasets"
	"kifu/games"
	"kifu/internal/ordered"
	"kifu/internal/progress"
)

// Formats are the ways in which one game is written.
type Formats struct {
	Record Record // of games
	Line   Line   // of positions
	More   []Record
}

// Names returns the formats' names: the usual ones of games and of positions, then the
// others of games.
func (f Formats) Names() []string {
	names := []string{f.Record.Name(), f.Line.Name()}
	for _, r := range f.More {
		names = append(names, r.Name())
	}
	return names
}

// record returns the format of games of that name; nil if there is none.
func (f Formats) record(name string) Record {
	for _, r := range append([]Record{f.Record}, f.More...) {
		if r.Name() == name {
			return r
		}
	}
	return nil
}

// Record is the syntax of one record format.
type Record interface {
	Name() string // "pgn"
	// Append appends one game, with what parts it from the next.
	Append(dst []byte, g *Game) []byte
}

// Checker is implemented by a Record that cannot write every game. The error is the reason to
// leave g out.
type Checker interface{ Check(g *Game) error }

// Dropper is implemented by a Record that has no place for much of what a game has: what it
// leaves out, in words; "" for nothing.
type Dropper interface{ Drops() string }

// Drops returns what the format of that name leaves out of games, in words.
func (f Formats) Drops(name string) string {
	if d, ok := f.record(name).(Dropper); ok {
		return d.Drops()
	}
	return ""
}

// Line is the syntax of a position on a line.
type Line interface {
	Name() string // "epd"
	// Append appends one position, with the end of its line.
	Append(dst []byte, p *Position) []byte
}

// Params says what to write.
type Params struct {
	Format string // one of Formats.Names
	Games  *IDs   // of which games; nil: of all
}

// Run writes the games or positions of in to w. A row that cannot be replayed is
// counted as rejected, by reason, and left out.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], f Formats, p Params, workers int, in *datasets.Dir, w io.Writer) (datasets.Counts, error) {
	newWriter, columns, err := writerFor(rules, f, p.Format, in)
	if err != nil {
		return datasets.Counts{}, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	bar := progress.Start(ctx, "export", in.Rows(), in.Table.Name)
	defer bar.Done()
	var counts datasets.Counts
	list := make([]*worker, workers)
	for i := range list {
		list[i] = &worker{write: newWriter(), games: p.Games,
			ids: datasets.NewBatch(in.Table, "game_id"), in: datasets.NewBatch(in.Table, columns...)}
	}
	for i := range in.Manifest.Parts {
		if err := exportPart(ctx, in, i, list, w, bar, &counts); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// rowWriter appends row i of a batch as text. An error is a reason to leave it out.
type rowWriter func(dst []byte, in *datasets.Batch, i int) ([]byte, int64, error)

// writerFor chooses what turns rows of in into text, and the columns it reads.
func writerFor[P games.Position[P]](rules games.Rules[P], f Formats, format string, in *datasets.Dir) (func() rowWriter, []string, error) {
	switch record, line := f.record(format), f.Line; {
	case in.Table.Name == "games" && record != nil:
		return func() rowWriter { return newReplayer(rules, in).record(record) }, recordColumns, nil
	case in.Table.Name == "games" && format == line.Name():
		return func() rowWriter { return newReplayer(rules, in).lines(line) }, replayColumns, nil
	case in.Table.Name == "positions" && format == line.Name():
		return func() rowWriter { return positionLines(rules, line) }, positionColumns, nil
	case in.Table.Name == "positions" && record != nil:
		return nil, nil, fmt.Errorf("%s holds positions: %s is for games; write them as %s", in.Path, format, line.Name())
	case in.Table.Name != "games" && in.Table.Name != "positions":
		return nil, nil, fmt.Errorf("%s holds %s: only games and positions can be exported", in.Path, in.Table.Name)
	}
	return nil, nil, fmt.Errorf("no format %q of %s; there is %v", format, rules.Name(), f.Names())
}

// worker turns row groups into text.
type worker struct {
	write   rowWriter
	games   *IDs
	ids, in *datasets.Batch
}

// text is a row group as text.
type text struct {
	data   []byte
	rows   int64
	counts datasets.Counts
}

// chunk is about how much text is handed over at once.
const chunk = 1 << 20

// rowGroup turns a row group into text, handed over piece by piece.
func (w *worker) rowGroup(part *datasets.Part, index int, emit func(text) error) error {
	if w.games != nil {
		if err := part.Read(index, w.ids); err != nil {
			return err
		}
		wanted := false
		for _, id := range w.ids.Col("game_id").Int64 {
			wanted = wanted || w.games.Has(id)
		}
		if !wanted {
			return emit(text{rows: int64(w.ids.Rows)})
		}
	}
	if err := part.Read(index, w.in); err != nil {
		return err
	}
	id := w.in.Col("game_id")
	t := text{}
	for i := range w.in.Rows {
		t.rows++
		if w.games != nil && !w.games.Has(id.Int64[i]) {
			continue
		}
		t.counts.Read++
		data, n, err := w.write(t.data, w.in, i)
		if err != nil {
			t.counts.Reject(reasonOf(err), 1)
			continue
		}
		t.data = data
		t.counts.Written += n
		if len(t.data) >= chunk {
			if err := emit(t); err != nil {
				return err
			}
			t = text{data: make([]byte, 0, chunk+chunk/4)}
		}
	}
	return emit(t)
}

func reasonOf(err error) string {
	var r games.Reason
	if errors.As(err, &r) {
		return string(r)
	}
	return err.Error()
}

// exportPart writes one part of in, its row groups in order.
func exportPart(ctx context.Context, in *datasets.Dir, index int, workers []*worker, w io.Writer, bar *progress.Bar, counts *datasets.Counts) error {
	part, err := in.OpenPart(index)
	if err != nil {
		return err
	}
	defer part.Close()
	return ordered.Run(ctx, part.RowGroups(), len(workers), func(worker, rowGroup int, emit func(text) error) error {
		return workers[worker].rowGroup(part, rowGroup, emit)
	}, func(piece text) error {
		counts.Add(piece.counts)
		bar.Add(piece.rows)
		_, err := w.Write(piece.data)
		return err
	})
}
