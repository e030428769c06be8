// Package export writes datasets back as records that other programs read: games as a
// record format (PGN), positions as lines of text (EPD).
//
// A game is replayed with its rules from the packed moves; the columns about it become tags,
// evaluations and clocks become comments. Ingest makes the dataset's games of the text again, except
// source_file and source_offset: that is the test of this package.
//
// All rows come in the order of the dataset; chosen games or chosen rows may also come in another
// order. Row groups are turned into text on several workers and written in order, so that the bytes do
// not depend on their number, and memory does not grow with the dataset.
//
// The package depends on no game: Rules write moves and positions, a Record or a Line is the
// syntax that a game's records have.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/ordered"
)

// Formats are the ways in which one game is written.
type Formats struct {
	Record Record // of games
	Line   Line   // of positions
	More   []Record
	Lines  []Line // others of positions
}

// Names returns the formats' names: the usual ones of games and of positions, then the
// others of games, then of positions.
func (f Formats) Names() []string {
	names := append([]string{f.Record.Name(), f.Line.Name()}, lists.Of(f.More, Record.Name)...)
	for _, l := range f.Lines {
		if !slices.Contains(names, l.Name()) {
			names = append(names, l.Name())
		}
	}
	return names
}

// LineOf returns the format of positions of that name, or nil.
func (f Formats) LineOf(name string) Line {
	for _, l := range append([]Line{f.Line}, f.Lines...) {
		if l.Name() == name {
			return l
		}
	}
	return nil
}

// HasRecord reports whether games are written as records in the format of that name.
func (f Formats) HasRecord(name string) bool { return f.record(name) != nil }

// record returns the format of games of that name, or nil.
func (f Formats) record(name string) Record {
	for _, r := range append([]Record{f.Record}, f.More...) {
		if r.Name() == name {
			return r
		}
	}
	return nil
}

// stream is implemented by a format whose pieces, one after the other, are no file yet.
type stream interface {
	// NewStream returns a writer that turns the pieces into the format, and ends it when it is closed.
	NewStream(w io.Writer) io.WriteCloser
}

