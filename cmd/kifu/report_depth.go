package main

import (
	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/depth"
)

func depthCommand(rp *reporter) *cobra.Command {
	var to destination
	var p depth.Params
	var cluster command.DependenceFlags
	cmd := &cobra.Command{
		Use:   "depth --out DIR LABELS... [FIT...]",
		Short: "Regress deep values on shallow ones, by phase",
		Args:  command.AtLeast(1, "datasets of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return command.Misused(err)
			}
			p.Sources, p.Workers = baseNames(args), rp.Workers
			var err error
			if p.Clusters, args, err = command.Clusters(rp.Maker, cluster, args); err != nil {
				return err
			}
			return printReport(rp, cmd, "depth", to, p, args, "depth.txt", depth.Make)
		},
	}
	to.declare(cmd, "table")
	flags := cmd.Flags()
	flags.StringVar(&p.Deep, "deep", "", "predict `COLUMN`, the deep search (default: the labels' last search)")
	flags.StringSliceVar(&p.Shallow, "shallow", nil, "predict --deep from each of `COLUMNS` (default: all earlier searches)")
	flags.Float64Var(&p.Within, "within", 0, "skip shallow values beyond ±`V` in the evaluator's unit (0: none)")
	cluster.Declare(flags, false)
	return cmd
}
