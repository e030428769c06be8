package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kifu/cli"
	"kifu/cmd/kifu/gametable"
	"kifu/datasets"
	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/store"
	"kifu/games/board"
	"kifu/internal/progress"
	"kifu/internal/step"
	"kifu/query"
	"kifu/query/boards"
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

// run is main without the process: it returns the exit code.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	ctx, done := store.With(ctx)
	defer done()
	out := asOutlet(stdout)
	code := newEnv(stdin, out, stderr).run(ctx, args)
	if err := out.lost(); code == ok && err != nil {
		fmt.Fprintf(asOutlet(stderr), "kifu: not all of what was printed could be written: %s\n", err)
		return failed
	}
	return code
}

// run runs a command line.
func (e *env) run(ctx context.Context, args []string) int {
	return e.execute(ctx, func(ctx context.Context, root *cobra.Command) (*cobra.Command, error) {
		root.SetArgs(withoutHelp(root, cli.TakeMoved(root, args)))
		return root.ExecuteContextC(ctx)
	})
}

// withoutHelp leaves --help out of a line that names no command, so that the line ends with those that may be meant.
func withoutHelp(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(word string) bool { return word == "--help" || word == "-h" })
}

// do runs a step.
func (e *env) do(ctx context.Context, s step.Step) int {
	return e.execute(ctx, func(ctx context.Context, root *cobra.Command) (*cobra.Command, error) {
		return cli.Run(ctx, root, s)
	})
}

// execute has a command below root executed, and returns the exit code.
func (e *env) execute(ctx context.Context, start func(context.Context, *cobra.Command) (*cobra.Command, error)) int {
	e.stdout, e.stderr = asOutlet(e.stdout), asOutlet(e.stderr)
	stderr := e.stderr
	root := e.root()
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(stderr)
	e.silent = func() {}
	cmd, err := start(board.With(query.With(ctx, boards.Of(gametable.Boards())), gametable.Boards()), root)
	e.silent()
	if err == nil {
		return ok
	}
	if ctx.Err() != nil {
		text := "interrupted"
		if kept := (*datasets.Interrupted)(nil); errors.As(err, &kept) {
			text += "; " + kept.Error()
		}
		fmt.Fprintln(stderr, "kifu: "+text)
		return interrupted
	}
	fmt.Fprintf(stderr, "kifu: %s\n", err)
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintf(stderr, "See '%s --help'.\n", cmd.CommandPath())
		return misuse
	}
	return failed
}

// stages returns what kifu can do in steps.
func stages() cli.Stages { return cli.StagesOf(newEnv(nil, nil, nil).root()) }

