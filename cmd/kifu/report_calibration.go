package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/query"
	"kifu/report/calibration"
)

func calibrationCommand(rp *reporter) *cobra.Command {
	var by []string
	var to destination
	var p calibration.Params
	var cluster command.DependenceFlags
	var table tableFlags
	cmd := &cobra.Command{
		Use:   "calibration --out DIR LABELS...",
		Short: "Judge the win probabilities of evaluations",
		Args:  command.AtLeast(1, "datasets of labels, or CSV or Parquet files of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.By, err = query.ParseNamed(by); err != nil {
				return command.Misused(fmt.Errorf("--by: %w", err))
			}
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			if args, err = table.tables(cmd.Context(), rp.Maker, to.out, args); err != nil || rp.Unmade() {
				return err
			}
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "calibration", to, p, args, "calibration.txt", calibration.Make)
		},
	}
	to.declare(cmd, "table")
	flags := cmd.Flags()
	flags.StringSliceVar(&p.Values, "value", nil, "forecast by each of `COLUMNS` (default: the labels' last search)")
	flags.IntVar(&p.Bins, "bins", 20, "`N` bins of equal width")
	flags.StringVar(&p.Draws, "draws", "exclude", "count draws by `RULE`: exclude, or half (half a win)")
	flags.Float64Var(&p.Holdout, "holdout", 0.3, "hold out the share `P` of the games to test on (0: none)")
	flags.Uint64Var(&p.Seed, "seed", 1, "choose the held-out games by seed `S`")
	flags.Float64Var(&p.Scale, "scale", 0, "fix w0 at `W0`, in 1/unit")
	flags.StringArrayVar(&by, "by", nil, "also group the positions by `NAME=SQL`")
	cluster.Declare(flags, false)
	table.declare(flags)
	return cmd
}
