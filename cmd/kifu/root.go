package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cli"
	"kifu/cluster"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
	"kifu/games/board"
	"kifu/internal/hands"
	"kifu/internal/progress"
	"kifu/internal/step"
	"kifu/query"
	"kifu/query/boards"
	"kifu/store"
	"kifu/study"
)

// The exit codes.
const (
	ok          = 0
	failed      = 1
	misuse      = 2
	interrupted = 130 // as a shell has it of a program that SIGINT ended
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// app is one run of the program: its streams and the flags that every command has.
type app struct {
	ctx      context.Context // of the run: who opens a dataset may have to wait for a server
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	workers  int
	progress string
	quiet    bool
	force    bool
	verify   bool
	config   string
	dir      string        // relative paths count from it; empty: from the working directory
	barred   string        // why no outside program is started; empty: any may be
	ground   *study.Ground // not nil: where a step of a study may write files
	silent   func()        // ends the watch over silence
	nested   bool          // a step of a study, which no file of defaults changes
	within   bool          // progress is shown as the context says
	plan     *plan         // not nil: say what would be built, and build nothing
	answer   *study.Answer // not nil: a study's, to which the command hands its data
	answerOf string        // dataset of the study's run, which need not be named again

	paper   paperFlags       // of reports
	work    step.Step        // of the command
	cluster *cluster.Cluster // not nil: others do what can be divided
	session *cluster.Session // not nil: this is a worker, which does what it is handed
	desk    hands.Desk       // of a worker: where it is asked
}

// plan says what a command that builds a dataset would do.
type plan struct {
	current bool
	why     string
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	ctx, done := store.With(ctx)
	defer done()
	out := asOutlet(stdout)
	code := (&app{stdin: stdin, stdout: out, stderr: stderr}).run(ctx, args)
	if err := out.lost(); code == ok && err != nil {
		fmt.Fprintf(asOutlet(stderr), "kifu: not all of what was printed could be written: %s\n", err)
		return failed
	}
	return code
}

func (a *app) run(ctx context.Context, args []string) int {
	a.stdout, a.stderr = asOutlet(a.stdout), asOutlet(a.stderr)
	stderr := a.stderr
	root := a.root()
	root.SetArgs(cli.TakeMoved(root, args))
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(stderr)
	a.silent = func() {}
	cmd, err := root.ExecuteContextC(board.With(query.With(ctx, boards.Of(gametable.Boards())), gametable.Boards()))
	a.silent()
	if err == nil {
		return ok
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "kifu: interrupted; a dataset resumes after its last complete part when the command is run again")
		return interrupted
	}
	fmt.Fprintf(stderr, "kifu: %s\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(stderr, "See '%s --help'.\n", cmd.CommandPath())
		return misuse
	}
	return failed
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "kifu",
		Short:         "Mine databases of game records for evaluation curves and weights",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		Version:       datasets.Version,
		RunE:          helpOrSuggest("command"),
	}
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate(versionLine() + "\n")
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.IntVar(&a.workers, "workers", runtime.NumCPU(), "work on `N` processors; results do not depend on it")
	flags.StringVar(&a.progress, "progress", "auto", "show progress as `FORM`: auto, plain, json (an object on a line) or none")
	flags.BoolVar(&a.quiet, "quiet", false, "print no progress and no line about a dataset that was made")
	flags.BoolVar(&a.force, "force", false, "make the dataset again, or replace another one that is there")
	flags.BoolVar(&a.verify, "verify", false, "compare all of every input with its checksums, also what is not read or is as it was when that was last done")
	flags.StringVar(&a.config, "config", "", "take defaults of flags from `FILE` (default: kifu.toml here, then kifu/config.toml in the user's configuration)")
	root.SetFlagErrorFunc(plainFlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if !a.nested && cmd.Runnable() && !strings.HasPrefix(cmd.Name(), "__") {
			if err := a.configure(cmd); err != nil {
				return err
			}
		}
		if a.work.Stage == "" {
			a.work = cli.Of(cmd, args)
		}
		if a.workers < 1 {
			return usagef("--workers %d: at least one", a.workers)
		}
		if err := finite(cmd); err != nil {
			return err
		}
		mode, err := a.progressMode()
		if err != nil {
			return err
		}
		if !a.within {
			cmd.SetContext(a.remember(progress.With(cmd.Context(), mode, asOutlet(a.stderr).to)))
			a.silent = progress.Watch(cmd.Context(), cli.Path(cmd))
		}
		a.ctx = cmd.Context()
		return nil
	}
	root.AddCommand(
		a.ingestCommand(), a.sortCommand(), a.namesCommand(), a.duplicatesCommand(), a.cleanCommand(), a.transformCommand(), a.labelCommand(), a.choicesCommand(), a.backwardCommand(), a.patternsCommand(), a.conjunctionsCommand(), a.featuresCommand(), a.fitCommand(), a.tablesCommand(), a.reportCommand(),
		a.queryCommand(), a.showCommand(), a.findCommand(), a.playerCommand(), a.exploreCommand(), a.pagesCommand(), a.exportCommand(), a.publishCommand(), a.checkCommand(), a.perftCommand(), a.matchCommand(), a.tuneCommand(), a.evolveCommand(), a.learnCommand(), a.identifyCommand(), a.chunksCommand(), a.datasetsCommand(), a.benchCommand(), a.runCommand(), a.workerCommand(), a.clusterCommand(), a.demoCommand(), a.completionCommand(), a.manCommand(), a.versionCommand(),
	)
	if err := eachCommand(root, func(cmd *cobra.Command) error { cli.TakeFormer(cmd); return a.completeValues(cmd) }); err != nil {
		panic(err) // a flag that is not there
	}
	group(root)
	cli.Help(root)
	if err := eachCommand(root, describe); err != nil {
		panic(err) // a command without a file of help
	}
	return root
}

