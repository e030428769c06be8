package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/internal/progress"
	"kifu/schemas"
)

// place is a game boundary in the input: where a part ended, in its state, and where
// the next run goes on.
type place struct {
	File   int   `json:"file"`
	Member int   `json:"member,omitempty"` // of an archive: those that hold records, counted from 0
	Offset int64 `json:"offset"`           // in the member, decompressed
	Line   int   `json:"line"`
	GameID int64 `json:"game_id"` // of the next game
}

// blockSize is the length of a job in bytes. Parts are closed, and reading goes on
// after an interruption, between two jobs.
const blockSize = 2 << 20

type run struct {
	Options
	game      Game
	format    format
	files     []file
	blockSize int
	partGames int
	out       *datasets.Builder

	from  place   // of this run
	id    int64   // of the next game
	parts int     // parts begun or taken over
	open  *part   // gets the next job; nil: a new one does
	begun []*part // and not closed
}

func newRun(g Game, p Params, o Options, out *datasets.Builder) (*run, error) {
	format, err := formatOf(g.Name())
	if err != nil {
		return nil, err
	}
	files, err := format.list(o.Inputs)
	if err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if p.PartGames <= 0 {
		p.PartGames = 1 << 14
	}
	out.SetTable(schemas.Games)
	out.SetMeta("game", g.Name())
	return &run{Options: o, game: g, format: format, files: files, blockSize: blockSize, partGames: p.PartGames, out: out}, nil
}

func (r *run) run(ctx context.Context) error {
	for {
		info, done := r.out.Done(r.parts)
		if !done {
			break
		}
		if err := json.Unmarshal(info.State, &r.from); err != nil {
			return fmt.Errorf("state of part %d: %w (start anew with --force)", r.parts, err)
		}
		r.parts++
	}
	r.id = r.from.GameID

	total := int64(0)
	for _, f := range r.files {
		if f.size == 0 {
			total = 0
			break
		}
		total += f.size
	}
	bar := progress.Start(ctx, "ingest", total>>10, "kB")
	defer bar.Done()
	for _, f := range r.files[:min(r.from.File, len(r.files))] {
		bar.Skip(f.size >> 10)
	}

	g, ctx := errgroup.WithContext(ctx)
	inFlight := r.Workers + 2
	free, parse := make(chan *job, inFlight), make(chan *job, inFlight)
	parsed, encode := make(chan *job, inFlight), make(chan *job, inFlight)
	encoded := make(chan *job, inFlight)
	for range inFlight {
		free <- &job{rows: newTable(datasets.NewBatch(schemas.Games))}
	}
	jobs := make(chan int, 1) // how many there are, when that is known
	g.Go(func() error {
		defer close(parse)
		n, err := r.read(ctx, bar, free, parse)
		jobs <- n
		return err
	})
	for range r.Workers {
		g.Go(func() error { return r.work(ctx, parse, parsed, encode, encoded) })
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
