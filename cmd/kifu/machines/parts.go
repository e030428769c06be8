package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/progress"
	"kifu/study/cluster"
)

// rounds is how often a dataset is put together in vain until it is given up.
const rounds = 5

// spread has the parts of a dataset made by the workers of the cluster, and puts them together.
func spread(ctx context.Context, e *command.Env, out string, s datasets.Step, unit string) error {
	s.Inputs = e.Paths(s.Inputs)
	watch := command.StartWatch()
	for round := 1; ; round++ {
		m, fresh, err := datasets.Build(progress.With(ctx, progress.None, io.Discard), e.Path(out), s, datasets.Options{Finish: true, Concurrent: true})
		var missing *datasets.Missing
		if !errors.As(err, &missing) || round > rounds {
			if err == nil {
				e.Announce(out, command.Summary(m, fresh, unit, watch))
			}
			return command.SayNothing(err, out, unit)
		}
		if err := makeParts(ctx, e, out, s.Stage, missing); err != nil {
			return err
		}
	}
}

// makeParts has the parts made that are missing.
func makeParts(ctx context.Context, e *command.Env, out, stage string, missing *datasets.Missing) error {
	step, err := workOf(e, missing.Key, stage+" "+out)
	if err != nil {
		return err
	}
	step.Done = missing.Done
	bar := progress.Start(ctx, stage, int64(missing.Done+len(missing.Parts)), "parts")
	defer bar.Done()
	bar.Skip(int64(missing.Done))
	asking, answered := context.WithCancel(ctx)
	go noteWork(asking, e.Cluster, step.Key, bar)
	defer answered()
	err = e.Cluster.Do(ctx, step, cluster.Work{
		Tasks: missing.Parts,
		Look: func() (func(int) bool, error) {
			made, whole, err := datasets.Made(ctx, missing.Dir, missing.Key)
			return func(i int) bool { return whole || made[i] }, err
		},
		Done: func(int) error { bar.Add(1); return nil },
		Failing: func(r cluster.Report) {
			progress.Note(ctx, stage+": "+Failure(r)+"; 'kifu cluster failed' prints all failures")
		},
	})
	if failed, ok := errors.AsType[*cluster.Failed](err); ok {
		return partsFailed(failed)
	}
	return err
}

// askPause is the time between two questions to the workers what they have in work.
const askPause = 3 * time.Second

// noteWork shows what the workers have in work, of parts that may take long, until ctx ends.
func noteWork(ctx context.Context, c *cluster.Cluster, key string, bar *progress.Bar) {
	for progress.Shown(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(askPause):
		}
		note := "no connection to the server"
		if c.Connected() {
			tasks, workers, oldest := c.InWork(ctx, key)
			note = inWork(tasks, workers, time.Since(oldest))
		}
		if ctx.Err() == nil {
			bar.Note(note)
		}
	}
}

func inWork(parts, workers int, oldest time.Duration) string {
	if parts == 0 {
		return "no worker of this build has a part"
	}
	return fmt.Sprintf("%s in progress on %s, the oldest for %v", human.Plural(int64(parts), "part", "parts"), human.Plural(int64(workers), "worker", "workers"), oldest.Round(time.Second))
}

// partsFailed is the error of parts that cannot be made, with the first ten.
func partsFailed(f *cluster.Failed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s failed; the others are done", f.Step, human.Plural(int64(len(f.Failures)), "part", "parts"))
	for _, r := range f.Failures[:min(10, len(f.Failures))] {
		fmt.Fprintf(&b, "\n  %s", Failure(r))
	}
	if more := len(f.Failures) - 10; more > 0 {
		fmt.Fprintf(&b, "\n  … and %d more (kifu cluster failed)", more)
	}
	b.WriteString("\nFix the cause, and run the same command again.")
	return errors.New(b.String())
}

// Failure names a part that could not be made, and why.
func Failure(r cluster.Report) string {
	return fmt.Sprintf("part %d, %s, last on %s: %s", r.Task+1, human.Plural(int64(r.Times), "time", "times"), human.Printable(r.Host), human.Printable(r.Error))
}
