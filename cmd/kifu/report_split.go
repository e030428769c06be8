package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/query"
	"kifu/report/split"
	"kifu/report/split/search"
)

func splitCommand(rp *reporter) *cobra.Command {
	var conditions []string
	var to destination
	var p search.Params
	var cluster command.DependenceFlags
	var table tableFlags
	cmd := &cobra.Command{
		Use:   "split --out DIR LABELS",
		Short: "Find conditions in which the evaluation curve differs from the total curve",
		Args:  command.AtLeast(1, "a dataset of labels, or a CSV or Parquet file of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("%d datasets: want one", len(args))
			}
			var err error
			if p.Conditions, err = query.ParseNamed(conditions); err != nil {
				return command.Misused(fmt.Errorf("--condition: %w", err))
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			if err := cluster.Validate(); err != nil {
				return err
			}
			p.Source, p.Workers, p.Cluster = baseNames(args)[0], rp.Workers, cluster.Param()
			if args, err = table.tables(cmd.Context(), rp.Maker, to.out, args); err != nil || rp.Unmade() {
				return err
			}
			games, err := command.NamesOf(rp.Files, args[0], cluster)
			if err != nil {
				return err
			}
			if games != "" {
				args = append(args[:1:1], games)
			}
			if p.Aliases, err = command.SameNames(rp.Maker, cluster.Aliases, args[1:]...); err != nil {
				return err
			}
			defer boundHeap(768)() // as for curves; each game takes 32 bytes here
			return printReport(rp, cmd, "split", to, p, args, "summary.txt", split.Make)
		},
	}
	to.declare(cmd, "splits")
	flags := cmd.Flags()
	flags.StringVar(&p.Value, "value", "", "evaluate by `COLUMN` (default: the labels' last search)")
	flags.Float64Var(&p.Bin, "bin", 0, "bins of width `W` in the evaluator's unit (default: by the unit)")
	flags.StringVar(&p.Draws, "draws", "exclude", "count draws by `RULE`: exclude, or half (half a win)")
	flags.StringSliceVar(&p.Columns, "columns", nil, "try conditions of these `COLUMNS` (default: all but values, ratings and clocks)")
	flags.StringArrayVar(&conditions, "condition", nil, "also try the condition SQL, named NAME: `NAME=SQL`")
	flags.Int64Var(&p.MinCount, "min-count", 0, "try conditions with at least `N` positions inside and outside (default: 1000)")
	flags.Float64Var(&p.Holdout, "holdout", 0.3, "hold out the share `P` of the games to confirm on")
	flags.Float64Var(&p.Level, "level", 0.05, "false positive rate `P` of the whole search")
	flags.Float64Var(&p.FDR, "fdr", 0.05, "false discovery `RATE` of candidates for steeper and flatter curves")
	flags.IntVar(&p.Top, "top", 20, "show `N` splits at most")
	flags.StringVar(&p.By, "by", "fall", "order splits by `WHAT`: fall (of log-loss), wald (most certain), gap or area")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games by seed `S`")
	cluster.Declare(flags, false)
	table.declare(flags)
	return cmd
}
