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

	"kifu/cmd/kifu/cli"
	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
	"kifu/datasets/checked"
	"kifu/datasets/manifest"
	"kifu/datasets/store"
	"kifu/internal/progress"
)

// runMain is main without the process: it returns the exit code.
func runMain(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	ctx, done := store.With(ctx)
	defer done()
	out := command.AsOutlet(stdout)
	code := newEnv(stdin, out, stderr).Run(ctx, args)
	if err := out.Lost(); code == command.OK && err != nil {
		fmt.Fprintf(command.AsOutlet(stderr), "kifu: not all of what was printed could be written: %s\n", err)
		return command.Failed
	}
	return code
}

// newEnv returns the environment of a run of kifu.
func newEnv(stdin io.Reader, stdout, stderr io.Writer) *command.Env {
	return command.New(stdin, stdout, stderr, kifuCommand)
}

// kifuCommand returns the command kifu, with all others below it.
func kifuCommand(e *command.Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "kifu",
		Short:         "Mine databases of game records for evaluation curves and weights",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		Version:       manifest.Version,
		RunE:          suggest.HelpOr("command"),
	}
	root.SetVersionTemplate(versionLine() + "\n")
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.IntVar(&e.Workers, "workers", runtime.NumCPU(), "use `N` processors; results do not depend on it")
	flags.StringVar(&e.Progress, "progress", "auto", "show progress as `FORM`: auto, plain, json (one object per line) or none")
	flags.BoolVar(&e.Quiet, "quiet", false, "print no progress and no summary")
	flags.BoolVar(&e.Force, "force", false, "remake the dataset, or replace another")
	flags.BoolVar(&e.Verify, "verify", false, "verify every input in full, even parts already verified")
	flags.StringVar(&e.Config, "config", "", "read default flags from `FILE` (default: kifu.toml, then the user's kifu/config.toml)")
	root.SetFlagErrorFunc(suggest.FlagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		typed := typedFlags(cmd)
		if !e.Nested && cmd.Runnable() && !strings.HasPrefix(cmd.Name(), "__") {
			if err := configure(e, cmd); err != nil {
				return err
			}
		}
		if e.Work.Stage == "" {
			e.Work = cli.Of(cmd, args)
		}
		if err := madeOfFiles(cmd); err != nil {
			return err
		}
		if e.Workers < 1 {
			return command.Usagef("--workers %d: want 1 or more", e.Workers)
		}
		if err := errors.Join(finite(cmd), checkNeeds(cmd, typed)); err != nil {
			return err
		}
		mode, err := progressMode(e)
		if err != nil {
			return err
		}
		if !e.Within {
			ctx := remember(progress.With(cmd.Context(), mode, command.AsOutlet(e.Stderr).To), e)
			for _, w := range []io.Writer{e.Stdout, e.Stderr} {
				command.AsOutlet(w).Before = func() { progress.Clear(ctx) }
			}
			if mode == progress.JSON {
				command.AsOutlet(e.Stderr).Line = progress.Message
			}
			cmd.SetContext(ctx)
			if !cmd.Hidden {
				e.Silent = progress.Watch(ctx, cli.Path(cmd))
			}
		}
		e.Ctx = cmd.Context()
		return nil
	}
	root.AddCommand(
		ingestCommand(e), sortCommand(e.Maker), treeCommand(e.Maker), namesCommand(e.Maker), duplicatesCommand(e.Maker), cleanCommand(e.Maker), transformCommand(e), labelCommand(e), choicesCommand(e), backwardCommand(e.Maker), patternsCommand(e.Maker), motifsCommand(e.Maker), conjunctionsCommand(e.Maker), featuresCommand(e.Maker), fitCommand(e), tablesCommand(e.Maker), reportCommand(e.Maker),
		queryCommand(e.Maker), showCommand(e.Maker), findCommand(e.Maker), playerCommand(e.Maker), performanceCommand(e.Maker), exploreCommand(e), pagesCommand(e.Maker), exportCommand(e.Maker), publishCommand(e.Maker), checkCommand(e.Maker), perftCommand(e.Maker), matchCommand(e), tuneCommand(e.Maker), evolveCommand(e), learnCommand(e.Maker), humanCommand(e), identifyCommand(e.Maker), chunksCommand(e.Maker), datasetsCommand(e.Maker), benchCommand(e.Maker), runCommand(e), workerCommand(e), clusterCommand(e.Maker), demoCommand(e), completionCommand(e.Maker), manCommand(e.Maker), versionCommand(e.Maker), paperCommand(e.Maker), citeCommand(e.Maker),
	)
	if err := eachCommand(root, func(cmd *cobra.Command) error { cli.TakeFormer(cmd); return completeValues(e.Files, cmd) }); err != nil {
		panic(err) // a flag that is not there
	}
	putUnderHeadings(root)
	cli.Help(root)
	if err := eachCommand(root, describe); err != nil {
		panic(err) // a command without a file of help
	}
	return root
}

// remember spares reading inputs that were verified before and are unchanged.
func remember(ctx context.Context, e *command.Env) context.Context {
	if e.Verify {
		return checked.Thorough(ctx)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ctx
	}
	return checked.WithMemory(ctx, filepath.Join(cache, "kifu", "verified"))
}

func progressMode(e *command.Env) (progress.Mode, error) {
	switch e.Progress {
	case "json":
		if e.Quiet {
			return 0, command.Usagef("--quiet and --progress json: choose one")
		}
		return progress.JSON, nil
	case "none":
		return progress.None, nil
	case "plain", "auto":
		switch {
		case e.Quiet:
			return progress.None, nil
		case e.Progress == "auto" && command.IsTerminal(e.Stderr):
			return progress.Bars, nil
		}
		return progress.Plain, nil
	}
	return 0, command.Usagef("--progress %s: want auto, plain, json or none", e.Progress)
}

// madeOfFiles refuses --out - where the output is a directory; files go to the standard output (command.Maker.WriteFile).
func madeOfFiles(cmd *cobra.Command) error {
	out := cmd.Flag("out")
	if out == nil || out.Value.String() != "-" {
		return nil
	}
	if what, _ := pflag.UnquoteUsage(out); what != "DIR" {
		return nil
	}
	return command.Usagef("--out -: %s writes a directory, which is no stream: name a directory", cmd.CommandPath())
}

// helpHeadings are the headings of kifu --help, with the commands below them.
var helpHeadings = []struct {
	title    string
	commands []string
}{
	{"The stages", []string{"ingest", "transform", "label", "choices", "backward", "fit", "tables", "conjunctions", "report"}},
	{"Look", []string{"show", "find", "query", "explore", "player", "patterns", "motifs"}},
	{"Players", []string{"performance", "match", "tune", "learn", "human", "identify", "chunks", "evolve"}},
	{"Databases", []string{"datasets", "clean", "duplicates", "names", "sort", "tree", "export", "publish", "features", "check"}},
	{"Studies and tools", []string{"run", "worker", "cluster", "demo", "bench", "perft", "paper", "cite", "completion", "man", "version", "help"}},
}

// putUnderHeadings puts the commands below root under the headings.
func putUnderHeadings(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, g := range helpHeadings {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.commands, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
}