// stream returns the format of that name as a stream, nil if it is none.
func (f Formats) stream(name string) stream {
	if s, ok := f.LineOf(name).(stream); ok {
		return s
	}
	s, _ := f.record(name).(stream)
	return s
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

// dropper is implemented by a Record that has no place for much of what a game has: what it
// leaves out, in words; "" for nothing.
type dropper interface{ Drops() string }

// Drops returns what the format of that name leaves out of games, in words.
func (f Formats) Drops(name string) string {
	if d, ok := f.record(name).(dropper); ok {
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

// Params choose what to write.
type Params struct {
	Format string // one of Formats.Names
	// Games reports whether a game is wanted; nil: all are.
	Games func(id int64) bool
	Rows  *Rows // which rows, and in which order; nil: all
	// From has games begin at these places, once for each; games without one are left out. It
	// is for records, without Games and Rows.
	From *Starts
	// Opcodes adds to lines the position's place (id) and, for labels, the value (ce) and the
	// variation (pv) of the search that Value names: a column, "" for the leaf's.
	Opcodes bool
	Value   string
	// Bare leaves annotations out of records.
	Bare bool
	// AllTags has PGN report what follows from the moves, too: PlyCount, and ECO and Opening by
	// the game's list of openings.
	AllTags bool
}

// Source is a dataset with what to write of it.
type Source struct {
	Params
	In *datasets.Dir
}

// Run writes the games or positions of datasets to w, one after the other; rows that are ranked in the order of their
// ranks, which go over all of them. A row that cannot be replayed is counted as rejected, by reason, and left out.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], f Formats, workers int, sources []Source, w io.Writer) (counts manifest.Counts, err error) {
	if s := f.stream(sources[0].Format); s != nil {
		packing := s.NewStream(w)
		defer func() {
			if err == nil {
				err = packing.Close()
			}
		}()
		w = packing
	}
	ranked := ranking{}
	for _, s := range sources {
		c, err := run(ctx, rules, f, workers, s, ranked, w)
		if counts.Add(c); err != nil {
			return counts, err
		}
	}
	return counts, ranked.write(w)
}

// run writes a dataset to w, what is ranked to ranked.
func run[P games.Position[P]](ctx context.Context, rules games.Rules[P], f Formats, workers int, s Source, ranked ranking, w io.Writer) (manifest.Counts, error) {
	p, in := s.Params, s.In
	newWriter, names, err := writerFor(rules, f, p, in)
	if err != nil {
		return manifest.Counts{}, err
	}
	if p.Games != nil && in.Table.Index("game_id") < 0 {
		return manifest.Counts{}, fmt.Errorf("%s has no column game_id: its rows belong to many games", in.Path)
	}
	workers = ordered.Workers(workers)
	if p.From != nil {
		p.Games = func(id int64) bool { return p.From.byGame[id] != nil }
	}
	var counts manifest.Counts
	list := make([]*worker, workers)
	for i := range list {
		list[i] = &worker{write: newWriter(), games: p.Games, rows: p.Rows, from: p.From,
			ids: columns.NewBatch(in.Table, "game_id"), in: columns.NewBatch(in.Table, names...)}
	}
	err = datasets.Each(ctx, in, workers, "export", in.Table.Name, func(worker int, group datasets.Group, emit func(text) error) error {
		return list[worker].rowGroup(group, emit)
	}, func(piece text) error {
		counts.Add(piece.counts)
		if piece.ends != nil {
			ranked.add(piece)
			return nil
		}
		_, err := w.Write(piece.data)
		return err
	})
	if err == nil && p.From != nil {
		if missing := int64(p.From.n) - counts.Read; missing > 0 {
			counts.Reject(string(noGame), missing)
		}
	}
	return counts, err
}

// rowWriter appends row i of a batch as text, a game from a place on, and counts what it wrote. An
// error is a reason to leave it out.
type rowWriter func(dst []byte, in *columns.Batch, i int, from start, counts *manifest.Counts) ([]byte, error)

// writerFor chooses what turns rows of in into text, and the columns it reads.
func writerFor[P games.Position[P]](rules games.Rules[P], f Formats, p Params, in *datasets.Dir) (func() rowWriter, []string, error) {
	format, rowed := p.Format, in.Table.Name == "positions" || in.Table.Name == "labels"
	record, line := f.record(format), f.LineOf(format)
	training, _ := line.(Training)
	switch {
	case training != nil && rowed:
		value, err := trainingValue(in, p)
		if err != nil {
			return nil, nil, err
		}
		return func() rowWriter { return newTrainer(training, value).row }, trainingColumns(in, value), nil
	case training != nil && in.Table.Name == "games" && record == nil:
		return func() rowWriter { return newReplayer(rules).train(training) }, append([]string{"evals"}, replayColumns...), nil
	case in.Table.Name == "games" && record != nil:
		return func() rowWriter { return newReplayer(rules).record(record, p) }, recordColumns, nil
	case in.Table.Name == "games" && line != nil:
		return func() rowWriter { return newReplayer(rules).lines(line, p.Opcodes) }, replayColumns, nil
	case rowed && line != nil:
		o := opcodesOf(in, p)
		if err := o.check(in); err != nil {
			return nil, nil, err
		}
		return func() rowWriter { return positionLines(rules, line, o) }, o.columns(in), nil
	case rowed && record != nil:
		return nil, nil, fmt.Errorf("%s holds %s: %s is for games; write them as %s", in.Path, in.Table.Name, format, f.Line.Name())
	case in.Table.Name != "games":
		return nil, nil, fmt.Errorf("%s holds %s: only games, positions and labels can be exported", in.Path, in.Table.Name)
	}
	return nil, nil, fmt.Errorf("no format %q of %s; there is %v", format, rules.Name(), f.Names())
}

func reasonOf(err error) string {
	if r, ok := errors.AsType[games.Reason](err); ok {
		return string(r)
	}
	return err.Error()
}
