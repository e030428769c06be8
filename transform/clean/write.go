package clean

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/internal/progress"
	"kifu/schemas"
)

// cleaned holds the output of one row group of the input.
type cleaned struct {
	part             int
	group            *columns.RowGroup // nil for none
	rows             int64
	changes, removed *columns.Batch
	counts           manifest.Counts
}

// writer writes the games and the tables next to them.
type writer struct {
	*run
	changes, removed *table
	bar              *progress.Bar
	parts            *datasets.Making
}

// cleaner is one worker.
type cleaner struct {
	run     *run
	in, out *columns.Batch
	edit    edit
	final   finalFunc
}

// write makes part i of the output of part i of the input. Of parts that an interrupted run has
// made only the changes are made again.
func (r *run) write(ctx context.Context) error {
	w := &writer{run: r, parts: datasets.Make(r.in, r.out)}
	defer w.parts.Abort()
	var err error
	if w.changes, err = newTable(r.out, changesFile, schemas.Changes); err != nil {
		return err
	}
	if w.removed, err = newTable(r.out, removedFile, r.in.Table); err != nil {
		w.changes.Abort()
		return err
	}
	w.bar = progress.Start(ctx, "clean", r.in.Rows(), "games")
	defer w.bar.Done()
	cleaners := lists.N(r.workers, func(int) *cleaner {
		return &cleaner{run: r, in: columns.NewBatch(r.in.Table), out: columns.NewBatch(r.out.Table()), final: r.final()}
	})
	if r.in.NumParts() > 0 {
		if err := w.parts.Add(0, r.in.Manifest.Counts.Dropped(), nil); err != nil {
			return err
		}
	}
	walk := datasets.Walk[cleaned]{In: r.in, Begin: w.parts.Begin, Work: func(worker int, g datasets.Group, emit func(cleaned) error) error {
		c, err := cleaners[worker].group(g, w.parts.To(g.Part))
		if err != nil {
			return err
		}
		return emit(c)
	}, Take: w.take, End: w.parts.End}
	if err := walk.Run(ctx, r.workers, nil); err != nil {
		w.changes.Abort()
		w.removed.Abort()
		return err
	}
	if err := w.changes.finish(); err != nil {
		w.removed.Abort()
		return err
	}
	return w.removed.finish()
}

// take writes what one row group made.
func (w *writer) take(c cleaned) error {
	w.bar.Add(c.rows)
	if err := w.changes.appendBatch(c.changes); err != nil {
		return err
	}
	if err := w.removed.appendBatch(c.removed); err != nil {
		return err
	}
	return w.parts.Add(c.part, c.counts, c.group)
}

// group cleans a row group. Without a part to write the games to only the changes are made.
func (c *cleaner) group(g datasets.Group, to *datasets.PartWriter) (made cleaned, err error) {
	if err := g.Read(c.in); err != nil {
		return made, err
	}
	c.out.Reset()
	list := &changes{columns.NewBatch(schemas.Changes)}
	made = cleaned{part: g.Part, rows: int64(c.in.Rows), changes: list.Batch, removed: columns.NewBatch(c.in.Table)}
	made.counts.Read = int64(c.in.Rows)
	known, err := c.run.donorsOf(g.First, g.First+g.Rows-1)
	if err != nil {
		return made, err
	}
	for row := range c.in.Rows {
		id := g.First + int64(row)
		if c.in.Col("game_id").Int64[row] != id {
			return made, fmt.Errorf("%s: game_id of row %d is %d: games are numbered by their rows", c.run.in.Path, id, c.in.Col("game_id").Int64[row])
		}
		if c.run.left.has(id) {
			c.remove(id, row, list, &made)
			continue
		}
		e := &c.edit
		e.begin(c.in, row, id)
		e.merge(known)
		c.repair(e)
		e.rename(c.run.names)
		new := id - c.run.left.below(id)
		e.list(list, new, &made.counts)
		e.write(c.out, new)
		made.counts.Written++
	}
	if to != nil && c.out.Rows > 0 {
		made.group, err = to.Encode(c.out)
	}
	return made, err
}

// remove lists a game that is left out, and keeps its row.
func (c *cleaner) remove(id int64, row int, list *changes, made *cleaned) {
	of := c.run.gone.entry(id)
	list.add(change{game: id, id: -1, what: changeDuplicate, reason: of.Reason, from: of.Kept})
	for i := range made.removed.Cols {
		made.removed.Cols[i].AppendFrom(&c.in.Cols[i], row)
	}
	made.removed.Rows++
	made.counts.Reject(changeDuplicate, 1)
}

// repair sets the date and the result from the record itself.
func (c *cleaner) repair(e *edit) {
	if !c.run.params.KeepDates {
		e.repairDate()
	}
	if !c.run.params.KeepResults {
		e.repairResult(c.final, c.run.blackFirst)
	}
}
