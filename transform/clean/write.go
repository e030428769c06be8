package clean

import (
	"context"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/schemas"
)

// cleaned holds the output of one row group of the input.
type cleaned struct {
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
	workers          []*cleaner
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
	w := &writer{run: r}
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
	for range r.workers {
		w.workers = append(w.workers, &cleaner{run: r, in: columns.NewBatch(r.in.Table), out: columns.NewBatch(r.out.Table()), final: r.final()})
	}
	first := int64(0)
	for i := range r.in.NumParts() {
		if first, err = w.part(ctx, i, first); err != nil {
			w.changes.Abort()
			w.removed.Abort()
			return err
		}
	}
	if err := w.changes.finish(); err != nil {
		w.removed.Abort()
		return err
	}
	return w.removed.finish()
}

// part makes a part, whose first row in the input is first, and returns the next part's first row.
func (w *writer) part(ctx context.Context, i int, first int64) (next int64, err error) {
	part, err := w.in.OpenPart(i)
	if err != nil {
		return 0, err
	}
	defer part.Close()
	firsts := make([]int64, part.RowGroups())
	next = first
	for k := range firsts {
		firsts[k] = next
		next += part.Rows(k)
	}
	var to *datasets.PartWriter
	if _, done := w.out.Done(i); !done {
		if to, err = w.out.Part(i); err != nil {
			return 0, err
		}
	}
	var counts manifest.Counts
	if i == 0 {
		counts = w.in.Manifest.Counts.Dropped()
	}
	err = ordered.Run(ctx, len(firsts), len(w.workers), func(worker, k int, emit func(cleaned) error) error {
		c, err := w.workers[worker].group(part, k, firsts[k], to)
		if err != nil {
			return err
		}
		return emit(c)
	}, func(c cleaned) error {
		counts.Add(c.counts)
		w.bar.Add(c.rows)
		if err := w.changes.appendBatch(c.changes); err != nil {
			return err
		}
		if err := w.removed.appendBatch(c.removed); err != nil {
			return err
		}
		if c.group == nil {
			return nil
		}
		return to.Append(c.group)
	})
	if to == nil {
		return next, err
	}
	return next, to.End(err, counts, nil)
}

// group cleans a row group. Without a part to write the games to only the changes are made.
func (c *cleaner) group(part *datasets.Part, k int, first int64, to *datasets.PartWriter) (made cleaned, err error) {
	if err := part.Read(k, c.in); err != nil {
		return made, err
	}
	c.out.Reset()
	list := &changes{columns.NewBatch(schemas.Changes)}
	made = cleaned{rows: int64(c.in.Rows), changes: list.Batch, removed: columns.NewBatch(c.in.Table)}
	made.counts.Read = int64(c.in.Rows)
	known, err := c.run.donorsOf(first, first+int64(c.in.Rows)-1)
	if err != nil {
		return made, err
	}
	for row := range c.in.Rows {
		id := first + int64(row)
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
