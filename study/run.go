package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"kifu/internal/checksum"
	"kifu/internal/fresh"
	"kifu/internal/lock"
	"kifu/internal/table"
)

// Worker does the work of command lines.
type Worker interface {
	// Plan reports whether the output of a run is up to date, and why not.
	Plan(ctx context.Context, r *Run) (current bool, why string, err error)
	// Do runs the line of r; what the command prints goes to stdout.
	Do(ctx context.Context, r *Run, stdout io.Writer) (Answer, error)
}

// Answer is the data that a command hands over, besides what it prints.
type Answer struct {
	Said   string        // about its dataset or its file, in a line
	Tables []table.Table // those that it printed
}

// Outcome is the end of a run.
type Outcome struct {
	Run    *Run
	Status Status
	Said   string // what the command said of its dataset or its file; in a dry run, why it would run
	Err    error
	Took   time.Duration
}

// Status is how a run ended.
type Status string

const (
	Done     Status = "done"       // made by this run
	Failed   Status = "failed"     // with an error
	Skipped  Status = "not run"    // what it needs failed
	Current  Status = "up to date" // there already
	WouldRun Status = "would run"  // of a dry run
)

// DryRun reports for each run whether it would do anything, and why.
func DryRun(ctx context.Context, runs []*Run, w Worker) ([]Outcome, error) {
	var all []Outcome
	stale := map[*Run]bool{}
	for _, r := range runs {
		if err := ctx.Err(); err != nil {
			return all, err
		}
		o := Outcome{Run: r, Status: WouldRun}
		for _, n := range r.Needs {
			if stale[n] {
				o.Said = n.Name() + " is made before"
				break
			}
		}
		if o.Said == "" {
			current, why, err := w.Plan(ctx, r)
			switch {
			case err != nil:
				o.Status, o.Err = Failed, err
			case current:
				o.Status = Current
			default:
				o.Said = why
			}
		}
		stale[r] = o.Status != Current
		all = append(all, o)
	}
	return all, nil
}

// Do runs independent runs in parallel, at most jobs at once. Each starts when its inputs are done,
// earlier ones in the file first. report gets every outcome as it comes, from one goroutine. The
// outcomes are in the order of runs; the error is ctx's.
func Do(ctx context.Context, runs []*Run, jobs int, w Worker, report func(Outcome)) ([]Outcome, error) {
	all := make([]Outcome, len(runs))
	at := map[*Run]int{}
	for i, r := range runs {
		all[i].Run, at[r] = r, i
	}
	type end struct {
		i int
		o Outcome
	}
	finished := make(chan end)
	running, left := 0, len(runs)
	begun := make([]bool, len(runs))
	for left > 0 {
		for i, r := range runs {
			if begun[i] || ctx.Err() != nil {
				continue
			}
			ready, broken := state(r, all, at)
			if broken != nil {
				begun[i] = true
				left--
				all[i].Status, all[i].Said = Skipped, "needs "+broken.Name()
				report(all[i])
				continue
			}
			if ready && running < jobs {
				begun[i] = true
				running++
				go func() { finished <- end{i, perform(ctx, r, w)} }()
			}
		}
		if running == 0 {
			break
		}
		e := <-finished
		running--
		left--
		all[e.i] = e.o
		report(e.o)
	}
	return all, ctx.Err()
}

// state reports whether everything that r needs is done, and what of it will not be.
func state(r *Run, all []Outcome, at map[*Run]int) (ready bool, broken *Run) {
	ready = true
	for _, n := range r.Needs {
		switch all[at[n]].Status {
		case Done:
		case Failed, Skipped:
			return false, n
		default:
			ready = false
		}
	}
	return ready, nil
}

func perform(ctx context.Context, r *Run, w Worker) Outcome {
	o := Outcome{Run: r, Status: Done}
	begun := time.Now()
	to := io.Discard
	var file *output
	if r.File != "" {
		file, o.Err = create(r.Where, located(r.Base, r.File))
		if o.Err == nil {
			to = file
		}
	}
	if o.Err == nil {
		var a Answer
		a, o.Err = w.Do(ctx, r, to)
		o.Said, r.Printed = a.Said, a.Tables
	}
	if file != nil {
		o.Err = file.install(o.Err)
		o.Said = "wrote " + located(r.Base, r.File)
	}
	if o.Err != nil {
		o.Status = Failed
	}
	o.Took = time.Since(begun)
	return o
}

// output is a file of what a command prints, under another name until it is whole.
type output struct {
	*os.File
	where  Ground
	path   string
	unlock func()
}

func create(where Ground, path string) (*output, error) {
	if err := where.MayWrite(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock.Take(path + ".tmp.lock")
	if errors.Is(err, lock.ErrTaken) {
		return nil, fmt.Errorf("%s is being written by another kifu", path)
	} else if err != nil {
		return nil, err
	}
	f, err := fresh.Create(path + ".tmp")
	if err != nil {
		unlock()
		return nil, err
	}
	return &output{f, where, path, unlock}, nil
}

// install gives the file its final name if it is whole, and takes it away if it is not.
func (f *output) install(err error) error {
	defer f.unlock()
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	sum := ""
	if err == nil {
		sum, _, err = checksum.File(f.Name())
	}
	if err == nil {
		err = f.where.Wrote(f.path, sum)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return fmt.Errorf("output of the command: %w", err)
	}
	return nil
}