func (e *env) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "kifu",
		Short:         "Mine databases of game records for evaluation curves and weights",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		Version:       manifest.Version,
		RunE:          helpOrSuggest("command"),
	}
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate(versionLine() + "\n")
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.IntVar(&e.workers, "workers", runtime.NumCPU(), "use `N` processors; results do not depend on it")
	flags.StringVar(&e.progress, "progress", "auto", "show progress as `FORM`: auto, plain, json (one object per line) or none")
	flags.BoolVar(&e.quiet, "quiet", false, "print no progress and no summary")
	flags.BoolVar(&e.force, "force", false, "remake the dataset, or replace another")
	flags.BoolVar(&e.verify, "verify", false, "verify every input in full, even parts already verified")
	flags.StringVar(&e.config, "config", "", "read default flags from `FILE` (default: kifu.toml, then the user's kifu/config.toml)")
	root.SetFlagErrorFunc(plainFlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if !e.nested && cmd.Runnable() && !strings.HasPrefix(cmd.Name(), "__") {
			if err := configure(e, cmd); err != nil {
				return err
			}
		}
		if e.work.Stage == "" {
			e.work = cli.Of(cmd, args)
		}
		if err := madeOfFiles(cmd); err != nil {
			return err
		}
		if e.workers < 1 {
			return usagef("--workers %d: want 1 or more", e.workers)
		}
		if err := finite(cmd); err != nil {
			return err
		}
		mode, err := progressMode(e)
		if err != nil {
			return err
		}
		if !e.within {
			ctx := remember(progress.With(cmd.Context(), mode, asOutlet(e.stderr).to), e)
			for _, w := range []io.Writer{e.stdout, e.stderr} {
				asOutlet(w).before = func() { progress.Clear(ctx) }
			}
			cmd.SetContext(ctx)
			if !cmd.Hidden {
				e.silent = progress.Watch(ctx, cli.Path(cmd))
			}
		}
		e.ctx = cmd.Context()
		return nil
	}
	root.AddCommand(
		ingestCommand(e), sortCommand(e.maker), treeCommand(e.maker), namesCommand(e.maker), duplicatesCommand(e.maker), cleanCommand(e.maker), transformCommand(e), labelCommand(e), choicesCommand(e), backwardCommand(e.maker), patternsCommand(e.maker), motifsCommand(e.maker), conjunctionsCommand(e.maker), featuresCommand(e.maker), fitCommand(e), tablesCommand(e.maker), reportCommand(e.maker),
		queryCommand(e.maker), showCommand(e.maker), findCommand(e.maker), playerCommand(e.maker), performanceCommand(e.maker), exploreCommand(e), pagesCommand(e.maker), exportCommand(e.maker), publishCommand(e.maker), checkCommand(e.maker), perftCommand(e.maker), matchCommand(e), tuneCommand(e.maker), evolveCommand(e), learnCommand(e.maker), humanCommand(e), identifyCommand(e.maker), chunksCommand(e.maker), datasetsCommand(e.maker), benchCommand(e.maker), runCommand(e), workerCommand(e), clusterCommand(e.maker), demoCommand(e), completionCommand(e.maker), manCommand(e.maker), versionCommand(e.maker), paperCommand(e.maker), citeCommand(e.maker),
	)
	if err := eachCommand(root, func(cmd *cobra.Command) error { cli.TakeFormer(cmd); return completeValues(e.files, cmd) }); err != nil {
		panic(err) // a flag that is not there
	}
	group(root)
	cli.Help(root)
	if err := eachCommand(root, describe); err != nil {
		panic(err) // a command without a file of help
	}
	return root
}

// remember spares reading inputs that were verified before and are unchanged.
func remember(ctx context.Context, e *env) context.Context {
	if e.verify {
		return checked.Thorough(ctx)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ctx
	}
	return checked.WithMemory(ctx, filepath.Join(cache, "kifu", "verified"))
}

func progressMode(e *env) (progress.Mode, error) {
	switch e.progress {
	case "json":
		if e.quiet {
			return 0, usagef("--quiet and --progress json: choose one")
		}
		return progress.JSON, nil
	case "none":
		return progress.None, nil
	case "plain", "auto":
		switch {
		case e.quiet:
			return progress.None, nil
		case e.progress == "auto" && isTerminal(e.stderr):
			return progress.Bars, nil
		}
		return progress.Plain, nil
	}
	return 0, usagef("--progress %s: want auto, plain, json or none", e.progress)
}

// exactly and atLeast check the number of positional arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n && strings.Contains(what, "dataset") {
			return usagef("%d arguments; want %s. To read several datasets as one, quote the pattern: 'labels-*'", len(args), what)
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

// madeOfFiles refuses --out - where the output is a directory; files go to the standard output (writeFile).
func madeOfFiles(cmd *cobra.Command) error {
	out := cmd.Flag("out")
	if out == nil || out.Value.String() != "-" {
		return nil
	}
	if what, _ := pflag.UnquoteUsage(out); what != "DIR" {
		return nil
	}
	return usagef("--out -: %s writes a directory, which is no stream: name a directory", cmd.CommandPath())
}

// outFlag adds the --out that every stage needs.
func outFlag(cmd *cobra.Command, out *string) {
	cli.MarkBuilds(cmd)
	cmd.Flags().StringVar(out, "out", "", "write the dataset to directory `DIR`, or s3://BUCKET/PREFIX (required)")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *out == "" {
			return errNoOut
		}
		return nil
	}
}

var errNoOut = usagef("--out DIR is missing")
