package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/query"
	"kifu/report/curve"
)

func curveCommand(rp *reporter) *cobra.Command {
	var out string
	var when []string
	var ratings []int
	var p curve.Params
	var cluster command.DependenceFlags
	var table tableFlags
	cmd := &cobra.Command{
		Use:   "curve --out DIR LABELS...",
		Short: "Draw evaluation curves: win probability by evaluation",
		Args:  command.AtLeast(1, "datasets of labels, or CSV or Parquet files of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.When, err = query.ParseNamed(when); err != nil {
				return command.Misused(fmt.Errorf("--when: %w", err))
			}
			bands, err := curve.RatingBands(ratings)
			if err != nil {
				return command.Misused(fmt.Errorf("--ratings: %w", err))
			}
			p.When = append(p.When, bands...)
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			if p.Interval != curve.IntervalBootstrap {
				p.Seed = 0
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			if args, err = table.tables(cmd.Context(), rp.Maker, out, args); err != nil || rp.Unmade() {
				return err
			}
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			defer boundHeap(384)() // of which who played fourteen million games takes most
			return makeReport(rp, cmd, "curve", out, p, args, curve.Make)
		},
	}
	command.OutFlag(cmd, &out)
	flags := cmd.Flags()
	flags.StringSliceVar(&p.Values, "value", nil, "evaluate by `COLUMN`; several draw a curve each (default: the last search)")
	flags.Float64Var(&p.Bin, "bin", 0, "bins of width `W` in the evaluator's unit (default: by the unit)")
	flags.Int64Var(&p.MinCount, "min-count", 0, "hide bins of fewer than `N` positions (default: 1000; few positions: 100)")
	flags.StringVar(&p.Draws, "draws", "exclude", "count draws by `RULE`: exclude, half (half a win) or bands")
	flags.StringVar(&p.Interval, "interval", "robust", "95 % intervals by `METHOD`: robust (clustered), bootstrap, or wilson (independent positions: too narrow)")
	flags.Uint64Var(&p.Seed, "seed", 1, "seed `S` of the bootstrap")
	flags.IntSliceVar(&ratings, "ratings", nil, "also draw bands of the players' mean rating, divided at `RATINGS`")
	cluster.Declare(flags, false)
	table.declare(flags)
	flags.StringArrayVar(&when, "when", nil, "also draw the positions where SQL holds, as NAME: `NAME=SQL`")
	return cmd
}
