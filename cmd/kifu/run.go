package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/machines"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/internal/progress"
	"kifu/internal/step"
	"kifu/study"
)

// runFlags are the flags of kifu run.
type runFlags struct {
	studyFlags
	programs bool
	list     bool
	jobs     int
	print    string
	shards   int
	cluster  machines.Queue
}

func runCommand(e *command.Env) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run STUDY.toml|NAME",
		Short: "Run a study: a file of steps, with dependencies and sweeps",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return listStudies(e.Console)
			}
			if len(args) == 0 {
				return command.Usagef("want a study: a file, or a name of kifu run --list")
			}
			return f.runFile(cmd.Context(), e, args[0])
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.list, "list", false, "list the bundled studies")
	flags.StringVar(&f.out, "out", "", "write to `DIR`, or s3://BUCKET/PREFIX (default: the study's out, and --set values)")
	flags.BoolVar(&f.dry, "dry-run", false, "print what would run and why, and do nothing")
	flags.IntVar(&f.jobs, "jobs", 2, "run at most `N` steps at once; they share --workers")
	flags.StringVar(&f.print, "print", "", "print the steps as jobs of a `SCHEDULER`, and run nothing: "+strings.Join(study.Schedulers, ", "))
	flags.IntVar(&f.shards, "shards", 16, "with --print: divide steps into `N` jobs")
	f.cluster.Declare(flags)
	flags.BoolVar(&f.programs, "programs", false, "allow the study to start outside programs (engines)")
	flags.StringArrayVar(&f.set, "set", nil, "change a value of [set], `NAME=TEXT`")
	return cmd
}

// runFile runs the study in a file and writes its page.
func (f runFlags) runFile(ctx context.Context, e *command.Env, file string) error {
	if f.jobs < 1 {
		return command.Usagef("--jobs %d: want 1 or more", f.jobs)
	}
	if f.print != "" && !slices.Contains(study.Schedulers, f.print) {
		return command.Usagef("--print %s: want %s", f.print, strings.Join(study.Schedulers, ", "))
	}
	if f.print != "" && f.cluster.URL != "" {
		return command.Usagef("--print writes jobs for a scheduler, and --on runs the study on kifu workers: choose one")
	}
	if f.shards < 1 {
		return command.Usagef("--shards %d: want 1 or more", f.shards)
	}
	s, done, err := f.readStudy(e.Files, file)
	defer done()
	if err != nil {
		return err
	}
	takeMoved(s)
	w := &studyWorker{env: e, jobs: f.jobs, programs: f.programs}
	stages := e.Stages()
	runs, err := s.Expand(stages)
	if err != nil {
		return err
	}
	for _, left := range s.Left {
		fmt.Fprintf(e.Stderr, "left out: %s\n", left)
	}
	if f.print != "" {
		return f.printJobs(e.Console, s, study.Jobs{Study: s.Path, Set: f.set, Runs: runs, Kifu: "kifu", Shards: shardsOf(stages, f.shards)})
	}
	if f.dry {
		return dryRun(ctx, e.Console, runs, w)
	}
	if !f.programs {
		e.Barred = "the study names it: kifu run --programs starts it"
	}
	if err := s.Begin(); err != nil {
		return err
	}
	leave, err := f.cluster.Join(ctx, e)
	if err != nil {
		return err
	}
	defer leave()
	all, failure := runStudy(ctx, e.Console, runs, f.jobs, w)
	page, err := s.WritePage(all, "kifu "+manifest.Version)
	if err == nil && page != "" {
		what := "The page"
		if failure != nil {
			what = "The page of what is done"
		}
		fmt.Fprintf(e.Stdout, "%s: %s\n", what, page)
	}
	return errors.Join(failure, err)
}

// takeMoved gives the steps of a study that are written as 0.1 had them the commands of today.
func takeMoved(s *study.Study) {
	for i := range s.Steps {
		step := &s.Steps[i]
		given := lists.Of(step.Flags, func(f study.Flag) string { return f.Key })
		is, names := cli.Moved(step.Run, given)
		step.Run = is
		for j := range step.Flags {
			if name, renamed := names[step.Flags[j].Key]; renamed {
				step.Flags[j].Key = name
			}
		}
		step.Flags = slices.DeleteFunc(step.Flags, func(f study.Flag) bool { return f.Key == "" })
	}
}

