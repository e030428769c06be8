package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/remote"
	"kifu/internal/lists"
	"kifu/report/page"
)

// reporter makes reports, with tables and pictures for a paper.
type reporter struct {
	*command.Maker
	paper paperFlags
}

// namesReport gives the output of a command the command's name if it has none.
func namesReport(mk *command.Maker, cmd *cobra.Command) {
	out, need, name := cmd.Flag("out"), cmd.PreRunE, cmd.Name()
	if name == "all" {
		name = "reports"
	}
	out.Usage = strings.Replace(out.Usage, "required", "default: "+name, 1)
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		err := need(cmd, args)
		if !errors.Is(err, command.ErrNoOut) || mk.Nested {
			return err
		}
		fmt.Fprintf(mk.Stderr, "writing the report %s, named after the command (--out DIR chooses another name)\n", name)
		return out.Value.Set(name)
	}
}

// endsWithPage makes a command that wrote a report print where its page is.
func endsWithPage(mk *command.Maker, cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil || mk.Plan != nil || mk.Nested {
			return err
		}
		out := cmd.Flag("out").Value.String()
		if _, err := os.Stat(filepath.Join(mk.Path(out), "index.html")); err != nil {
			return nil // the output is no report
		}
		if sql := cmd.Flag("sql"); out == "" || remote.Is(out) || sql != nil && sql.Changed {
			return nil
		}
		fmt.Fprintf(mk.Stdout, "Open %s\n", filepath.Join(out, "index.html"))
		return nil
	}
}

// makeReport builds the dataset of a report from its inputs.
func makeReport[P any](rp *reporter, cmd *cobra.Command, kind, out string, p P, inputs []string, run func(context.Context, P, []*datasets.Dir, page.Output) error) error {
	paper, err := rp.paper.settings(cmd, kind)
	if err != nil {
		return err
	}
	return rp.Build(cmd.Context(), out, datasets.Step{
		Stage: "report " + kind, Output: "report/v1", Params: ofPaper{p, paper}, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return run(ctx, p, in, page.ForPaper(b, paper))
		},
	}, "files")
}

// destination is where a report goes, and whether its query is printed instead of its text.
type destination struct {
	out string
	sql bool
}

// declare adds the flags; what is printed without --sql is named so.
func (to *destination) declare(cmd *cobra.Command, what string) {
	command.OutFlag(cmd, &to.out)
	cmd.Flags().BoolVar(&to.sql, "sql", false, "print the query instead of the "+what)
}

// printReport makes a report, and prints the file text of it, or its query.
func printReport[P any](rp *reporter, cmd *cobra.Command, kind string, to destination, p P, inputs []string, text string, run func(context.Context, P, []*datasets.Dir, page.Output) error) error {
	if err := makeReport(rp, cmd, kind, to.out, p, inputs, run); err != nil || rp.Plan != nil {
		return err
	}
	if to.sql {
		text = kind + ".sql"
	}
	return rp.PrintFile(to.out, text)
}

// baseNames are the names by which a report calls its inputs.
func baseNames(paths []string) []string { return lists.Of(paths, sourceName) }

// sourceName is the last part of a path; of a run of a sweep, STEP/KEY=VALUE, the step, too.
func sourceName(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	if step := filepath.Base(dir); strings.Contains(name, "=") && strings.Trim(step, `./\`) != "" {
		return step + " " + name
	}
	return name
}