// remember spares the reading of inputs that were verified before and are as they were.
func (a *app) remember(ctx context.Context) context.Context {
	if a.verify {
		return datasets.Thorough(ctx)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ctx
	}
	return datasets.WithMemory(ctx, filepath.Join(cache, "kifu", "verified"))
}

func (a *app) progressMode() (progress.Mode, error) {
	switch a.progress {
	case "json":
		if a.quiet {
			return 0, usagef("--quiet and --progress json: choose one")
		}
		return progress.JSON, nil
	case "none":
		return progress.None, nil
	case "plain", "auto":
		switch {
		case a.quiet:
			return progress.None, nil
		case a.progress == "auto" && isTerminal(a.stderr):
			return progress.Bars, nil
		}
		return progress.Plain, nil
	}
	return 0, usagef("--progress %s: want auto, plain, json or none", a.progress)
}

// exactly and atLeast check the number of positional arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n && strings.Contains(what, "dataset") {
			return usagef("%d arguments; want %s. To read several as one, keep the shell from expanding a pattern by quotes: 'labels-*'", len(args), what)
		}
		if len(args) != n {
			return usagef("%d arguments; want %s", len(args), what)
		}
		return nil
	}
}

func atLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("no input; want %s", what)
		}
		return nil
	}
}

// buildsDataset marks the commands whose --out is a dataset.
const buildsDataset = "builds a dataset"

// outFlag adds the --out that every stage needs.
func outFlag(cmd *cobra.Command, out *string) {
	cmd.Annotations = map[string]string{buildsDataset: ""}
	cmd.Flags().StringVar(out, "out", "", "write the dataset to directory `DIR`, or s3://BUCKET/PREFIX (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *out == "" {
			return usagef("--out DIR is missing")
		}
		return nil
	}
}

// personal marks the flags that whoever runs a study gives to kifu run: they connect, or
// name secrets.
const personal = "no key of a study"

func markPersonal(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		if err := flags.SetAnnotation(name, personal, nil); err != nil {
			panic(err) // a flag that is not there
		}
	}
}

// build runs a step and prints its summary line.
func (a *app) build(ctx context.Context, out string, s datasets.Step, unit string) error {
	return a.buildOr(ctx, out, s, datasets.Options{Force: a.force}, unit)
}

// buildOr is build with other options.
func (a *app) buildOr(ctx context.Context, out string, s datasets.Step, o datasets.Options, unit string) error {
	s.Inputs = a.paths(s.Inputs)
	o.Replace = o.Replace || a.ground != nil // what a study has made, or may write over
	if a.ground != nil && !datasets.Remote(out) {
		if err := a.ground.Within(a.path(out)); err != nil {
			return err
		}
	}
	if a.plan != nil {
		var err error
		a.plan.current, a.plan.why, err = datasets.Plan(ctx, a.path(out), s)
		return err
	}
	o.Say = func(text string) {
		if !a.quiet {
			fmt.Fprintf(a.stderr, "%s: %s\n", out, text)
		}
	}
	watch := startWatch()
	m, fresh, err := datasets.Build(ctx, a.path(out), s, o)
	if err != nil {
		return sayNothing(err, out, unit)
	}
	text := summary(m, fresh, unit, watch)
	if o.Shard.Count > 0 {
		if text += "; shard " + o.Shard.String(); !fresh {
			text = "shard " + o.Shard.String() + ": all its parts are there; nothing done"
		}
	}
	a.say(out, text)
	return nil
}

// say prints a line about an output, and hands it to the study.
func (a *app) say(out, text string) {
	line := out + ": " + text
	if !a.quiet {
		fmt.Fprintln(a.stdout, line)
	}
	if a.answer == nil {
		return
	}
	a.answer.Said = line
	if out == a.answerOf {
		a.answer.Said = text
	}
}
