package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/chart"
	"kifu/report/wdl"
)

func wdlCommand(rp *reporter) *cobra.Command {
	var span string
	var to destination
	var p wdl.Params
	var cluster command.DependenceFlags
	var table tableFlags
	cmd := &cobra.Command{
		Use:   "wdl --out DIR LABELS|POSITIONS",
		Short: "Fit the probabilities of win, draw and loss, by value and material or move",
		Args:  command.Exactly(1, "a dataset of labels or positions, or a CSV or Parquet file of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if span != "" {
				ends, err := chart.ParseLimits(span)
				if err == nil && (ends[0] != math.Trunc(ends[0]) || ends[1] != math.Trunc(ends[1])) {
					err = fmt.Errorf("%q: want whole numbers", span)
				}
				if err != nil {
					return command.Misused(fmt.Errorf("--range: %w", err))
				}
				p.Least, p.Most = int64(ends[0]), int64(ends[1])
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Source, p.Workers = baseNames(args)[0], rp.Workers
			args, err := table.tables(cmd.Context(), rp.Maker, to.out, args)
			if err != nil || rp.Unmade() {
				return err
			}
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "wdl", to, p, args, "wdl.txt", wdl.Make)
		},
	}
	to.declare(cmd, "table")
	flags := cmd.Flags()
	flags.StringVar(&p.Value, "value", "", "take values from `COLUMN` (default: last search; for positions, comment_value)")
	flags.StringVar(&p.By, "by", "", "model a and b by material, move or an integer `SQL` (default: material)")
	flags.Float64Var(&p.Target, "target", 0, "divide material or move by `N` (default: 58; 32 or 64; else the mean)")
	flags.StringVar(&span, "range", "", "use material or moves `LOW,HIGH` (default: 17,78; 1,120 or 1,240; else all)")
	flags.Float64Var(&p.Within, "within", 0, "skip values beyond ±`V` (default: 400 centipawns, else none)")
	flags.Float64Var(&p.Holdout, "holdout", 0.3, "hold out the share `P` of the games to test on")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games by seed `S`")
	cluster.Declare(flags, false)
	table.declare(flags)
	return cmd
}