// printJobs writes the runs of a study as the jobs of a scheduler.
func (f runFlags) printJobs(con *command.Console, s *study.Study, j study.Jobs) (err error) {
	if j.Out, err = s.Dir(); err != nil {
		return err
	}
	if study.Remote(j.Out) {
		return command.Usagef("--print marks finished jobs by files next to the outputs, and out = %q is in object storage: use --on", j.Out)
	}
	return j.Write(con.Data(), f.print)
}

func dryRun(ctx context.Context, con *command.Console, runs []*study.Run, w study.Worker) error {
	all, err := study.DryRun(ctx, runs, w)
	if err != nil {
		return err
	}
	return studyTable(con, all, func(o study.Outcome) string { return o.Said })
}

// runStudy runs the steps that are out of date, and prints how each run ended. The error has the number of
// runs that are not done.
func runStudy(ctx context.Context, con *command.Console, runs []*study.Run, jobs int, w study.Worker) ([]study.Outcome, error) {
	done := 0
	all, err := study.Do(ctx, runs, jobs, w, func(o study.Outcome) {
		done++
		said := o.Said
		if o.Err != nil {
			said = o.Err.Error()
		}
		if o.Status != study.Done {
			said = string(o.Status) + ": " + said
		}
		fmt.Fprintf(con.Stdout, "[%d/%d] %s: %s\n", done, len(runs), o.Run.Name(), said)
	})
	if err != nil {
		return all, err
	}
	bad := 0
	for _, o := range all {
		if o.Status != study.Done {
			bad++
		}
	}
	if bad == 0 {
		return all, nil
	}
	fmt.Fprintln(con.Stdout)
	if err := studyTable(con, all, func(o study.Outcome) string {
		if o.Status == study.Done {
			return o.Took.Round(10 * time.Millisecond).String()
		}
		return o.Said
	}); err != nil {
		return all, err
	}
	return all, fmt.Errorf("%d of %d runs failed or were not run", bad, len(all))
}

// studyTable prints a line for each outcome, with its error.
func studyTable(con *command.Console, all []study.Outcome, said func(study.Outcome) string) error {
	failures := 0
	w := tabwriter.NewWriter(con.Stdout, 0, 0, 2, ' ', 0)
	for _, o := range all {
		why := said(o)
		if o.Err != nil {
			failures++
			why, _, _ = strings.Cut(o.Err.Error(), "\n")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Status, o.Run.Name(), why)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if failures > 0 && failures == len(all) {
		return errors.New("nothing can be run")
	}
	return nil
}

// studyWorker runs the commands of a study inside this process.
type studyWorker struct {
	env      *command.Env
	jobs     int
	programs bool // the study may start programs
}

// shardsOf returns into how many of n shards a run can be divided.
func shardsOf(all cli.Stages, n int) func(*study.Run) int {
	return func(r *study.Run) int {
		if !all.Divides(r.Work.Stage) || machines.Whole(r.Work) {
			return 1
		}
		return n
	}
}

// Plan implements study.Worker.
func (w *studyWorker) Plan(ctx context.Context, r *study.Run) (bool, string, error) {
	if r.Dir == "" {
		return false, "is run each time", nil
	}
	p := new(command.Plan)
	sub := w.env.Sub(nil, io.Discard, nil)
	sub.Plan = p
	if err := w.run(ctx, r, r.Work, sub); err != nil {
		return false, "", err
	}
	return p.Current, p.Why, nil
}

// Do implements study.Worker. A run gets its share of the processors.
func (w *studyWorker) Do(ctx context.Context, r *study.Run, stdout io.Writer) (study.Answer, error) {
	share := max(1, w.env.Workers/w.jobs)
	ctx = progress.Within(ctx, r.Name(), w.jobs == 1)
	work := r.Work.With("workers", strconv.Itoa(share))
	if w.env.Force {
		work = work.With("force")
	}
	answer := study.Answer{}
	sub := w.env.Sub(nil, stdout, nil)
	sub.Answer, sub.AnswerOf, sub.Cluster = &answer, r.Dir, w.env.Cluster
	err := w.run(ctx, r, work, sub)
	return answer, err
}

// run does the work of r in sub. Its paths count from the directory of the study.
func (w *studyWorker) run(ctx context.Context, r *study.Run, work step.Step, sub *command.Env) error {
	if r.Base != "." {
		sub.Dir = r.Base
	}
	if !w.programs {
		sub.Barred = "the study names it: kifu run --programs starts it"
	}
	sub.Work, sub.Ground = r.Work, &r.Where
	return sub.Inside(ctx, work)
}
