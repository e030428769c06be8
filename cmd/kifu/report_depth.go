package main

import (
	"github.com/spf13/cobra"

	"kifu/report/depth"
)

func depthCommand(rp *reporter) *cobra.Command {
	var to made
	var p depth.Params
	var cluster dependenceFlags
	cmd := &cobra.Command{
		Use:   "depth --out DIR LABELS... [FIT...]",
		Short: "Regress deep values on shallow ones, by phase",
		Args:  atLeast(1, "datasets of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.Validate(); err != nil {
				return usageError{err}
			}
			p.Sources, p.Workers = baseNames(args), rp.workers
			var err error
			if p.Clusters, args, err = clusters(rp.maker, cluster, args); err != nil {
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
	cluster.declare(flags, false)
	return cmd
}
