package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kifu/report/weights"
)

func (a *app) weightsCommand() *cobra.Command {
	var out string
	var references []string
	cmd := &cobra.Command{
		Use:   "weights --out DIR FIT...",
		Short: "Set the weights of fits side by side",
		Args:  atLeast(1, "fits: directories made by kifu fit"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := weights.Params{Sources: baseNames(args), Workers: a.workers}
			for _, name := range references {
				if !slices.Contains(weights.Literature(), name) {
					name = a.path(name)
				}
				r, err := weights.ReadReference(name)
				if err != nil {
					return usageError{fmt.Errorf("--reference: %w", err)}
				}
				p.References = append(p.References, r)
			}
			return makeReport(a, cmd, "weights", out, p, args, weights.Make)
		},
	}
	outFlag(cmd, &out)
	cmd.Flags().StringSliceVar(&references, "reference", nil, "set the fits beside `REFERENCE`: values of the literature by name, or a file of weights")
	return cmd
}
