package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/ingest/charset"
	"kifu/ingest/formats"
	"kifu/ingest/legal"
	"kifu/ingest/rows"
	"kifu/internal/hands"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

type run struct {
	Options
	params    Params
	table     schemas.Table // of the output
	game      legal.Game
	formats   formats.Set       // of the game
	known     []legal.Game      // all of them
	all       formats.Set       // theirs
	files     []file            // by their number in the dataset; those before from.File have no path
	encoding  *charset.Encoding // of what is not UTF-8; nil: told by the texts
	blockSize int
	out       *datasets.Builder // nil when games are only counted
	same      *sameGame         // nil if what the records are of is settled

	from  place   // of this run
	fresh bool    // no part of this run's files is there
	id    int64   // of the next game
	parts int     // parts begun or taken over
	open  *part   // gets the next job; nil: a new one does
	begun []*part // and not closed

	counts manifest.Counts // of this run
}

// newRun returns the run of a game; sized: the progress bar needs the sizes of the files.
func newRun(g legal.Game, p Params, o Options, sized bool) (*run, error) {
	known := o.known(g)
	all := legal.Formats(known)
	files, err := o.files(g.Formats().Holding(p.Positions), p, known, sized)
	if err != nil {
		return nil, err
	}
	set, err := g.Formats().Holding(p.Positions).WithTables(lists.Of(files, func(f file) string { return f.path }))
	if err != nil {
		return nil, err
	}
	o.Workers = ordered.Workers(o.Workers)
	switch {
	case p.PartGames > 0:
	case p.Positions:
		p.PartGames = 1 << 20
	default:
		p.PartGames = 1 << 14
	}
	table := schemas.Games
	if p.Positions {
		table = g.Positions(p.Soft)
	}
	r := &run{Options: o, table: table, game: g, formats: set, known: known, all: all, files: files, params: p, blockSize: blockSize}
	if p.Encoding != "" {
		e, err := parseEncoding(p.Encoding)
		if err != nil {
			return nil, err
		}
		r.encoding = &e
	}
	return r, nil
}

// files returns the files of the run: the files that InputKeys hashed, if it did.
func (o Options) files(of formats.Set, p Params, known []legal.Game, sized bool) ([]file, error) {
	if o.Seen != nil && o.Seen.listed != nil {
		return slices.Clone(o.Seen.listed), nil
	}
	return list(of, o.Inputs, p.Sort, known, o.Held, sized)
}

// into prepares the output. In a dataset that is appended to, the existing parts and inputs come first, and
// known inputs are left out.
func (r *run) into(out *datasets.Builder) error {
	r.out = out
	out.SetTable(r.table)
	out.SetMeta("game", r.game.Name())
	if r.params.Positions {
		out.SetMeta(schemas.NoGames, "positions")
	}
	files := make([]file, out.Taken(), out.Taken()+len(r.files))
	for i, f := range r.files {
		if !out.Known(i) {
			files = append(files, f)
		}
	}
	r.files = files
	for {
		info, done := out.Done(r.parts)
		if !done {
			break
		}
		if err := json.Unmarshal(info.State, &r.from); err != nil {
			return fmt.Errorf("state of part %d: %w (start again with --force)", r.parts, err)
		}
		r.parts++
	}
	r.id = r.from.GameID
	r.fresh = r.from.File < out.Taken() || r.from.File == out.Taken() && r.from.Member == 0 && r.from.Offset == 0
	if r.from.File < out.Taken() {
		r.from = place{File: out.Taken(), Line: 1, GameID: r.id}
	}
	return nil
}

func (r *run) run(ctx context.Context) error {
	bar := r.progress(ctx, "ingest")
	defer bar.Done()

	g, ctx := errgroup.WithContext(ctx)
	h := hands.Of(ctx)
	if slices.ContainsFunc(r.files, func(f file) bool { return r.all.IsTable(f.path) }) {
		h = nil
	}
	inFlight := r.Workers + 2
	unread := inFlight // jobs that hold their records
	if h != nil {
		inFlight, unread = 2*round+2, 1
	}
	free, parse := make(chan *job, inFlight), make(chan *job, unread)
	parsed, encode := make(chan *job, inFlight), make(chan *job, inFlight)
	encoded := make(chan *job, inFlight)
	for range inFlight {
		free <- &job{rows: rows.NewTable(columns.NewBatch(r.table))}
	}
	jobs := make(chan int, 1) // how many there are, when that is known
	g.Go(func() error {
		defer close(parse)
		n, err := r.read(ctx, bar, free, parse)
		if err == nil { // else the read is incomplete and must not be judged
			jobs <- n
		}
		return err
	})
	if h != nil {
		packed := make(chan *job, inFlight)
		g.Go(func() error { return r.pack(ctx, h.Room(), parse, packed, parsed) })
		g.Go(func() error { return r.ask(ctx, h, packed, parsed) })
		g.Go(func() error { return r.recode(ctx, encode, encoded) })
	}
	for range r.Workers {
		if h == nil {
			g.Go(func() error { return r.work(ctx, parse, parsed, encode, encoded) })
		}
	}
	g.Go(func() error {
		defer close(encode)
		return r.write(ctx, jobs, free, parsed, encode, encoded)
	})
	err := g.Wait()
	if err != nil {
		for _, p := range r.begun {
			p.w.Abort()
		}
	}
	return err
}

// progress shows how much of what the files store has been read.
func (r *run) progress(ctx context.Context, name string) *progress.Bar {
	total := int64(0)
	for _, f := range r.files {
		if f.size == 0 && f.path != "" {
			total = 0
			break
		}
		total += f.size
	}
	bar := progress.Start(ctx, name, total>>10, "kB")
	for _, f := range r.files[:min(r.from.File, len(r.files))] {
		bar.Skip(f.size >> 10)
	}
	return bar
}

// Empty is returned by Run when its inputs hold no game, none could be read, or the condition leaves none.
// Counts has the reasons. A dataset that is appended to may get nothing from files that are empty or fail
// the condition.
type Empty struct{ Counts manifest.Counts }

// Error gives the number of games.
func (e *Empty) Error() string {
	return fmt.Sprintf("none of %d games could be read", e.Counts.Read)
}

// LeftOut is how many games the condition left out.
func (e *Empty) LeftOut() int64 { return e.Counts.Noted[leftOut] }

// empty returns an *Empty if all has been read and no game of this run is there.
func (r *run) empty() error {
	if !r.fresh || r.counts.Written > 0 {
		return nil
	}
	noted := len(r.counts.Noted)
	for _, what := range []string{noRecords, deadLink, noEntry} {
		if r.counts.Noted[what] > 0 {
			noted--
		}
	}
	if nothing := r.counts.Read == 0 && noted == 0; r.out.Taken() > 0 && (nothing || r.counts.Noted[leftOut] > 0) {
		return nil
	}
	return &Empty{r.counts}
}

// leftOut is the note for games that Params.Where does not want.
const leftOut = "left out by --where"
