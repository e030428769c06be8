package ingest

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/internal/progress"
)

// FileCount counts what one file holds, by its syntax alone.
type FileCount struct {
	File    string
	Games   int64 // that could be read and, with a condition, are wanted
	Plies   int64 // written moves of their main lines
	Damaged int64 // games that could not be read
	LeftOut int64 // games that the condition does not want
}

// Count reads the syntax of the inputs and counts, without applying rules or writing anything. Files come
// in their order; the sums have the damaged games by reason.
func Count(ctx context.Context, g legal.Game, p Params, o Options) ([]FileCount, manifest.Counts, error) {
	r, err := newRun(g, p, o, progress.Shown(ctx))
	if err != nil {
		return nil, manifest.Counts{}, err
	}
	return r.count(ctx)
}

// count counts. Its warnings come in the order of the files, when all has been read.
func (r *run) count(ctx context.Context) ([]FileCount, manifest.Counts, error) {
	var sums manifest.Counts
	r.Log = nil
	bar := r.progress(ctx, "count")
	defer bar.Done()
	group, ctx := errgroup.WithContext(ctx)
	inFlight := r.Workers + 2
	free, parse := make(chan *job, inFlight), make(chan *job, inFlight)
	for range inFlight {
		free <- &job{rows: rows.NewTable(columns.NewBatch(r.table))}
	}
	group.Go(func() error {
		defer close(parse)
		_, err := r.read(ctx, bar, free, parse)
		return err
	})
	counters := make([]counter, r.Workers)
	for i := range counters {
		counters[i].files = make([]FileCount, len(r.files))
		group.Go(func() error { return counters[i].run(ctx, r, parse, free) })
	}
	err := group.Wait()
	var warnings []warning
	for _, c := range counters {
		warnings = append(warnings, c.warnings...)
	}
	if err = errors.Join(err, r.warn(warnings)); err != nil {
		return nil, sums, err
	}
	files := make([]FileCount, len(r.files))
	for i, f := range r.files {
		files[i].File = f.name
		for _, c := range counters {
			files[i].Games += c.files[i].Games
			files[i].Plies += c.files[i].Plies
			files[i].Damaged += c.files[i].Damaged
			files[i].LeftOut += c.files[i].LeftOut
		}
	}
	for _, c := range counters {
		sums.Add(c.sums)
	}
	return files, sums, nil
}

// warning is a message about the files of a job.
type warning struct {
	job  int
	text []byte
}

// warn prints the warnings in the order of their jobs.
func (r *run) warn(warnings []warning) error {
	slices.SortFunc(warnings, func(a, b warning) int { return a.job - b.job })
	for _, w := range warnings {
		if _, err := r.Warn.Write(w.text); err != nil {
			return err
		}
	}
	return nil
}

// counter has the counts of one worker.
type counter struct {
	files    []FileCount // by number
	sums     manifest.Counts
	warnings []warning
}

func (c *counter) run(ctx context.Context, r *run, parse, free chan *job) error {
	w, err := newWorker(ctx, r)
	if err != nil {
		return err
	}
	defer w.close()
	for j := range parse {
		err := w.eachGame(ctx, j, func(file int, fault *record.SyntaxError) {
			f := &c.files[file]
			j.counts.Read++
			switch {
			case w.refused():
				f.LeftOut++
			case fault != nil:
				f.Damaged++
				w.reject(j, fault.Line, &legal.Reject{Reason: fault.Reason, Detail: fault.Detail})
			default:
				f.Games++
				f.Plies += int64(len(w.game.Moves))
			}
		})
		if err != nil {
			return err
		}
		c.sums.Add(j.counts)
		if r.Warn != nil && j.warn != nil {
			c.warnings = append(c.warnings, warning{j.seq, j.warn})
		}
		free <- j
	}
	return nil
}
