package main

import (
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/internal/dyads"
	"kifu/report"
	"kifu/schemas"
)

func allCommand(rp *reporter) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "all --out DIR DATASET...",
		Short: "Make every report that the datasets allow, on one page",
		Args:  command.AtLeast(1, "datasets: games, labels, fits"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := report.AllParams{Sources: baseNames(args), Workers: rp.Workers}
			inputs, err := withGames(rp.Maker, &p, args)
			if err != nil {
				return err
			}
			return makeReport(rp, cmd, "all", out, p, inputs, report.All)
		},
	}
	command.OutFlag(cmd, &out)
	return cmd
}

// withGames adds to the datasets at paths the games in which the players of labels, choices and
// predictions are looked up.
func withGames(mk *command.Maker, p *report.AllParams, paths []string) (inputs []string, err error) {
	var of []string
	var at []int
	for i, path := range paths {
		d, err := mk.OpenAny(path)
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{"labels", "choices", schemas.Predictions().Name}, d.Table.Name) {
			of, at = append(of, path), append(at, i)
		}
	}
	c, all, err := command.Clusters(mk, command.DependenceFlags{Way: dyads.Both}, of)
	if err != nil || len(c.Names) == 0 {
		return paths, err
	}
	p.Names = slices.Repeat([]int{-1}, len(paths))
	for i, games := range c.Names {
		if games >= 0 {
			p.Names[at[i]] = games - len(of) + len(paths)
		}
	}
	return append(slices.Clone(paths), all[len(of):]...), nil
}
