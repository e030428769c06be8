package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/report/page"
)

// reporter makes reports, with tables and pictures for a paper.
type reporter struct {
	*maker
	paper paperFlags
}

func reportCommand(mk *maker) *cobra.Command {
	rp := &reporter{maker: mk}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Make pages, pictures and tables",
		Args:  cobra.ArbitraryArgs,
		RunE:  helpOrSuggest("report"),
		// The flags belong to the report that was meant.
		FParseErrWhitelist:         cobra.FParseErrWhitelist{UnknownFlags: true},
		SuggestionsMinimumDistance: 2,
	}
	rp.paper.declare(cmd.PersistentFlags())
	cmd.AddCommand(allCommand(rp), curveCommand(rp), splitCommand(rp), weightsCommand(rp), opponentCommand(rp), databaseCommand(rp), openingCommand(rp))
	cmd.AddCommand(calibrationCommand(rp), depthCommand(rp), movesCommand(rp), playersCommand(rp), ratingsCommand(rp), mistakesCommand(rp), endgameCommand(rp), eventCommand(rp), wdlCommand(rp))
	for _, report := range cmd.Commands() {
		namesReport(mk, report)
		endsWithPage(mk, report)
	}
	cmd.AddCommand(diffCommand(mk))
	return cmd
}

// namesReport gives the output of a command the command's name if it has none.
func namesReport(mk *maker, cmd *cobra.Command) {
	out, need, name := cmd.Flag("out"), cmd.PreRunE, cmd.Name()
	if name == "all" {
		name = "reports"
	}
	out.Usage = strings.Replace(out.Usage, "required", "default: "+name, 1)
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		err := need(cmd, args)
		if !errors.Is(err, errNoOut) || mk.nested {
			return err
		}
		fmt.Fprintf(mk.stderr, "writing the report %s, named after the command (--out DIR chooses another name)\n", name)
		return out.Value.Set(name)
	}
}

// endsWithPage makes a command that wrote a report print where its page is.
func endsWithPage(mk *maker, cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil || mk.plan != nil || mk.nested {
			return err
		}
		out := cmd.Flag("out").Value.String()
		if _, err := os.Stat(filepath.Join(mk.path(out), "index.html")); err != nil {
			return nil // the output is no report
		}
		if sql := cmd.Flag("sql"); out == "" || datasets.Remote(out) || sql != nil && sql.Changed {
			return nil
		}
		fmt.Fprintf(mk.stdout, "Open %s\n", filepath.Join(out, "index.html"))
		return nil
	}
}

// makeReport builds the dataset of a report from its inputs.
func makeReport[P any](rp *reporter, cmd *cobra.Command, kind, out string, p P, inputs []string, run func(context.Context, P, []*datasets.Dir, page.Output) error) error {
	paper, err := rp.paper.of(cmd, kind)
	if err != nil {
		return err
	}
	return rp.build(cmd.Context(), out, datasets.Step{
		Stage: "report " + kind, Output: "report/v1", Params: ofPaper{p, paper}, Inputs: inputs,
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return run(ctx, p, in, page.ForPaper(b, paper))
		},
	}, "files")
}

// made is where a report goes, and whether its query is printed instead of its text.
type made struct {
	out string
	sql bool
}

// declare adds the flags; what is printed without --sql is named so.
func (to *made) declare(cmd *cobra.Command, what string) {
	outFlag(cmd, &to.out)
	cmd.Flags().BoolVar(&to.sql, "sql", false, "print the query instead of the "+what)
}

// printReport makes a report, and prints the file text of it, or its query.
func printReport[P any](rp *reporter, cmd *cobra.Command, kind string, to made, p P, inputs []string, text string, run func(context.Context, P, []*datasets.Dir, page.Output) error) error {
	if err := makeReport(rp, cmd, kind, to.out, p, inputs, run); err != nil || rp.plan != nil {
		return err
	}
	if to.sql {
		text = kind + ".sql"
	}
	return printFile(rp.maker, to.out, text)
}

// printFile prints a file of the dataset at dir.
func printFile(mk *maker, dir, name string) error {
	d, err := mk.openAny(dir)
	if err != nil {
		return err
	}
	text, err := d.ReadFile(name)
	if err != nil {
		return err
	}
	_, err = mk.stdout.Write(text)
	return err
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
