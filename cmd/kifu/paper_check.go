package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/suggest"
	"kifu/internal/human"
	"kifu/report/paper"
)

func paperCommand(mk *command.Maker) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "paper",
		Short: "Check the numbers of a paper",
		Args:  cobra.ArbitraryArgs,
		RunE:  suggest.HelpOr("command"),
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check PAPER.tex [DATASET...]",
		Short: "Name the numbers of a paper that are out of date or in no report",
		Args:  command.AtLeast(1, "the paper, and perhaps datasets and reports"),
		RunE:  func(_ *cobra.Command, args []string) error { return checkPaper(mk, args[0], args[1:]) },
	})
	return cmd
}

// checkPaper prints what is out of date in a paper; paths are datasets that are not around its reports.
func checkPaper(mk *command.Maker, file string, paths []string) error {
	given, err := lineage(mk, paths, nameIt)
	if err != nil {
		return err
	}
	r, err := paper.Check(mk.Path(file), given)
	if err != nil {
		return err
	}
	lines := []string{}
	for _, f := range r.Findings {
		at := f.File
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", at, f.What, f.Why))
	}
	for _, line := range slices.Compact(lines) {
		fmt.Fprintln(mk.Stdout, line)
	}
	checked := fmt.Sprintf("%s and %s, against %s", human.Plural(int64(r.Macros), `\kifu number`, `\kifu numbers`),
		human.Plural(int64(r.Typed), "typed number", "typed numbers"), human.Plural(int64(len(r.Reports)), "report", "reports"))
	if len(r.Findings) > 0 {
		return fmt.Errorf("%s: %s of %s", file, human.Plural(int64(len(r.Findings)), "finding", "findings"), checked)
	}
	fmt.Fprintf(mk.Stderr, "%s: %s: none is out of date\n", file, checked)
	return nil
}
