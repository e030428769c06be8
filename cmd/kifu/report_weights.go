package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kifu/cmd/kifu/command"
	"kifu/report/weights"
)

func weightsCommand(rp *reporter) *cobra.Command {
	var out, labels string
	var references []string
	var source sourceFlags
	cmd := &cobra.Command{
		Use:   "weights --out DIR FIT...",
		Short: "Compare the weights of fits, or write them as source code",
		Args:  command.AtLeast(1, "fits: directories made by kifu fit"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if source.on() {
				return source.write(rp.Maker, args, cmd.Flags().Changed)
			}
			p := weights.Params{Sources: baseNames(args), Workers: rp.Workers}
			for _, name := range references {
				if !slices.Contains(weights.Literature(), name) {
					name = rp.Path(name)
				}
				r, err := weights.ReadReference(name)
				if err != nil {
					return command.Misused(fmt.Errorf("--reference: %w", err))
				}
				p.References = append(p.References, r)
			}
			if labels != "" {
				p.Labels, args = true, append(args, labels)
			}
			return makeReport(rp, cmd, "weights", out, p, args, weights.Make)
		},
	}
	command.OutFlag(cmd, &out)
	needOut := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if source.on() && out != "" {
			return command.Usagef("--out is the directory of a report; --format, --template and --patch print: write > %s", out)
		}
		if source.on() {
			return nil
		}
		return needOut(cmd, args)
	}
	source.declare(cmd.Flags())
	cmd.Flags().StringSliceVar(&references, "reference", nil, "compare with `REFERENCE`: values of the literature, or a weights file")
	cmd.Flags().StringVar(&labels, "labels", "", "show positions of `DATASET` (labels) where the most certain terms count most")
	return cmd
}
